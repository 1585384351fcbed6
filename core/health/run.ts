import type { Component, FailedCheck, Outcome } from './component.js';
import type { Deadlines } from './deadline.js';

/**
 * Runs checks concurrently.
 *
 * @param maxAge a check that ended at most this many milliseconds ago does not run again
 * @param deadlines of no other run at the same time
 * @param summarize called once with everything that failed
 * @returns what `summarize` returned, synchronously when every check is synchronous, because a promise costs more than an instant
 *   check
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
  for (const component of components) {
    pending += 1;
    const recent = maxAge > 0 ? component.recent(maxAge) : undefined;
    if (recent === undefined) component.run(deadlines, onOutcome);
    else onOutcome(recent);
  }
  onOutcome([]);
  if (pending === 0) return summarize(failed);
  // One promise for all checks: one per check costs more than most checks.
  return new Promise((resolve) => {
    onFinished = () => {
      deadlines.end();
      resolve(summarize(failed));
    };
  });
}
