// Words of errors, which have names out of the input in them.

/** A text that neither breaks its line nor speaks to a terminal. */
export const onOneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (character) =>
    character === '\n'
      ? String.raw`\n`
      : String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  );
