// Parses and prints strings, URLs and IP addresses like Go, if its texts and verdicts on certificates depend on them.

import { toLatin1 } from '../../proto/bytes.js';
import type { GoVersion } from './releases.js';

/** The escapes of single characters in Go's `%q`. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\u0007', String.raw`\a`],
  ['\b', String.raw`\b`],
  ['\f', String.raw`\f`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
  ['\v', String.raw`\v`],
  ['"', String.raw`\"`],
  ['\\', String.raw`\\`],
]);

/** Formats characters 0 to 255 as Go's `%q` formats the same bytes. */
export function goQuote(latin1: string): string {
  const escaped = latin1.replaceAll(
    // eslint-disable-next-line no-control-regex
    /[^ !#-[\]-~]/g,
    (character) => ESCAPES.get(character) ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${escaped}"`;
}

/** Formats bytes that may be UTF-8 as Go's `%q`: an invalid byte as its number. */
export function goQuoteBytes(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.includes('\uFFFD') ? goQuote(toLatin1(bytes)) : JSON.stringify(text);
}

/** The result of Go's `url.Parse`: the host with the port, empty if there is none; or the text of the error. */
type GoUrl = { readonly host: string } | { readonly problem: string };

class UrlError extends Error {}

/** Parses a URL of ASCII characters with the rules of Go's net/url (`Parse`). */
export function parseGoUrl(text: string, go: GoVersion): GoUrl {
  try {
    return { host: hostOf(text, go) };
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return { problem: `parse ${goQuote(text)}: ${error.message}` };
  }
}

function hostOf(text: string, go: GoVersion): string {
  const [url, fragment] = cut(text, '#');
  // eslint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(url)) throw new UrlError('net/url: invalid control character in URL');
  const { scheme, rest: afterScheme } = schemeOf(url);
  const [rest] = cut(afterScheme, '?');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return '';
    if (cut(rest, '/')[0].includes(':')) throw new UrlError('first path segment in URL cannot contain colon');
  }
  let host = '';
  let path = rest;
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const end = rest.indexOf('/', 2);
    host = hostIn(end === -1 ? rest.slice(2) : rest.slice(2, end), scheme, go);
    path = end === -1 ? '' : rest.slice(end);
  }
  checkEscapes(path);
  checkEscapes(fragment);
  return host;
}

/** The text before and after the first separator. */
function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** `getScheme` */
function schemeOf(url: string): { scheme: string; rest: string } {
  if (url.startsWith(':')) throw new UrlError('missing protocol scheme');
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url);
  return found === null ? { scheme: '', rest: url } : { scheme: found[1]!, rest: url.slice(found[0].length) };
}

/** `parseAuthority` and `parseHost` */
function hostIn(address: string, scheme: string, go: GoVersion): string {
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1);
  const checkPort = (port: string): void => {
    if (!/^(?::\d*)?$/.test(port)) throw new UrlError(`invalid port ${goQuote(port)} after host`);
  };
  if (go >= '1.26' && host.lastIndexOf('[') > 0) throw new UrlError('invalid IP-literal');
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end === -1) throw new UrlError("missing ']' in host");
    checkPort(host.slice(end + 1));
    // Since Go 1.25.2 (CVE-2025-47912).
    if (go >= '1.25') checkIpLiteral(unescapedHost(host.slice(1, end)));
  } else if (host.includes(':')) {
    // Since Go 1.26 no other colon may be in the host of these schemes.
    const isStrict = go >= '1.26' && /^https?$/i.test(scheme);
    checkPort(host.slice(isStrict ? host.indexOf(':') : host.lastIndexOf(':')));
  }
  const unescaped = unescapedHost(host);
  if (at === -1) return unescaped;
  const user = address.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlError('net/url: invalid userinfo');
  checkEscapes(user);
  return unescaped;
}

/** Checks that a host in brackets is an IPv6 address. Go's text has further details for a text with a point or a colon. */
function checkIpLiteral(host: string): void {
  if (IPV4.test(host)) throw new UrlError('invalid IP-literal');
  if (!isIpWithZone(host))
    throw new UrlError(`invalid host: ParseAddr(${goQuote(host)}): unable to parse IP`);
}

/** Unescapes a host, in which escapes may only contain bytes that are not ASCII, or a percent sign. */
function unescapedHost(host: string): string {
  checkEscapes(host);
  const ascii = /%(?!25)[0-7][0-9a-f]/i.exec(host);
  if (ascii !== null) throw new UrlError(`invalid URL escape ${goQuote(ascii[0])}`);
  const foreign = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%]/.exec(host);
  if (foreign !== null) throw new UrlError(`invalid character ${goQuote(foreign[0])} in host name`);
  return host.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function checkEscapes(text: string): void {
  const bad = /%(?![0-9a-f]{2})[^]{0,2}/i.exec(text);
  if (bad !== null) throw new UrlError(`invalid URL escape ${goQuote(bad[0])}`);
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether a text is an IP address without a zone (`net.ParseIP`). */
export function isIpText(text: string): boolean {
  if (IPV4.test(text)) return true;
  if (!text.includes(':') || !/^[0-9a-f:.]+$/i.test(text)) return false;
  return URL.canParse(`http://[${text}]/`);
}

/** Whether a text is an IP address; one of IPv6 may have a zone, as `fe80::1%eth0` (`netip.ParseAddr`). */
export const isIpWithZone = (text: string): boolean =>
  isIpText(text.includes(':') ? text.replace(/%[^]+$/, '') : text);
