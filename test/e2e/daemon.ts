// Runs real daemons as children of a test.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { guardProcess } from '../helpers/guard.js';
import { findProgram } from './provision.js';

/** How long a daemon gets to end after SIGTERM, in milliseconds. */
const STOP_TIMEOUT = 15_000;
/** How long {@link eventually} tries, in milliseconds. */
const PATIENCE = 60_000;

/** A daemon that runs. */
export interface Daemon {
  /** Sends a signal and waits for the end; the end of the test does the same with SIGTERM, then SIGKILL. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Lets it stand still. */
  pause(): void;
  /** Lets it go on. */
  resume(): void;
}

/**
 * Starts a daemon and waits until it answers.
 *
 * @param isReady may reject as long as it is not
 */
export async function startDaemon(
  t: ExecutionContext,
  program: string,
  args: readonly string[],
  isReady: () => Promise<unknown>,
): Promise<Daemon> {
  const child = spawn(findProgram(program) ?? program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  guardProcess(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString('utf8')}`.slice(-4000)));
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      hasEnded = true;
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
    const late = new AbortController();
    const kill = sleep(STOP_TIMEOUT, undefined, { signal: late.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    );
    await stop('SIGTERM');
    late.abort();
    await kill;
  });
  await eventually(async () => {
    if (hasEnded) throw new GivenUp(`${program} ended instead of starting:\n${output}`);
    await isReady();
  });
  return { stop, pause: () => child.kill('SIGSTOP'), resume: () => child.kill('SIGCONT') };
}

/** Thrown inside {@link eventually} when trying again is of no use. */
class GivenUp extends Error {}

/** Tries until something does not reject any more; rejects with its last reason when that takes too long. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof GivenUp || performance.now() - start > PATIENCE) throw error;
      await sleep(200);
    }
  }
}

/** Throws unless something is so; for {@link eventually}. */
export function check(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

/** Connects, says something if there is something to say, and reads up to an empty line. */
export async function talk(port: number, text: string, host = '127.0.0.1'): Promise<string> {
  const socket = connect(port, host);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk;
    if (answer.endsWith('\n\n')) socket.end();
  });
  await once(socket, 'connect');
  if (text === '') socket.end();
  else socket.write(text);
  await once(socket, 'close');
  return answer;
}
