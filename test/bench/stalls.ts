import { openSync, readSync } from 'node:fs';

const NANOSECONDS = 1e6;
/** Milliseconds in the unit of time of /proc/stat. */
const TICK = 10;
/** In /proc/<pid>/stat after the name of the program; see proc_pid_stat(5). */
const PROCESSOR_FIELD = 36;
/** In a line of /proc/stat; see proc_stat(5). */
const STEAL_FIELD = 8;

const buffer = Buffer.alloc(4096);
const thread = `/proc/self/task/${process.pid}`;
const files = {
  schedule: openIfThere(`${thread}/schedstat`),
  thread: openIfThere(`${thread}/stat`),
  processors: openIfThere('/proc/stat'),
};

/**
 * Measures stalls of the event loop. The result returns the longest one, in milliseconds, without the time in which the system ran other
 * programs and the hypervisor other machines, where the system reports them. A timer that is late because the system woke the process
 * late is not a stall: the event loop did nothing meanwhile.
 *
 * @param interval milliseconds between two looks at the clock, each of which takes a few microseconds
 */
export function watchStalls(interval = 1): () => number {
  let before = lookAtClock();
  let longest = 0;
  const timer = setInterval(() => {
    const after = lookAtClock();
    const elapsed = after.now - before.now;
    const others = after.waited - before.waited + stolenBetween(before, after);
    const busy = elapsed - (after.idle - before.idle);
    longest = Math.max(longest, Math.min(elapsed - interval - others, busy));
    before = after;
  }, interval);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

/**
 * Measures the CPU time of this thread in turns of the event loop. The result returns the longest one, in milliseconds; NaN where the
 * system does not report it. It is the same while other programs run.
 */
export function watchTurns(): () => number {
  let before = ranSoFar();
  let longest = 0;
  const look = (): void => {
    longest = Math.max(longest, ranSoFar() - before);
    before = ranSoFar();
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  return () => {
    clearImmediate(next);
    return longest;
  };
}

const ranSoFar = (): number => Number(textOf(files.schedule).split(' ')[0] || Number.NaN) / NANOSECONDS;

/** The time, and how long the event loop has waited for events, in milliseconds. */
function lookAtClock(): Scheduled & { readonly now: number; readonly idle: number } {
  return { now: performance.now(), idle: performance.eventLoopUtilization().idle, ...scheduled() };
}

/** Scheduler statistics of this thread, in milliseconds; zero where the system has none. */
export interface Scheduled {
  /** How long it ran, as the system counts it: with the time in which the hypervisor ran other machines. */
  readonly ran: number;
  /** How long it was runnable but did not run. */
  readonly waited: number;
  /** The processor that it runs on. */
  readonly processor: number;
  /** For each processor, how long the hypervisor ran other machines instead. */
  readonly stolen: readonly number[];
}

/** Reads the scheduler statistics of this thread. */
export function scheduled(): Scheduled {
  const [ran, waited] = textOf(files.schedule).split(' ');
  const fields = textOf(files.thread).split(') ').at(-1)?.split(' ');
  const stolen = textOf(files.processors)
    .split('\n')
    .filter((line) => /^cpu\d/.test(line))
    .map((line) => Number(line.split(' ')[STEAL_FIELD]) * TICK);
  return {
    ran: Number(ran) / NANOSECONDS,
    waited: Number(waited ?? 0) / NANOSECONDS,
    processor: Number(fields?.[PROCESSOR_FIELD] ?? 0),
    stolen,
  };
}

/** How long the hypervisor ran other machines on the processor of this thread, in milliseconds. */
export function stolenBetween({ stolen }: Scheduled, after: Scheduled): number {
  const { processor } = after;
  return (after.stolen[processor] ?? 0) - (stolen[processor] ?? 0);
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

function textOf(file: number | undefined): string {
  if (file === undefined) return '';
  return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0));
}
