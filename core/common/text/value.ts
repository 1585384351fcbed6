/** Longest value in a message, in UTF-16 units. */
const MAX_VALUE_LENGTH = 200;

/** A value for a message: as JSON, on one line, with {@link maskUrls}, cut when it is long. */
export function showValue(value: unknown): string {
  const text = maskUrls(toText(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** Hides what may be secret in the URLs of a text: user names, passwords and the values of queries. */
export function maskUrls(text: string): string {
  // From the beginning of a word: or a long word without `//` would be read again from each of its characters.
  return text.replaceAll(/(?<![^\s"])[^\s"]*\/\/[^\s"]*/g, (word) =>
    hideCredentials(word).replaceAll(/([?&;][^=&;#?]*=)[^&;#]+/g, '$1********'),
  );
}

/** Hides what follows the host in the URLs of a text, for URLs whose path is a secret, and what {@link maskUrls} hides. */
export function maskPaths(text: string): string {
  return maskUrls(text).replaceAll(/(\/\/[^\s"/?#]*)[/?#][^\s"]+/g, '$1/********');
}

/** Hides the user name and the password of a URL. A password can have a slash and an @ in it. */
function hideCredentials(word: string): string {
  const start = word.indexOf('//');
  const end = word.lastIndexOf('@');
  return start === -1 || end < start ? word : `${word.slice(0, start)}//********${word.slice(end)}`;
}

function toText(value: unknown): string {
  // JSON has neither NaN nor bigint.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}
