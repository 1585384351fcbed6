// The part of Go's printf that log formats use: one verb with flags, width and precision, without its percent sign.

const INTEGER = /^([-0]*)(\d{0,3})([dxXob])$/;
const STRING = /^(-?)(\d{0,3})(?:\.(\d{1,3}))?([sqv])$/;

/** Makes a function that writes integers, such as `04x`; undefined when the format is not one. */
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

/** Makes a function that writes text, such as `.4s` or `q`; undefined when the format is not one. */
export function compileStringFormat(format: string): ((value: string) => string) | undefined {
  const [, left = '', width = '', precision, verb = ''] = STRING.exec(format) ?? [];
  if (verb === '') return undefined;
  return (value) => {
    const cut = precision === undefined ? value : [...value].slice(0, Number(precision)).join('');
    const text = verb === 'q' ? JSON.stringify(cut) : cut;
    return left === '-' ? text.padEnd(Number(width)) : text.padStart(Number(width));
  };
}
