// Numbers of the Prometheus text format, which are those of Go in decimal.

const ZERO = 48;
const NINE = 57;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['+Inf', Infinity],
  ['Inf', Infinity],
  ['-Inf', -Infinity],
]);
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses a number; undefined when the text is not one, or when it is too large for one. */
export function parseNumber(text: string): number | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return SPECIAL.get(text);
  // What `Number` accepts in addition (whitespace, `0x1`, the empty string) has no digit in one of these places.
  const isPlain =
    isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(text.length - 1)) && !(text.charCodeAt(1) > NINE);
  return isPlain || DECIMAL.test(text) ? value : undefined;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
