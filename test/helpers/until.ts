import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE } from './patience.js';

/** Longest time between two checks, in milliseconds. */
const MAX_PAUSE = 200;

/**
 * Waits until a condition is true. Rejects after {@link PATIENCE}.
 *
 * @param pause first time between two checks, in milliseconds; it grows to a tenth of the time waited so far
 */
export async function until(isReached: () => boolean | Promise<boolean>, pause = 5): Promise<void> {
  // The imported one: tests replace the global one.
  const start = performance.now();
  while (!(await isReached())) {
    const waited = performance.now() - start;
    if (waited > PATIENCE) throw new Error(`not reached within ${PATIENCE / 1000} s: ${String(isReached)}`);
    await sleep(Math.max(pause, Math.min(waited / 10, MAX_PAUSE)));
  }
}
