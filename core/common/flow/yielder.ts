/**
 * Longest run of all long work together in one turn of the event loop, in milliseconds, including the other code that ran before the work
 * was resumed. Garbage collection adds to it.
 */
const SLICE = 6;
/** Shortest run of work, in milliseconds. */
const MIN_SLICE = 4;

/**
 * Creates a function for long work to call at each step, such as a scrape or a flush of many metrics. It returns a promise to
 * await when the work has run long enough in this turn of the event loop, so that other code can run; otherwise undefined.
 *
 * @param callsPerCheck the clock is read once in this many calls
 */
export function createYielder(callsPerCheck: number): () => Promise<void> | undefined {
  let calls = 0;
  sliceStart();
  return () => {
    const isDue = calls % callsPerCheck === 0;
    calls += 1;
    return isDue && performance.now() - sliceStart() >= SLICE ? nextTurn() : undefined;
  };
}

/** When the first long work of this turn started. All work in a turn shares one slice, however many scrapes and flushes run. */
let started: number | undefined;

function sliceStart(): number {
  if (started === undefined) startSlice(performance.now());
  return started as number;
}

function startSlice(start: number): void {
  started = start;
  inNextTurn(endSlice);
}

function endSlice(): void {
  started = undefined;
}

/** Paused work, first in, first out. */
const waiting: (() => void)[] = [];
/**
 * When work first yielded after the last resumption. Until the next one, other code runs: the event loop does not wait for events while an
 * immediate is pending.
 */
let paused: number | undefined;

function nextTurn(): Promise<void> {
  return new Promise((resume) => {
    paused ??= performance.now();
    waiting.push(resume);
    if (waiting.length === 1) inNextTurn(resumeOne);
  });
}

/** Resumes one per turn, since the work of a turn shares one slice. */
function resumeOne(): void {
  const now = performance.now();
  const others = now - (paused ?? now);
  paused = undefined;
  // The immediate that ends the previous slice may come later in this turn.
  startSlice(now - Math.min(others, SLICE - MIN_SLICE));
  waiting.shift()?.();
  if (waiting.length > 0) inNextTurn(resumeOne);
}

/** Browsers have no immediates, and delay nested timeouts by 4 ms. */
function inNextTurn(call: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(call);
  else inNextMessage(call);
}

function inNextMessage(call: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    // An open port keeps a process alive.
    port1.close();
    call();
  });
  port1.start();
  port2.postMessage(undefined);
}
