// Replaces secrets in any text: known secrets in all their encodings, and text that looks like a secret.

import { maskSpans, type Masked, type Span } from '../../common/text/spans.js';
import { patternOfAll } from '../../kit/sent-secrets.js';
import { findAssigned } from './assigned.js';
import { findCredentials } from './credentials.js';
import { createKeyPartFinder, findPrivateKeys } from './private-keys.js';
import { isSecretName } from './secret-names.js';

/** The known secrets. */
export interface Secrets {
  /** Passwords, tokens, URLs and the like; at most {@link MAX_VALUES} of them. */
  readonly values: ReadonlySet<string>;
  /** Private keys: the texts of their files. */
  readonly keys: readonly string[];
}

/** Shorter values are not replaced: they also occur in ordinary words. */
export const MIN_VALUE = 4;
/** Limits the time for a text, which grows with the number of values. */
export const MAX_VALUES = 500;
/** Shorter parts of base64 also occur in ordinary text. */
const MIN_BASE64 = 8;
/** Values in one pattern: V8 is far slower with a hundred of them in one. */
const GROUP = 20;
/** Colour codes of a terminal, also escaped as in JSON. */
const COLOUR = /(?:\u001b|\\{1,15}(?:u001b|x1b|033|e))\[[\d;]{0,20}m/gi;

/** Replaces the secrets in a text. */
export type Mask = (text: string) => Masked;

/** Creates a function that replaces secrets in linear time. It also removes the colour codes of a terminal, which can be within names. */
export function createMask({ values, keys }: Secrets): Mask {
  const known = [...values].filter((value) => value.length >= MIN_VALUE);
  const groups = Array.from({ length: Math.ceil(known.length / GROUP) }, (_, index) =>
    known.slice(index * GROUP, (index + 1) * GROUP),
  );
  const patterns = groups.flatMap((group) => patternOfAll(group) ?? []);
  const encoded = groups.flatMap((group) => patternOfBase64(group) ?? []);
  const findKeyParts = createKeyPartFinder(keys);
  return (coloured) => {
    const text = coloured.replaceAll(COLOUR, '');
    const { values: assigned, names } = findAssigned(text);
    return maskSpans(
      text,
      [
        findPrivateKeys(text),
        findKeyParts(text),
        assigned,
        findCredentials(text),
        ...patterns.map((pattern) => withoutNames(matches(pattern, text), names, text)),
        ...encoded.map((pattern) => matches(pattern, text)),
      ].flat(),
    );
  };
}

const matches = (pattern: RegExp, text: string): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length]);

/**
 * Drops known values that are only words in the names of secrets: a password can be `password`, or `peer`. Both lists must be
 * sorted.
 */
function withoutNames(values: readonly Span[], names: readonly Span[], text: string): Span[] {
  let at = 0;
  return values.filter(([start, end]) => {
    while (at < names.length && names[at]![1] <= start) at += 1;
    const [nameStart, nameEnd] = names[at] ?? [Infinity, Infinity];
    if (start < nameStart || end > nameEnd) return true;
    const value = text.slice(start, end);
    return !/^[a-z]+$/i.test(value) || (value.length === nameEnd - nameStart && !isSecretName(value));
  });
}

/** A pattern for values inside base64 at any offset, as in `Basic` credentials and in a Kubernetes Secret. */
function patternOfBase64(values: readonly string[]): RegExp | undefined {
  const parts = values.flatMap((value) =>
    [0, 1, 2].flatMap((offset) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
      // Omits the characters that share bits with the text before or after the value.
      const part = bytes
        .toString('base64')
        .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
      return part.length < MIN_BASE64
        ? []
        : [part.replaceAll(/[+/]/g, (character) => (character === '+' ? '[+-]' : '[/_]'))];
    }),
  );
  // The base64 after it belongs to the same secret.
  return parts.length === 0 ? undefined : new RegExp(`(?:${parts.join('|')})[A-Za-z0-9+/_=-]*`, 'g');
}
