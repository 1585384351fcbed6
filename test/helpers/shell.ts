// Runs bash scripts with `configtxlator` as a command.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { PATIENCE } from './patience.js';
import { TRANSLATOR } from './program.js';

/** Makes `configtxlator` a command for scripts in a directory. */
export function putTranslator(directory: string): void {
  const command = `#!/bin/sh\nexec '${process.execPath}' '${TRANSLATOR}' "$@"\n`;
  writeFileSync(join(directory, 'configtxlator'), command, { mode: 0o755 });
}

/** Runs a bash script in a directory; stops at the first failing command. Returns standard output. */
export async function bash(directory: string, script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: directory,
    env: { PATH: `${directory}${delimiter}${process.env.PATH ?? ''}` },
    timeout: PATIENCE,
  });
  return stdout;
}
