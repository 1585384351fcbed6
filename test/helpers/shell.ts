// Runs scripts of bash, with `configtxlator` as a command.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { TRANSLATOR } from './program.js';

const TIME_LIMIT = 50_000;

/** Makes `configtxlator` a command of the scripts that run in a folder. */
export function putTranslator(folder: string): void {
  const command = `#!/bin/sh\nexec '${process.execPath}' '${TRANSLATOR}' "$@"\n`;
  writeFileSync(join(folder, 'configtxlator'), command, { mode: 0o755 });
}

/** Runs a script of bash in a folder; it ends at its first failure. Returns what it printed. */
export async function bash(folder: string, script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` },
    timeout: TIME_LIMIT,
  });
  return stdout;
}
