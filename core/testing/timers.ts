import { AsyncLocalStorage, createHook } from 'node:async_hooks';

/** The timers that were created by work and have neither fired nor been cleared, by their numbers. */
type Timers = Map<number, NodeJS.Timeout>;

const current = new AsyncLocalStorage<Timers>();

/**
 * Runs work, and returns how many of the timers that it created keep the process alive afterwards. Work of others at the same time does not
 * count.
 */
export async function timersLeftBy(work: () => Promise<void>): Promise<number> {
  const timers: Timers = new Map();
  const hook = createHook({
    init(id, type, _trigger, resource) {
      if (type === 'Timeout') current.getStore()?.set(id, resource as NodeJS.Timeout);
    },
    destroy(id) {
      timers.delete(id);
    },
  }).enable();
  try {
    await current.run(timers, work);
    // Node.js reports the end of a timer later.
    await new Promise((resolve) => setImmediate(resolve));
    return [...timers.values()].filter((timer) => timer.hasRef()).length;
  } finally {
    hook.disable();
  }
}
