// Runs a program as a whole process, and says how long it took and how much memory it had at most.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Loaded before the program, prints the most memory that it had, in KiB. Not `resourceUsage().maxRSS`, which is at least the memory of the
 * process that starts it.
 */
const PEAK = `process.on('exit', () => {
  const fs = require('fs');
  fs.writeSync(2, '\\npeak ' + /VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]);
});`;

/** Runs Node.js with arguments, whatever its exit status. */
export function runWithPeak(args: readonly string[]): {
  readonly seconds: number;
  readonly megabytes: number;
} {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const peak = join(directory, 'peak.cjs');
    writeFileSync(peak, PEAK);
    const start = performance.now();
    const { stderr } = spawnSync(process.execPath, ['--require', peak, ...args], {
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    const seconds = (performance.now() - start) / 1000;
    return { seconds, megabytes: (Number(/peak (\d+)$/.exec(stderr)?.[1]) * 1024) / 1e6 };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
