/** Longest stretch of work in the turn of the event loop in which it starts, in milliseconds. */
const FIRST_STRETCH = 5;
/** Longest stretch in each later turn. It is longer, so that the work also finishes when the rest of each turn takes long. */
const NEXT_STRETCH = 10;

/**
 * Creates a function to call repeatedly during long work, such as a scrape or a flush of many metrics. When the work has run for long
 * enough, the function returns a promise to await, so that other work can run.
 *
 * @param callsPerCheck after how many calls it reads the clock
 */
export function createYielder(callsPerCheck: number): () => Promise<void> | undefined {
  let calls = 0;
  startOfStretch();
  return () => {
    calls += 1;
    return calls % callsPerCheck !== 0 || performance.now() - startOfStretch() < longest
      ? undefined
      : nextTurn();
  };
}

/** When the first long work of this turn started. All work in one turn shares one stretch, however many scrapes and flushes run. */
let start: number | undefined;
let longest = FIRST_STRETCH;

function startOfStretch(): number {
  if (start === undefined) {
    start = performance.now();
    setImmediate(endStretch);
  }
  return start;
}

function endStretch(): void {
  start = undefined;
  longest = FIRST_STRETCH;
}

/** Paused work, in the order in which it paused. */
const paused: (() => void)[] = [];

function nextTurn(): Promise<void> {
  return new Promise((resume) => {
    paused.push(resume);
    if (paused.length === 1) setImmediate(resumeOne);
  });
}

/** Resumes one per turn, because all work in one turn shares one stretch. */
function resumeOne(): void {
  // The `setImmediate` of the last stretch may come later in this turn.
  endStretch();
  longest = NEXT_STRETCH;
  paused.shift()?.();
  if (paused.length > 0) setImmediate(resumeOne);
}
