// The module that the thread of the service runs.

import { parentPort, workerData } from 'node:worker_threads';
import type { Bounds } from '../../proto/limits.js';
import { serveThread } from './translation-thread.js';
import { createTranslations } from './translations.js';

if (parentPort !== null) serveThread(parentPort, createTranslations(), workerData as Bounds);
