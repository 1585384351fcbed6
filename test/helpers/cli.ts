// Runs the command line of the translator in the test process.

import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { run } from '../../translator/cli/run.js';
import { PLAIN } from '../../translator/documents/text.js';
import { temporaryFolder } from './folder.js';

/** The outcome of a command. */
export interface CommandOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command with files as standard input and output.
 *
 * @param onError gets what is written to standard error, at once
 * @param onStop gets the listener for signals
 */
export async function runCommand(
  t: ExecutionContext,
  args: readonly string[],
  input: string | Uint8Array = '',
  onError: (text: string) => void = () => undefined,
  onStop: (listener: () => void) => void = () => undefined,
): Promise<CommandOutcome> {
  const directory = temporaryFolder(t);
  const [stdinFile, stdoutFile] = [join(directory, 'stdin'), join(directory, 'stdout')];
  writeFileSync(stdinFile, input);
  const [stdin, stdout] = [openSync(stdinFile, 'r'), openSync(stdoutFile, 'w')];
  let stderr = '';
  const status = await run(args, {
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
    onStop,
  });
  closeSync(stdin);
  closeSync(stdout);
  return { status, stdout: readFileSync(stdoutFile, 'utf8'), stderr };
}

/** A service that runs in the test process. */
export interface RunningService {
  readonly port: number;
  /** The line with its address. */
  readonly announced: string;
  /** Stops it, as a signal does. */
  readonly stop: () => void;
  readonly ended: Promise<CommandOutcome>;
}

/** Runs `start`. It is stopped when the test ends. Rejects if it does not serve. */
export async function runService(t: ExecutionContext, args: readonly string[]): Promise<RunningService> {
  let stop = (): void => undefined;
  let announce = (_line: string): void => undefined;
  const announced = new Promise<string>((resolve) => (announce = resolve));
  const ended = runCommand(
    t,
    ['start', ...args],
    '',
    (text) => (/ Serving HTTPS? requests on /.test(text) ? announce(text) : undefined),
    (listener) => (stop = listener),
  );
  t.teardown(async () => {
    stop();
    await ended;
  });
  const failed = ended.then(({ stderr }) => Promise.reject(new Error(`it does not serve: ${stderr}`)));
  const line = await Promise.race([announced, failed]);
  failed.catch(() => undefined);
  const port = Number(/:(\d+)(?: with .*)?\n$/.exec(line)?.[1]);
  return { port, announced: line, stop: () => stop(), ended };
}
