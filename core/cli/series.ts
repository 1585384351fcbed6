// Reads one family of the text format of Prometheus, as this agent writes it.

/** One series: its labels and its value. */
export interface Series {
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const LINE = /^(\w+)\{(.*)\} ([0-9.e+-]+)$/gm;
/** Begins where a word begins, or a long word without a value would be read again from each of its characters. */
const LABEL = /(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"/g;
const ESCAPED = /\\(.)/g;

/** The series of a family in the body of `/metrics`. */
export function seriesIn(metrics: string, family: string): Series[] {
  return [...metrics.matchAll(LINE)]
    .filter(([, name]) => name === family)
    .map(([, , text = '', value]) => ({
      labels: new Map([...text.matchAll(LABEL)].map(([, name = '', label = '']) => [name, unescaped(label)])),
      value: Number(value),
    }));
}

const unescaped = (label: string): string =>
  label.replaceAll(ESCAPED, (_, character: string) => (character === 'n' ? '\n' : character));
