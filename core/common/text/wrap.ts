// Lines for a terminal of a known width.

/** The indentation of all parts of a line except the first. */
const INDENT = '  ';

/**
 * Breaks a line at spaces, so that no part is longer than a width, in UTF-16 units; a longer word is broken anywhere. All parts except the
 * first are indented.
 */
export function wrapLine(line: string, width: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > width && rest.length > INDENT.length + 1) {
    const space = rest.lastIndexOf(' ', width);
    const isWord = rest.slice(0, Math.max(space, 0)).trim() === '';
    const end = isWord ? wordEnd(rest, Math.max(width, INDENT.length + 1)) : space;
    parts.push(rest.slice(0, end).trimEnd());
    rest = `${INDENT}${rest.slice(end).trimStart()}`;
  }
  return [...parts, rest];
}

/** The given end, or the position before it if the end is inside a character of two units. */
const wordEnd = (text: string, end: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
