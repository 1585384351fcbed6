/** Longest stretch of long work in one turn of the event loop that it begins in, in milliseconds, before other work gets its turn. */
const FIRST_STRETCH = 5;
/** Longest stretch in one turn that it goes on in: more, so that it comes to an end where the rest of each turn takes long, too. */
const NEXT_STRETCH = 10;

/**
 * Makes a function to call again and again during long work, a scrape or a flush of many metrics: when such work has gone on for
 * long enough it returns a promise to wait for, so that other work gets its turn.
 *
 * @param callsPerLook how many calls there are between two looks at the clock
 */
export function createYielder(callsPerLook: number): () => Promise<void> | undefined {
  let calls = 0;
  stretchBegan();
  return () => {
    calls += 1;
    return calls % callsPerLook !== 0 || performance.now() - stretchBegan() < longest
      ? undefined
      : nextTurn();
  };
}

/** When the first long work of this turn began: all of it shares one stretch, however many scrapes and flushes there are. */
let began: number | undefined;
let longest = FIRST_STRETCH;

function stretchBegan(): number {
  if (began === undefined) {
    began = performance.now();
    setImmediate(endStretch);
  }
  return began;
}

function endStretch(): void {
  began = undefined;
  longest = FIRST_STRETCH;
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
  // The end of the stretch before may come later in this turn.
  endStretch();
  longest = NEXT_STRETCH;
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOne);
}
