// Finds private keys in a text, also with log prefixes, JSON or escaped line ends between their lines.

import type { Span } from '../../common/text/spans.js';

/** Most UTF-16 units between the first and the last line of a key; a key of 4096 bits has 3,300 without prefixes. */
const MAX_KEY = 32 * 1024;
/** Length of the parts of a known key that are searched, in characters of base64. */
const PART = 16;
/** The common start of all private keys on the curve P-256: it is not secret, and partly in certificates as well. */
const COMMON = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg';

/** The first and the last line of a key: of PEM, PGP and SSH2, also in a URL. */
const FIRST_OR_LAST =
  /-{4,5} ?(BEGIN|END)(?:[ +_]|%20)(?:[A-Z0-9]{1,20}(?:[ +_]|%20)){0,4}PRIVATE(?:[ +_]|%20)KEY(?:[ +_]|%20)?(?:BLOCK)?(?: ?-{4,5})?/g;
/** The base64 of a PEM file, as in a Secret of Kubernetes. */
const ENCODED_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/_-]{20,}={0,2}/g;
/** The base64 of PKCS#8, PKCS#8 with a password, SEC 1 and PKCS#1, without the lines of PEM. */
const ENCODED_KEY =
  /(?<![A-Za-z0-9+/])M(?:HcCAQEEI|C4CAQAwBQYDK2V|I[GH][A-Za-z0-9+/]AgE(?:AMB[AM]GByqGSM49|BB[DE])|II[A-Za-z0-9+/]{3}IBA(?:AK|DAN)|II[A-Za-z0-9+/]{3}B[A-Z]BgkqhkiG9w0B[BD]|I[GH][A-Za-z0-9+/]M[A-Z0-9]{2}GCSqGSIb3DQE[FM])[A-Za-z0-9+/]{24,}={0,2}/g;
/** A key in a file; the size is limited. */
const PEM_KEY = /-----BEGIN [^-\n]*PRIVATE KEY-----([^]{0,16384}?)-----END/g;
const BASE64 = /[A-Za-z0-9+/]{16,}={0,2}/g;

/**
 * Finds private keys in a text: from the first line of a key to its last line, or up to {@link MAX_KEY} without a last line. For a key
 * without a first line, as in the end of a log, the text before the last line, up to {@link MAX_KEY}.
 */
export function findPrivateKeys(text: string): Span[] {
  const spans: Span[] = [];
  let [from, first]: [number, number | undefined] = [0, undefined];
  const close = (): void => {
    if (first !== undefined) spans.push([first, Math.min(first + MAX_KEY, text.length)]);
    first = undefined;
  };
  for (const { 0: line, 1: which, index } of text.matchAll(FIRST_OR_LAST)) {
    if (first !== undefined && index - first > MAX_KEY) close();
    if (which === 'BEGIN') first ??= index;
    else {
      const end = index + line.length;
      spans.push([first ?? Math.max(from, index - MAX_KEY), end]);
      [from, first] = [end, undefined];
    }
  }
  close();
  for (const { 0: run, index } of text.matchAll(ENCODED_PEM))
    if (/PRIVATE KEY/.test(Buffer.from(run.slice(0, 80), 'base64').toString('latin1')))
      spans.push([index, index + run.length]);
  for (const { 0: run, index } of text.matchAll(ENCODED_KEY)) spans.push([index, index + run.length]);
  return spans;
}

/** Creates a function that finds parts of known keys. @param keys the texts of their files */
export function createKeyPartFinder(keys: readonly string[]): (text: string) => Span[] {
  const parts = partsOf(keys);
  if (parts.size === 0) return () => [];
  const isOfKey = (run: string): boolean => {
    for (let at = 0; at + PART <= run.length; at += 1) if (parts.has(run.slice(at, at + PART))) return true;
    return false;
  };
  return (text) =>
    [...text.matchAll(BASE64)].flatMap(({ 0: run, index }) =>
      isOfKey(run) ? [[index, index + run.length] as const] : [],
    );
}

/** All secret parts of the base64 of PEM files. */
function partsOf(keys: readonly string[]): ReadonlySet<string> {
  const parts = new Set<string>();
  for (const text of keys)
    for (const [, body = ''] of text.matchAll(PEM_KEY)) {
      // A key with a password can have headers.
      const base64 = body.replaceAll(/^.*:.*$/gm, '').replaceAll(/[\s=]+/g, '');
      for (let at = 0; at + PART <= base64.length; at += 1) {
        const part = base64.slice(at, at + PART);
        if (!COMMON.includes(part)) parts.add(part);
      }
    }
  return parts;
}
