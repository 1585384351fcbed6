// The module that the thread of the service runs.

import { parentPort, workerData } from 'node:worker_threads';
import type { Bounds } from '../../proto/limits.js';
import { encode } from '../../proto/from-json.js';
import { decodeToPieces } from '../../proto/to-json.js';
import { serveThread } from './translation-thread.js';
import { createTranslations } from './translations.js';

const loadComputeUpdate = async () => (await import('../update/index.js')).computeUpdate;

if (parentPort !== null)
  serveThread(
    parentPort,
    createTranslations({ decode: decodeToPieces, encode, loadComputeUpdate }),
    workerData as Bounds,
  );
