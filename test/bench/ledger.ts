// The history of a channel, read from the ledger of a node, as a whole process.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedBlocks } from '../helpers/stored-ledger.js';
import { runWithPeak } from './peak.js';
import { median, row, type Row } from './report.js';
import { OURS } from './translator-server.js';

const ROUNDS = 5;
const BLOCKS = 10_000;
const CONFIGS = 100;
const TRANSACTION = 5000;

/** Rows of the command `log`. */
export function benchLedger(): Row[] {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const configs = Array.from({ length: CONFIGS }, (_, index) => (index + 1) * (BLOCKS / CONFIGS) - 1);
  const blocks = storedBlocks({ blocks: BLOCKS, configs, size: TRANSACTION });
  try {
    writeFileSync(join(directory, 'blockfile_000000'), Buffer.concat(blocks));
    const [, ...program] = OURS;
    const runs = Array.from({ length: ROUNDS }, () => ({
      log: runWithPeak([...program, 'log', directory]),
      nothing: runWithPeak(['-e', '0']),
    }));
    const seconds = median(runs.map(({ log }) => log.seconds));
    const memory = median(runs.map(({ log, nothing }) => log.megabytes - nothing.megabytes));
    const what = `log of ${BLOCKS} blocks with ${CONFIGS} config blocks`;
    return [
      row(`${what}, in s`, seconds, '<=', 2, 'whole process'),
      row(`memory of it above node -e 0, in MB`, memory, '<=', 62, ''),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}
