import { setTimeout as sleep } from 'node:timers/promises';

/** Longest wait, in milliseconds; shorter than the timeout of ava. */
const TIMEOUT = 50_000;

/**
 * Waits until a condition is true. Rejects after 50 s.
 *
 * @param pause time between two checks, in milliseconds
 */
export async function until(isReached: () => boolean | Promise<boolean>, pause = 5): Promise<void> {
  const end = performance.now() + TIMEOUT;
  while (!(await isReached())) {
    if (performance.now() > end)
      throw new Error(`not reached within ${TIMEOUT / 1000} s: ${String(isReached)}`);
    await sleep(pause);
  }
}
