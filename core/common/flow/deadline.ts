// Deadlines that count only the time in which this process runs. While it is stopped, gets no CPU, or is blocked by a synchronous call, no
// timer fires and no response is read, so that a missing response proves nothing about the other side.

/** Longest wait between two readings of the clock, in milliseconds. */
const TICK = 500;
/** A timer that fires this much late, in milliseconds, was delayed because the process did not run. */
export const LATE = 100;

/** Cancels a timer. */
export type Cancel = () => void;

/** Options of timers. */
interface TimerOptions {
  /** Whether they keep the process alive. @default true */
  readonly ref?: boolean;
}

/**
 * Calls back at a deadline. Lost time is not counted until it adds up to the timeout, so that the deadline also passes on a host that always
 * lacks CPU. One interruption that is longer than the timeout is not counted either, if less than the timeout was lost before it.
 * @param timeout milliseconds in which the process runs
 */
export function setDeadline(
  timeout: number,
  onDeadline: () => void,
  { ref = true }: TimerOptions = {},
): Cancel {
  let timer: NodeJS.Timeout;
  let left = timeout;
  let forgiven = 0;
  // After an interruption, timers fire before received data is read.
  let grace = Math.min(timeout, LATE);
  const wait = (): void => {
    const duration = Math.min(left, TICK);
    timer = setTick(duration, ref, (late) => {
      left -= duration;
      if (late < LATE || forgiven >= timeout) {
        left -= late;
      } else {
        forgiven += late;
        if (left < grace) [left, grace] = [grace, 0];
      }
      if (left > 0) wait();
      else onDeadline();
    });
  };
  wait();
  return () => clearTimeout(timer);
}

/** Calls back twice a second. @param onTick gets the delay of the call, in milliseconds: from {@link LATE} on, the process did not run */
export function watchTicks(onTick: (late: number) => void): Cancel {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTick(TICK, false, (late) => {
      wait();
      onTick(late);
    });
  };
  wait();
  return () => clearTimeout(timer);
}

/** @param onEnd gets the delay of the timer, in milliseconds */
function setTick(duration: number, ref: boolean, onEnd: (late: number) => void): NodeJS.Timeout {
  const due = performance.now() + duration;
  const timer = setTimeout(() => onEnd(Math.max(0, performance.now() - due)), duration);
  return ref ? timer : timer.unref();
}
