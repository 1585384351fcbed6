// Runs the command line of the translator in the test process, with fake operations.

import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { run } from '../../translator/cli/run.js';
import type { Operations } from '../../translator/operations.js';
import { PLAIN } from '../../translator/documents/text.js';
import { temporaryFolder } from './folder.js';
import { FAKES } from './translator.js';

/** The outcome of a command. */
export interface CommandOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command with files as standard input and output. @param onError gets what is written to standard error, at once */
export async function runCommand(
  t: ExecutionContext,
  args: readonly string[],
  input = '',
  operations: Partial<Operations> = {},
  onError: (text: string) => void = () => undefined,
): Promise<CommandOutcome> {
  const used = { ...FAKES, ...operations };
  const directory = temporaryFolder(t);
  const [stdinFile, stdoutFile] = [join(directory, 'stdin'), join(directory, 'stdout')];
  writeFileSync(stdinFile, input);
  const [stdin, stdout] = [openSync(stdinFile, 'r'), openSync(stdoutFile, 'w')];
  let stderr = '';
  const status = await run(args, {
    load: {
      decode: async () => used.decode,
      encode: async () => used.encode,
      computeUpdate: async () => used.computeUpdate,
      messageNames: async () => used.messageNames,
    },
    stdin,
    stdout,
    error: (text) => {
      stderr += text;
      onError(text);
    },
    isErrorTerminal: false,
    columns: 80,
    display: PLAIN,
    runtime: process,
    onStop: () => undefined,
  });
  closeSync(stdin);
  closeSync(stdout);
  return { status, stdout: readFileSync(stdoutFile, 'utf8'), stderr };
}
