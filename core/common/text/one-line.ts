// Text for users that contains names from input.

/**
 * Characters that break a line, control a terminal, or change how the text around them is shown: control and format characters (such as
 * U+202E, which reverses the order, and U+200B, which has no width), separators other than the space, and code points that are not characters.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Matches most texts, so that these do not wait for the compilation of the other pattern. */
const VISIBLE = /^[ -~]*$/;

/** Escapes invisible characters in a text: line ends as `\n`, others such as `\u202e`. */
export function onOneLine(text: string): string {
  if (VISIBLE.test(text)) return text;
  return text.replaceAll(HIDDEN, (character) => {
    if (character === '\n') return String.raw`\n`;
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 4 ? String.raw`\u{${code}}` : String.raw`\u${code.padStart(4, '0')}`;
  });
}

/** Like {@link onOneLine}, for each line of a text. Keeps tabs. */
export const visibleLines = (text: string): string =>
  VISIBLE.test(text) ? text : text.replaceAll(/[^\n\t]+/g, onOneLine);

/**
 * The lines of a text joined by spaces, without the whitespace around the line ends. A pattern with a line end between whitespace would
 * take time that grows with the square of a run of spaces.
 */
export const joinLines = (text: string): string =>
  text.replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));
