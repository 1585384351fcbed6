/** Longest stretch of work, in milliseconds, before other work gets its turn. */
const MAX_STRETCH = 5;
/** How many calls there are between two looks at the clock. */
const CALLS_PER_LOOK = 64;

/** Makes a function to call often during long work: now and then it returns a promise to wait for. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % CALLS_PER_LOOK !== 0 || performance.now() - since < MAX_STRETCH) return undefined;
    return new Promise((resume) => {
      setImmediate(() => {
        since = performance.now();
        resume();
      });
    });
  };
}
