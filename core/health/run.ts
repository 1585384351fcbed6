import { createYielder } from '../contract/index.js';
import type { Component, FailedCheck, Outcome } from './component.js';
import type { Deadlines } from './deadline.js';

/** How many checks are started between two reads of the clock. Those of 100 nodes send 100 requests. */
const CHECKS_PER_CLOCK_READ = 8;

/**
 * Runs checks concurrently. Many are started over several turns of the event loop.
 *
 * @param maxAge a check that ended at most this many milliseconds ago does not run again
 * @param deadlines of no other run at the same time
 * @param summarize called once with everything that failed
 * @returns what `summarize` returned, synchronously when there are few checks and each is synchronous, because a promise costs
 *   more than an instant check
 */
export function runChecks<Report>(
  components: Iterable<Component>,
  deadlines: Deadlines,
  maxAge: number,
  summarize: (failed: FailedCheck[]) => Report,
): Report | Promise<Report> {
  deadlines.begin();
  const failed: FailedCheck[] = [];
  // One more than the checks, because some checks finish before others are called.
  let pending = 1;
  let onFinished: (() => void) | undefined;
  const onOutcome = (outcome: Outcome): void => {
    if (outcome.length > 0) failed.push(...outcome);
    pending -= 1;
    if (pending === 0) onFinished?.();
  };
  const rest = components[Symbol.iterator]();
  let started = 0;
  let yieldIfDue: ReturnType<typeof createYielder> | undefined;
  const start = (): void => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      pending += 1;
      const recent = maxAge > 0 ? next.value.recent(maxAge) : undefined;
      if (recent === undefined) next.value.run(deadlines, onOutcome);
      else onOutcome(recent);
      started += 1;
      if (started % CHECKS_PER_CLOCK_READ !== 0) continue;
      // Not created for a few checks, which it would slow down.
      yieldIfDue ??= createYielder(1);
      const nextTurn = yieldIfDue();
      if (nextTurn !== undefined) return void nextTurn.then(start);
    }
    onOutcome([]);
  };
  start();
  if (pending === 0) return summarize(failed);
  // One promise for all checks: one per check costs more than most checks.
  return new Promise((resolve) => {
    onFinished = () => {
      deadlines.end();
      resolve(summarize(failed));
    };
  });
}
