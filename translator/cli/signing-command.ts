// Runs the command of `--sign-with`, which signs with a key that this program cannot read.

import { spawn } from 'node:child_process';
import { kill } from 'node:process';
import { isatty } from 'node:tty';
import { ByteCollector } from '../../core/common/flow/byte-collector.js';
import { digest } from '../crypto/index.js';
import { CommandError } from './errors.js';
import type { Io } from './io.js';

/** The time for a command, in milliseconds: a person may have to type a PIN and to touch a key. */
const TIMEOUT = 120_000;
/** The maximum size of the output, in bytes. A signature has up to 140 bytes. */
const MAX_OUTPUT = 64 * 1024;

/** Errors do not show the command, which may contain a PIN. */
const failed = (reason: string): CommandError => new CommandError(`--sign-with: the command ${reason}`);

/**
 * A signature of a command.
 *
 * @param isWhole whether the command gets the message in place of its SHA-256
 */
export const signingCommand =
  (command: string, isWhole: boolean, { stdin }: Pick<Io, 'stdin'>) =>
  (message: Uint8Array): Promise<Uint8Array> =>
    runSigningCommand(command, isWhole ? message : digest('SHA-256', [message]), isatty(stdin));

/**
 * Runs a command in a shell. Its standard error is the standard error of this program.
 *
 * @param input its standard input
 * @param isInteractive whether it may ask for a PIN: it stays in the foreground of the terminal. Otherwise it has a process group of its own
 * @param timeout in milliseconds; then the command is killed, with its children unless it is interactive
 * @returns its standard output
 * @throws CommandError if it fails, prints too much, or does not end in time
 */
export async function runSigningCommand(
  command: string,
  input: Uint8Array,
  isInteractive: boolean,
  timeout = TIMEOUT,
): Promise<Uint8Array> {
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: !isInteractive,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      const output = new ByteCollector(MAX_OUTPUT);
      timer = setTimeout(() => reject(failed(`did not end within ${timeout / 1000} s`)), timeout);
      child.on('error', ({ message }) => reject(failed(`cannot be started: ${message}`)));
      child.stdout.on('data', (chunk: Buffer) => {
        if (!output.add(chunk))
          reject(failed(`printed more than ${MAX_OUTPUT} bytes, a signature is needed`));
      });
      child.on('close', (status, signal) => {
        if (status === 0) resolve(new Uint8Array(output.bytes()));
        else reject(failed(signal === null ? `ended with exit status ${status}` : `was ended by ${signal}`));
      });
      // The command may end without reading its input.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
    });
  } finally {
    clearTimeout(timer);
    if (isInteractive) child.kill('SIGKILL');
    else killGroup(child.pid);
    // A child of the command may keep the pipe open.
    child.stdout.destroy();
  }
}

function killGroup(group: number | undefined): void {
  try {
    if (group !== undefined) kill(-group, 'SIGKILL');
  } catch {
    // All its processes have ended.
  }
}
