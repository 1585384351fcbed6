import { setTimeout as sleep } from 'node:timers/promises';

/** How long something is waited for, in milliseconds; less than ava waits for a test. */
const PATIENCE = 50_000;

/**
 * Waits for something to become true.
 *
 * @param pause how long it is not looked for in between, in milliseconds
 */
export async function until(isReached: () => boolean | Promise<boolean>, pause = 5): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error(`after ${PATIENCE / 1000}s not yet: ${String(isReached)}`);
    await sleep(pause);
  }
}
