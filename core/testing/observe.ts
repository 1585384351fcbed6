// Observes side effects of a plugin under test. Uses async_hooks of Node.js, so that concurrent work of other code does not count.

import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { inspect } from 'node:util';

/** The side effects of work. */
export interface Observed {
  /** The number of its timers that keep the process alive afterwards. */
  readonly timers: number;
  /** The reasons of unhandled rejections. */
  readonly rejections: readonly unknown[];
  /** The longest CPU time of the process in one turn of the event loop, in milliseconds. */
  readonly longestTurn: number;
}

/** Observed work. */
class Work {
  /** The pending timers, by async id. */
  readonly timers = new Map<number, NodeJS.Timeout>();
  readonly promises = new WeakSet<object>();
  readonly rejections: unknown[] = [];
  longestTurn = 0;
  #start = 0;

  begin(): void {
    this.#start = cpuTime();
  }

  end(): void {
    this.longestTurn = Math.max(this.longestTurn, cpuTime() - this.#start);
  }

  /** Node.js attaches this object to resources. Code that prints a resource, as docker-modem does with each request, must not print all of it. */
  [inspect.custom](): string {
    return 'Work';
  }
}

const current = new AsyncLocalStorage<Work>();
/** The work that created a resource, by the async id of the resource. */
const creators = new Map<number, Work>();
const observed = new Set<Work>();

const hook = createHook({
  init(id, type, _trigger, resource) {
    const work = current.getStore();
    if (work === undefined) return;
    creators.set(id, work);
    if (type === 'Timeout') work.timers.set(id, resource as NodeJS.Timeout);
    if (type === 'PROMISE') work.promises.add(resource);
  },
  before: (id) => creators.get(id)?.begin(),
  after: (id) => creators.get(id)?.end(),
  destroy(id) {
    creators.get(id)?.timers.delete(id);
    creators.delete(id);
  },
});

function onRejection(reason: unknown, promise: Promise<unknown>): void {
  for (const work of observed)
    if (work.promises.has(promise)) {
      work.rejections.push(reason);
      // It is recorded here, so that the test runner does not fail, too.
      promise.catch(() => undefined);
    }
}

/** Number of turns of the event loop after the work in which a promise may still reject. */
const TURNS = 10;

/** Runs work and observes it. */
export async function observe(run: () => Promise<void>): Promise<Observed> {
  const work = new Work();
  if (observed.size === 0) {
    hook.enable();
    process.on('unhandledRejection', onRejection);
  }
  observed.add(work);
  try {
    await current.run(work, run);
    // Node.js reports the end of a timer later.
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const { rejections, longestTurn } = work;
    return {
      timers: [...work.timers.values()].filter((timer) => timer.hasRef()).length,
      rejections,
      longestTurn,
    };
  } finally {
    observed.delete(work);
    if (observed.size === 0) {
      hook.disable();
      process.off('unhandledRejection', onRejection);
      creators.clear();
    }
  }
}

/** CPU time of the process, in milliseconds: unlike a clock it stops while other processes run. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
