/** Longest stretch of work in one turn of the event loop, in milliseconds, before other work gets its turn. */
const MAX_STRETCH = 8;

/**
 * Makes a function to call again and again during long work, a scrape or a flush of many metrics: when such work has gone on for
 * long enough it returns a promise to wait for, so that other work gets its turn.
 *
 * @param callsPerLook how many calls there are between two looks at the clock
 */
export function createPause(callsPerLook: number): () => Promise<void> | undefined {
  let calls = 0;
  stretchBegan();
  return () => {
    calls += 1;
    return calls % callsPerLook !== 0 || performance.now() - stretchBegan() < MAX_STRETCH
      ? undefined
      : nextTurn();
  };
}

/** When the first long work of this turn began: all of it shares one stretch, however many scrapes and flushes there are. */
let began: number | undefined;

function stretchBegan(): number {
  if (began === undefined) {
    began = performance.now();
    setImmediate(() => (began = undefined));
  }
  return began;
}

/** Work that waits to go on, in the order in which it paused. */
const waiting: (() => void)[] = [];

function nextTurn(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(resumeOne);
  });
}

/** One in each turn, for the same reason. */
function resumeOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOne);
}
