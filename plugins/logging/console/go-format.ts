// The printf verbs of Go that log patterns use, without the percent sign: flags, width, precision, verb.

const INTEGER = /^([-0]*)(\d{0,3})([dxXob])$/;
const STRING = /^(-?)(\d{0,3})(?:\.(\d{1,3}))?([sqv])$/;

/** Compiles an integer format such as `04x`. Returns undefined if it is invalid. */
export function compileIntegerFormat(format: string): ((value: number) => string) | undefined {
  const [, flags = '', width = '', verb = ''] = INTEGER.exec(format) ?? [];
  if (verb === '') return undefined;
  const base = { d: 10, x: 16, X: 16, o: 8, b: 2 }[verb] ?? 10;
  return (value) => {
    const digits = verb === 'X' ? value.toString(base).toUpperCase() : value.toString(base);
    if (flags.includes('-')) return digits.padEnd(Number(width));
    return digits.padStart(Number(width), flags.includes('0') ? '0' : ' ');
  };
}

/** Compiles a string format such as `.4s` or `q`. Returns undefined if it is invalid. */
export function compileStringFormat(format: string): ((value: string) => string) | undefined {
  const [, left = '', width = '', precision, verb = ''] = STRING.exec(format) ?? [];
  if (verb === '') return undefined;
  return (value) => {
    const cut = precision === undefined ? value : [...value].slice(0, Number(precision)).join('');
    const text = verb === 'q' ? JSON.stringify(cut) : cut;
    return left === '-' ? text.padEnd(Number(width)) : text.padStart(Number(width));
  };
}
