// Runs bash scripts that can call `configtxlator`.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { TRANSLATOR } from './program.js';

/** In milliseconds. */
const SCRIPT_TIMEOUT = 50_000;

/** Installs `configtxlator` into a directory, for scripts that {@link bash} runs there. */
export function putTranslator(directory: string): void {
  const command = `#!/bin/sh\nexec '${process.execPath}' '${TRANSLATOR}' "$@"\n`;
  writeFileSync(join(directory, 'configtxlator'), command, { mode: 0o755 });
}

/** Runs a bash script in a directory, which is also on PATH. Returns its standard output; rejects if a command fails. */
export async function bash(directory: string, script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: directory,
    env: { PATH: `${directory}${delimiter}${process.env.PATH ?? ''}` },
    timeout: SCRIPT_TIMEOUT,
  });
  return stdout;
}
