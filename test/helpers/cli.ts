// Runs the command line of the translator within the test, with operations of the test's own.

import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { run } from '../../translator/cli/run.js';
import { temporaryFolder } from './folder.js';
import { FAKES } from './translator.js';

/** How a command ended. */
export interface CommandOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command on the operations of {@link FAKES}, with a file as standard input and another one as standard output. */
export async function runCommand(
  t: ExecutionContext,
  args: readonly string[],
  input = '',
): Promise<CommandOutcome> {
  const folder = temporaryFolder(t);
  const [stdinFile, stdoutFile] = [join(folder, 'stdin'), join(folder, 'stdout')];
  writeFileSync(stdinFile, input);
  const [stdin, stdout] = [openSync(stdinFile, 'r'), openSync(stdoutFile, 'w')];
  let stderr = '';
  const status = await run(args, {
    load: {
      decode: async () => FAKES.decode,
      encode: async () => FAKES.encode,
      computeUpdate: async () => FAKES.computeUpdate,
      messageNames: async () => FAKES.messageNames,
    },
    process: {
      stdin,
      stdout,
      error: (text) => void (stderr += text),
      isErrorTerminal: false,
      columns: 80,
      runtime: process,
      onStop: () => undefined,
    },
  });
  closeSync(stdin);
  closeSync(stdout);
  return { status, stdout: readFileSync(stdoutFile, 'utf8'), stderr };
}
