import { openSync, readSync } from 'node:fs';

const NANOSECONDS = 1e6;
const text = Buffer.alloc(128);
const file = openSchedule();

/**
 * Measures stalls of the event loop. The result returns the longest one, in milliseconds, without the time in which the system ran other
 * programs, where the system reports it.
 */
export function watchStalls(): () => number {
  let last = performance.now();
  let lastWaited = scheduled().waited;
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const nowWaited = scheduled().waited;
    longest = Math.max(longest, now - last - 1 - (nowWaited - lastWaited));
    [last, lastWaited] = [now, nowWaited];
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

/** Scheduler statistics of this thread, in milliseconds; zero where the system has none. */
export interface Scheduled {
  /** How long it ran. */
  readonly ran: number;
  /** How long it was runnable but did not run. */
  readonly waited: number;
}

/** Reads the scheduler statistics of this thread. */
export function scheduled(): Scheduled {
  if (file === undefined) return { ran: 0, waited: 0 };
  const length = readSync(file, text, 0, text.length, 0);
  const [ran, waited] = text.toString('latin1', 0, length).split(' ');
  return { ran: Number(ran) / NANOSECONDS, waited: Number(waited) / NANOSECONDS };
}

function openSchedule(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return undefined;
  }
}
