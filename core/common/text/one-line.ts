// Text of errors, which can contain names from the input.

const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** Escapes the control characters of a text, which can break its line or control a terminal: line ends as `\n`, others such as `\u001b`. */
export const onOneLine = (text: string): string =>
  text.replaceAll(CONTROL, (character) =>
    character === '\n'
      ? String.raw`\n`
      : String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  );
