// Sorts names in natural order.

const RUNS = /\d+|\D+/g;

/**
 * Compares two names, for sorting: `Org2` comes before `Org10`, and `org1` beside `Org1`. An `Intl.Collator` would do nearly the same, but making one
 * takes 7 ms of CPU, a tenth of a short command.
 */
export function naturally(one: string, other: string): number {
  const [runs, others] = [runsOf(one), runsOf(other)];
  for (const [index, run] of runs.entries()) {
    const { [index]: against } = others;
    if (against === undefined) return 1;
    if (run !== against) return compareRuns(run, against) || compareTexts(one, other);
  }
  return runs.length < others.length ? -1 : compareTexts(one, other);
}

const runsOf = (name: string): readonly string[] => name.toLowerCase().match(RUNS) ?? [];

/** Numbers by their value, others by their text. */
function compareRuns(one: string, other: string): number {
  const [digits, others] = [one, other].map((run) =>
    /^\d/.test(run) ? run.replace(/^0+(?=\d)/, '') : undefined,
  );
  if (digits === undefined || others === undefined) return compareTexts(one, other);
  return digits.length - others.length || compareTexts(digits, others);
}

const compareTexts = (one: string, other: string): number => Number(one > other) - Number(one < other);
