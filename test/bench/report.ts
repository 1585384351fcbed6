// What a bench says.

/** One figure beside its budget. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly bound: '<=' | '>=';
  readonly budget: number;
  readonly note: string;
}

/** A figure and its budget. */
export function row(what: string, value: number, bound: Row['bound'], budget: number, note: string): Row {
  return { what, value, bound, budget, note };
}

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The rows as a table; a budget that was missed says so. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, value, bound, budget, note }) => {
    const kept = bound === '<=' ? value <= budget : value >= budget;
    return `| ${what} | ${value.toFixed(2)} | ${bound} ${budget} | ${kept ? 'kept' : 'MISSED'} | ${note} |`;
  });
  return ['| what | measured | budget | | |', '|---|---|---|---|---|', ...lines].join('\n');
}
