// The rows that a benchmark reports.

/** One measured value, with its budget where it has one. */
export interface Row {
  readonly what: string;
  readonly value: number;
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

/** The median of some values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((each) => {
    const [budget, result] = compare(each);
    return `| ${each.what} | ${each.value.toFixed(2)} | ${budget} | ${result} | ${each.note} |`;
  });
  return ['| what | measured | budget | result | note |', '|---|---|---|---|---|', ...lines].join('\n');
}

function compare({ value, limit }: Row): [budget: string, result: string] {
  if (limit === undefined) return ['none', ''];
  const { bound, budget } = limit;
  const isMet = bound === '<=' ? value <= budget : value >= budget;
  return [`${bound} ${budget}`, isMet ? 'met' : 'MISSED'];
}
