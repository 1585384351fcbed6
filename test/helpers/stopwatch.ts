import type { ExecutionContext } from 'ava';

/** Time between two readings of the clock, in milliseconds. */
const STEP = 20;
/** Longest time between two readings that is counted. */
const LONGEST_STEP = 100;

/**
 * Starts to measure how long a test waits, for an upper bound. The time in which this process does not run, because the machine stands
 * still or is busy, counts at most {@link LONGEST_STEP} each time.
 *
 * @returns the milliseconds since the start
 */
export function startStopwatch(t: ExecutionContext): () => number {
  let elapsed = 0;
  let last = performance.now();
  const read = (): number => {
    const now = performance.now();
    elapsed += Math.min(now - last, LONGEST_STEP);
    last = now;
    return elapsed;
  };
  const timer = setInterval(read, STEP);
  t.teardown(() => clearInterval(timer));
  return read;
}

/**
 * Runs synchronous work and returns the CPU time that this process used meanwhile, in milliseconds: an upper bound on it holds on a
 * busy machine too.
 */
export function cpuTimeOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
