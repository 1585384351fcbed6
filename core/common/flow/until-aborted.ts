// Waits for work, or until a signal is aborted.

import { onAbort } from './on-abort.js';

/**
 * Waits for work until a signal is aborted. An abort does not end the work.
 *
 * @throws errors of the work, or the reason of the signal
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stopListening();
  }
}
