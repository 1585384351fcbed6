// Deadlines that count only the time in which this process runs. While it is stopped, gets no CPU, or is blocked by a synchronous call, no
// timer fires and no response is read: that says nothing about what it waits for.

/** Longest wait between two looks at the clock, in milliseconds. */
const TICK = 500;
/** A timer that fires this much late, in milliseconds, was delayed because the process did not run. */
const LATE = 100;
/** How many interruptions a deadline does not count. Further ones count, so that it ends on a host that always lacks CPU. */
const MAX_INTERRUPTIONS = 10;

/** Cancels a timer. */
export type Cancel = () => void;

/** How the timers of a function behave. */
interface TimerOptions {
  /** Whether they keep the process alive. @default true */
  readonly ref?: boolean;
}

/**
 * Calls back at a deadline.
 *
 * @param timeout milliseconds in which the process runs
 */
export function setDeadline(
  timeout: number,
  onDeadline: () => void,
  { ref = true }: TimerOptions = {},
): Cancel {
  let timer: NodeJS.Timeout;
  let left = timeout;
  let interruptions = 0;
  const wait = (): void => {
    const duration = Math.min(left, TICK);
    timer = setTick(duration, ref, (lost) => {
      if (lost === 0) left -= duration;
      else if (interruptions < MAX_INTERRUPTIONS) interruptions += 1;
      else left -= duration + lost;
      if (left > 0) wait();
      else onDeadline();
    });
  };
  wait();
  return () => clearTimeout(timer);
}

/** Calls back each time that the process did not run, with the duration in milliseconds. */
export function watchInterruptions(onInterruption: (lost: number) => void): Cancel {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTick(TICK, false, (lost) => {
      wait();
      if (lost > 0) onInterruption(lost);
    });
  };
  wait();
  return () => clearTimeout(timer);
}

/** @param onEnd its argument is how late the timer is; 0: it is not */
function setTick(duration: number, ref: boolean, onEnd: (lost: number) => void): NodeJS.Timeout {
  const due = performance.now() + duration;
  const timer = setTimeout(() => {
    const late = performance.now() - due;
    onEnd(late < LATE ? 0 : late);
  }, duration);
  return ref ? timer : timer.unref();
}
