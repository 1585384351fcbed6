// Values in messages, without secrets.

import { MASK, maskSpans, type Span } from './spans.js';

/** Longest value in a message, in UTF-16 units. */
const MAX_VALUE_LENGTH = 200;

/** A value for a message: as JSON, on one line, with {@link maskUrls}, truncated if it is long. */
export function showValue(value: unknown): string {
  const text = maskUrls(toText(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** Masks possible secrets in the URLs of a text: user names, passwords and the values of queries. */
export const maskUrls = (text: string): string => maskSpans(text, urlSecrets(text)).text;

/** The spans that {@link maskUrls} masks. */
export function urlSecrets(text: string): Span[] {
  const spans: Span[] = [];
  // Only from the start of a word: otherwise a long word without `//` would be read again from each of its characters.
  for (const { 0: word, index } of text.matchAll(/(?<![^\s"])[^\s"]*\/\/[^\s"]*/g)) {
    const start = word.indexOf('//') + 2;
    // A password can have a slash and an @ in it.
    const end = word.lastIndexOf('@');
    if (end > start - 2) spans.push([index + start, index + end]);
    for (const { 0: pair, 1: name = '', index: at } of word.matchAll(/([?&;][^=&;#?]*=)[^&;#]+/g))
      spans.push([index + at + name.length, index + at + pair.length]);
  }
  return spans;
}

/** Masks everything after the host in the URLs of a text, for URLs with a secret path; includes {@link maskUrls}. */
export function maskPaths(text: string): string {
  return maskUrls(text).replaceAll(/(\/\/[^\s"/?#]*)[/?#][^\s"]+/g, `$1/${MASK}`);
}

/** Masks the parts of http paths in a text that can be tokens, as in the URL of a webhook; includes {@link maskUrls}. */
export function maskSegments(text: string): string {
  return maskUrls(text).replaceAll(
    /(https?:\/\/[^\s"/?#]*)(\/[^\s"?#]*)/g,
    (_, origin: string, path: string) => {
      const segments = path.split('/').map((segment) => (isWord(segment) ? segment : MASK));
      return origin + segments.join('/');
    },
  );
}

/** Whether a part of a path is not a secret: it is short, or a word such as `services`. */
export const isWord = (segment: string): boolean => segment.length < 8 || /^[a-z]{1,16}$/.test(segment);

function toText(value: unknown): string {
  // JSON has neither NaN nor bigint.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}
