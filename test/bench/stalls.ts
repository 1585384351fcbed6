import { openSync, readSync } from 'node:fs';

const NANOSECONDS = 1e6;
const text = Buffer.alloc(128);
const file = openSchedule();

/**
 * Watches the event loop: the result tells the longest time, in milliseconds, that it was not free. Time in which the system ran
 * other programs instead of this one is not counted, where it says how much that was.
 */
export function watchStalls(): () => number {
  let last = performance.now();
  let lastWaited = waited();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const nowWaited = waited();
    longest = Math.max(longest, now - last - 1 - (nowWaited - lastWaited));
    [last, lastWaited] = [now, nowWaited];
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

function openSchedule(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return undefined;
  }
}

/** How long this thread was ready and did not run since it began, in milliseconds. */
function waited(): number {
  if (file === undefined) return 0;
  const length = readSync(file, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, length).split(' ')[1]) / NANOSECONDS;
}
