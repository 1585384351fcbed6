// Limits how many calls run at a time.

import { onAbort } from './on-abort.js';

/** Runs a call when the limit allows it. Rejects with the reason of the signal if the signal is aborted before. */
type LimitedCalls = <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Creates a limit: at most `most` calls run at a time. Further calls wait, first in, first out. */
export function limitCalls(most: number): LimitedCalls {
  const waiting = new Set<() => void>();
  let running = 0;

  const wait = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const proceed = (): void => {
        stopListening?.();
        waiting.delete(proceed);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(proceed);
        reject(signal?.reason);
      };
      waiting.add(proceed);
      const stopListening = signal && onAbort(signal, giveUp);
    });

  return async (call, signal) => {
    if (running >= most) await wait(signal);
    else running += 1;
    try {
      return await call();
    } finally {
      const [next] = waiting;
      // The next call takes the place of this one.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
