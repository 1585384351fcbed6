// What a bench says.

/** One figure beside its budget, where it has one. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly limit?: { readonly bound: '<=' | '>='; readonly budget: number };
  readonly note: string;
}

/** A figure and its budget. */
export function row(what: string, value: number, bound: '<=' | '>=', budget: number, note: string): Row {
  return { what, value, limit: { bound, budget }, note };
}

/** A figure that the design has no budget for. */
export function figure(what: string, value: number, note: string): Row {
  return { what, value, note };
}

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The rows as a table; a budget that was missed says so. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((each) => {
    const [budget, verdict] = judge(each);
    return `| ${each.what} | ${each.value.toFixed(2)} | ${budget} | ${verdict} | ${each.note} |`;
  });
  return ['| what | measured | budget | | |', '|---|---|---|---|---|', ...lines].join('\n');
}

function judge({ value, limit }: Row): [budget: string, verdict: string] {
  if (limit === undefined) return ['none', ''];
  const { bound, budget } = limit;
  const isKept = bound === '<=' ? value <= budget : value >= budget;
  return [`${bound} ${budget}`, isKept ? 'kept' : 'MISSED'];
}
