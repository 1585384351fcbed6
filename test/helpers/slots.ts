import type { ExecutionContext } from 'ava';

/** Tests of one process that may have servers or programs at the same time. */
const SLOTS = 8;

let free = SLOTS;
const waiting: (() => void)[] = [];
const holders = new WeakMap<object, Promise<void>>();

/**
 * Waits until the test may start servers or programs; it may until it ends. ava starts all tests of a process at once, and hundreds of
 * servers and clients in one process would make each other late.
 */
export function slot(t: Pick<ExecutionContext, 'teardown'>): Promise<void> {
  const held = holders.get(t);
  if (held !== undefined) return held;
  const taken =
    free > 0 ? Promise.resolve(void (free -= 1)) : new Promise<void>((resolve) => waiting.push(resolve));
  holders.set(t, taken);
  t.teardown(() => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  });
  return taken;
}
