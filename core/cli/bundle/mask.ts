// Replaces secrets in texts of any origin: the known ones in all forms, and what looks like one.

import { maskUrls } from '../../common/text/value.js';
import { patternOfAll } from '../../kit/sent-secrets.js';
import { MASK } from '../config.js';

/** What must not be in a text. */
export interface Secrets {
  /** Passwords, tokens, URLs and the like. */
  readonly values: ReadonlySet<string>;
  /** Private keys: the texts of their files. */
  readonly keys: readonly string[];
}

/** Shorter values are not replaced: they are parts of ordinary words, and no secrets. */
export const MIN_VALUE = 4;
/** Length of the parts of a private key that are searched, in characters of base64. */
const PART = 16;
const BASE64_RUN = /[A-Za-z0-9+/]{16,}={0,2}/g;
/** The beginning that all private keys on a curve have: it is not secret, and certificates have a part of it. */
const COMMON = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg';

/** Characters between the first and the last line of a key, also in JSON, with a margin in a log. */
const KEY_CHARACTERS = String.raw`[A-Za-z0-9+/=\s\\:,.-]`;
const KEY_END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY-----/g;
/** Up to its last line, or as far as it can reach. */
const KEY_WITH_START = new RegExp(
  String.raw`-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----(?:${KEY_CHARACTERS}*?${KEY_END.source}|${KEY_CHARACTERS}*)`,
  'g',
);
const KEY_CHARACTER = new RegExp(KEY_CHARACTERS);

/** `password: x`, `"token":"x"`, `secret=x`, `CORE_…_PASSWORD=x`, with what is before the value. */
const ASSIGNED =
  /((?<![\w.-])[\w.-]{0,60}?(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|credential|authorization|_pin)[\w.-]{0,20}\\?["']?\s{0,3}[:=]\s{0,3})(\\?"[^"\n]*"?|'[^'\n]*'?|(?:bearer|basic|digest|token)\s+[^\s"',;]+|[^\s"',;}\])]+)/gi;
/** The end of a name whose value is a path. */
const NAMES_FILE = /(?:file|path|dir)s?\\?["']?\s*[:=]\s*$/i;
const SCHEME = /\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi;
/** A JSON Web Token. */
const JWT = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;

/** Creates a function that replaces secrets in a text. Its time is linear in the length of the text. */
export function createMask({ values, keys }: Secrets): (text: string) => string {
  const known = patternOfAll([...values].filter((value) => value.length >= MIN_VALUE));
  const parts = partsOf(keys);
  const isOfKey = (run: string): boolean => {
    for (let at = 0; at + PART <= run.length; at += 1) if (parts.has(run.slice(at, at + PART))) return true;
    return false;
  };
  return (text) => {
    let masked = withoutKeyEnds(text.replaceAll(KEY_WITH_START, MASK));
    if (known !== undefined) masked = masked.replaceAll(known, MASK);
    if (parts.size > 0) masked = masked.replaceAll(BASE64_RUN, (run) => (isOfKey(run) ? MASK : run));
    return maskUrls(
      masked
        .replaceAll(ASSIGNED, (all: string, before: string, value: string) =>
          NAMES_FILE.test(before) ? all : `${before}${quoted(value)}`,
        )
        .replaceAll(SCHEME, `$1 ${MASK}`)
        .replaceAll(JWT, MASK),
    );
  };
}

/** The mask with the quotes of a value, so that JSON stays JSON. */
function quoted(value: string): string {
  const [quote = ''] = /^\\?["']/.exec(value) ?? [];
  return `${quote}${MASK}${quote !== '' && value.endsWith(quote.at(-1) ?? '') ? quote : ''}`;
}

/** Replaces the ends of private keys whose beginning is not in the text, as in the end of a log. */
function withoutKeyEnds(text: string): string {
  let result = '';
  let from = 0;
  for (const { 0: end, index } of text.matchAll(KEY_END)) {
    let start = index;
    while (start > from && KEY_CHARACTER.test(text[start - 1] ?? '')) start -= 1;
    result += `${text.slice(from, start)}${MASK}`;
    from = index + end.length;
  }
  return result + text.slice(from);
}

/** All parts of the base64 of PEM files that are secret. */
function partsOf(keys: readonly string[]): ReadonlySet<string> {
  const parts = new Set<string>();
  for (const text of keys)
    for (const [, body = ''] of text.matchAll(/-----BEGIN [^-\n]*PRIVATE KEY-----([A-Za-z0-9+/=\s]*)/g)) {
      const base64 = body.replaceAll(/[\s=]+/g, '');
      for (let at = 0; at + PART <= base64.length; at += 1) {
        const part = base64.slice(at, at + PART);
        if (!COMMON.includes(part)) parts.add(part);
      }
    }
  return parts;
}
