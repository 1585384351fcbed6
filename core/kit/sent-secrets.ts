// Removes the secrets of a request from quoted responses: servers and proxies repeat requests in their error pages.

import { isWord } from '../common/text/value.js';

/** The parts of a request that can contain secrets. */
export interface Sent {
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets in the body. */
  readonly secrets?: readonly string[] | undefined;
}

/** The part of a text that is searched, in UTF-16 units. Messages quote less. */
const MAX_SEARCHED = 8 * 1024;
/** Shorter values are not replaced: they are ordinary words, not secrets. */
const MIN_VALUE = 4;
/** How much of a long value is compared, in UTF-16 units; the rest up to the next space is replaced as well. */
const MAX_COMPARED = 256;
/** Headers that describe the body. */
const ORDINARY: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
]);

/**
 * Replaces the secrets of a request by `…` in a text of its server, such as an error page: the path, its longer segments, the query and its
 * values, the values of headers and the secrets in the body, as they were sent, percent-encoded, or escaped as in HTML or JSON. Returns
 * only the beginning of a long text.
 */
export function withoutSecrets(text: string, sent: Sent): string {
  const searched = text.slice(0, MAX_SEARCHED);
  const pattern = patternOfAll(secretsOf(sent));
  if (pattern === undefined) return searched;
  const result = searched.replaceAll(pattern, '…');
  // The text can end with the beginning of a value.
  return searched.length === text.length ? result : result.slice(0, result.lastIndexOf('…') + 1) || searched;
}

/**
 * A pattern of values in all forms that {@link withoutSecrets} replaces.
 *
 * @returns undefined if there are no values
 */
export function patternOfAll(values: readonly string[]): RegExp | undefined {
  if (values.length === 0) return undefined;
  const longestFirst = values.toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(patternOf).join('|'), 'gi');
}

/** The values of a request that may be secret, not percent-encoded, without values that are too short. */
export function secretsOf({ path, headers, secrets = [] }: Sent): string[] {
  const [, pathname = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(path) ?? [];
  const segments = pathname.split('/').filter((each) => !isWord(each));
  const ofQuery = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) =>
    ORDINARY.has(name.toLowerCase()) ? [] : [value, ...credentialsIn(value)],
  );
  const all = [...[pathname, ...segments, query, ...ofQuery].map(decoded), ...ofHeaders, ...secrets];
  return [...new Set(all.filter((value) => value.length >= MIN_VALUE))];
}

/** The credentials after the scheme in a header such as `Authorization`; for `Basic` also the user name and the password. */
function credentialsIn(value: string): string[] {
  const [, scheme = '', credentials = ''] = /^(\S+) +(.+)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const pair = Buffer.from(credentials, 'base64').toString();
  return [credentials, pair, pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Each level of JSON in JSON doubles the backslashes; a fixed limit of them keeps the time linear. */
const patternOf = (value: string): string =>
  (value.slice(0, MAX_COMPARED).match(/\\+|[^]/gu) ?? []).map(anyForm).join('') +
  (value.length > MAX_COMPARED ? String.raw`\S*` : '');

/** The names of characters in HTML. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

/** Escapes of characters in JSON and shells. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
]);

/** A pattern of all forms of a character, or of a run of backslashes: as it is, percent-encoded once or repeatedly, and escaped as in HTML, JSON or a form. */
function anyForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join('');
  const units = Array.from(
    { length: character.length },
    (_, index) => String.raw`\\u${hex(character.charCodeAt(index), 4)}`,
  ).join('');
  const escape = ESCAPES.get(character);
  const named = ENTITIES.get(character);
  const forms = [
    ...(named === undefined ? [] : [named]),
    ...(character === ' ' || character === '+' ? [' ', String.raw`\+`] : []),
    character.startsWith('\\') ? String.raw`\\{1,64}` : String.raw`\\{0,15}${literalOf(character)}`,
    ...(escape === undefined ? [] : [String.raw`\\{1,15}${escape}`]),
    bytes,
    `&(?:amp;)*#0*${code};`,
    `&(?:amp;)*#x0*${hex(code, 1)};`,
    units,
  ];
  return `(?:${forms.join('|')})`;
}

const literalOf = (character: string): string =>
  character.replace(/[^A-Za-z0-9\u0080-\uffff]/, String.raw`\$&`);

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
