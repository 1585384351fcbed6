// Words of errors, which have names out of the input in them.

const BREAKS_OR_SPEAKS = /[\p{Cc}\u2028\u2029]/gu;

/** A text that neither breaks its line nor speaks to a terminal: line ends become `\n`, other control characters such as `\u001b`. */
export const onOneLine = (text: string): string =>
  text.replaceAll(BREAKS_OR_SPEAKS, (character) =>
    character === '\n'
      ? String.raw`\n`
      : String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  );
