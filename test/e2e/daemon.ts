// Runs daemons as child processes of a test.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../helpers/folder.js';
import { guardProcess } from '../helpers/guard.js';
import { findProgram } from './provision.js';

/** Time between SIGTERM and SIGKILL at the end of a test, in milliseconds. */
const STOP_TIMEOUT = 15_000;
/** How long {@link eventually} retries by default, in milliseconds. */
const RETRY_TIMEOUT = 60_000;

/** A running daemon. */
export interface Daemon {
  /** Its process id. */
  readonly pid: number | undefined;
  /** Sends a signal and waits until the daemon exits. At the end of the test it is stopped with SIGTERM, then SIGKILL. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Suspends it (SIGSTOP). */
  pause(): void;
  /** Continues it (SIGCONT). */
  resume(): void;
}

/** Options for running a daemon. */
export interface DaemonOptions {
  /** Its environment besides PATH. @default that of the tests */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A file that its output is appended to. */
  readonly log?: string;
}

/**
 * Starts a daemon and waits until it is ready.
 *
 * @param isReady rejects while the daemon is not ready
 */
export async function startDaemon(
  t: Owner,
  program: string,
  args: readonly string[],
  isReady: () => Promise<unknown>,
  { environment, cwd, log }: DaemonOptions = {},
): Promise<Daemon> {
  const file = log === undefined ? undefined : openSync(log, 'a');
  const child = spawn(findProgram(program) ?? program, args, {
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
    env: environment === undefined ? process.env : { PATH: process.env.PATH, ...environment },
    cwd,
  });
  if (file !== undefined) closeSync(file);
  guardProcess(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString('utf8')}`.slice(-4000)));
  const lastOutput = (): string =>
    log !== undefined && existsSync(log) ? readFileSync(log, 'utf8').slice(-4000) : output;
  let hasExited = false;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      hasExited = true;
      resolve();
    };
    child.on('error', (error) => {
      output += error.message;
      end();
    });
    child.on('exit', end);
  });
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  t.teardown(async () => {
    const timer = new AbortController();
    const kill = sleep(STOP_TIMEOUT, undefined, { signal: timer.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    );
    await stop('SIGTERM');
    timer.abort();
    await kill;
  });
  await eventually(async () => {
    if (hasExited) throw new PermanentError(`${program} exited during startup:\n${lastOutput()}`);
    await isReady();
  });
  return {
    pid: child.pid,
    stop,
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  };
}

/** Stops the retries of {@link eventually}. */
class PermanentError extends Error {}

/**
 * Retries until the attempt resolves. Rejects with the last error after the timeout.
 *
 * @param timeout in milliseconds
 */
export async function eventually<T>(attempt: () => Promise<T>, timeout = RETRY_TIMEOUT): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof PermanentError || performance.now() - start > timeout) throw error;
      await sleep(200);
    }
  }
}

/** Throws an error unless the condition is true; for use in {@link eventually}. */
export function check(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

/** Connects, sends the text, and returns the response up to an empty line. Does not wait for a response if the text is empty. */
export async function talk(port: number, text: string, host = '127.0.0.1'): Promise<string> {
  const socket = connect(port, host);
  let response = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    response += chunk;
    if (response.endsWith('\n\n')) socket.end();
  });
  await once(socket, 'connect');
  if (text === '') socket.end();
  else socket.write(text);
  await once(socket, 'close');
  return response;
}
