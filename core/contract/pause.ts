/** Longest stretch of work, in milliseconds, before other work gets its turn. */
const MAX_STRETCH = 5;

/**
 * Makes a function to call again and again during long work, a scrape or a flush of many metrics: when the work has gone on for
 * long enough it returns a promise to wait for, so that other work gets its turn.
 *
 * @param callsPerLook how many calls there are between two looks at the clock
 */
export function createPause(callsPerLook: number): () => Promise<void> | undefined {
  let since = performance.now();
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % callsPerLook !== 0 || performance.now() - since < MAX_STRETCH) return undefined;
    return new Promise((resume) => {
      setImmediate(() => {
        since = performance.now();
        resume();
      });
    });
  };
}
