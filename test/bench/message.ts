// Messages of the processes that a benchmark forks.

import type { ChildProcess } from 'node:child_process';

/** The next message of a process. @throws Error when the process cannot be started, or ends without one */
export function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      child.off('message', receive).off('exit', end).off('error', fail);
    };
    const receive = (message: unknown): void => {
      stop();
      resolve(message as T);
    };
    const fail = (error: Error): void => {
      stop();
      reject(error);
    };
    const end = (status: number | null, signal: string | null): void =>
      fail(
        new Error(`${child.spawnargs.join(' ')} ended with ${signal ?? `status ${status}`} and sent nothing`),
      );
    child.on('message', receive).on('exit', end).on('error', fail);
  });
}
