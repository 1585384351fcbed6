// The rows that a benchmark reports.

/** One measured value, with its budget where it has one. */
export interface Row {
  readonly what: string;
  /** Missing when the measurement failed; the note is then the error. */
  readonly value?: number;
  readonly limit?: { readonly bound: '<=' | '>='; readonly budget: number };
  readonly note: string;
}

/** A value with a budget. */
export function row(what: string, value: number, bound: '<=' | '>=', budget: number, note: string): Row {
  return { what, value, limit: { bound, budget }, note };
}

/** A value without a budget. */
export function rowWithoutBudget(what: string, value: number, note: string): Row {
  return { what, value, note };
}

/** A measurement that failed. */
export function failedRow(what: string, error: string): Row {
  return { what, note: error };
}

/** The median of some values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The first two lines of the table of rows. */
export const TABLE_HEAD = '| what | measured | budget | result | note |\n|---|---|---|---|---|';

/** A row as a line of the table. */
export function tableLine({ what, value, limit, note }: Row): string {
  // An error can have several lines.
  const text = note
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`);
  if (value === undefined) return `| ${what} |  |  | FAILED | ${text} |`;
  const [budget, result] = compare(value, limit);
  return `| ${what} | ${value.toFixed(2)} | ${budget} | ${result} | ${text} |`;
}

function compare(value: number, limit: Row['limit']): [budget: string, result: string] {
  if (limit === undefined) return ['none', ''];
  const { bound, budget } = limit;
  const isMet = bound === '<=' ? value <= budget : value >= budget;
  return [`${bound} ${budget}`, isMet ? 'met' : 'MISSED'];
}
