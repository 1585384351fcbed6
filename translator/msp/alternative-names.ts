// Parses the alternative names of certificates, like Go's crypto/x509/parser.go (`forEachSAN`, `parseSANExtension`).

import { context, SEQUENCE } from '../../core/common/certificates/der.js';
import { toLatin1 } from '../../proto/bytes.js';
import { badCertificate, DerReader } from './der.js';
import type { GoVersion } from './releases.js';
import { goQuote, parseGoUrl } from './go-text.js';

/** The tags of the kinds of names that Go reads. */
export const EMAIL = context(1, false);
export const DNS = context(2, false);
export const URI = context(6, false);
export const IP = context(7, false);

/** A name: the tag of its kind, and its bytes. */
export interface AlternativeName {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** The names in a subjectAltName extension, of all kinds. @throws TranslateError with Go's text */
export function alternativeNames(value: Uint8Array, go: GoVersion): readonly AlternativeName[] {
  const names: AlternativeName[] = [];
  const list = new DerReader(value).enter(SEQUENCE, 'x509: invalid subject alternative names');
  while (!list.isEmpty) {
    const element = list.next();
    if (element === undefined) throw badCertificate('x509: invalid subject alternative name');
    names.push({ tag: element.tag, content: element.content });
    checkName(names.at(-1)!, go);
  }
  return names;
}

/** Whether Go reads names of this kind. */
export const isKnownKind = ({ tag }: AlternativeName): boolean => [EMAIL, DNS, URI, IP].includes(tag);

/** @throws TranslateError with Go's text for a malformed name */
function checkName({ tag, content }: AlternativeName, go: GoVersion): void {
  const isAscii = content.every((byte) => byte < 0x80);
  if (tag === EMAIL && !isAscii) throw badCertificate('x509: SAN rfc822Name is malformed');
  if (tag === DNS && !(isAscii && (go !== '1.25' || isStrictDomain(toLatin1(content)))))
    throw badCertificate('x509: SAN dNSName is malformed');
  if (tag === URI) {
    if (!isAscii) throw badCertificate('x509: SAN uniformResourceIdentifier is malformed');
    checkUri(toLatin1(content), go);
  }
  if (tag === IP && content.length !== 4 && content.length !== 16)
    throw badCertificate(`x509: cannot parse IP address of length ${content.length}`);
}

function checkUri(text: string, go: GoVersion): void {
  const url = parseGoUrl(text, go);
  const failure = `x509: cannot parse URI ${goQuote(text)}`;
  if ('problem' in url) throw badCertificate(`${failure}: ${url.problem}`);
  if (url.host !== '' && !isDomain(url.host, go)) throw badCertificate(`${failure}: invalid domain`);
}

/** The labels of a domain, the last one first (`domainToReverseLabels`); undefined if one is empty or has characters beyond 33 to 126. */
export function domainLabels(domain: string): readonly string[] | undefined {
  if (domain === '') return [];
  const labels = domain.split('.').toReversed();
  return labels.every((label) => /^[!-~]+$/.test(label)) ? labels : undefined;
}

/** Whether a name has a domain that Go 1.25.2 refuses, or is a URI that newer versions refuse. */
export function isMalformedName({ tag, content }: AlternativeName): boolean {
  const text = toLatin1(content);
  if (tag === DNS) return !isStrictDomain(text);
  if (tag !== URI) return false;
  const url = parseGoUrl(text, '1.26');
  return 'problem' in url || (url.host !== '' && !isStrictDomain(url.host));
}

const MAX_DOMAIN = 253;
const MAX_LABEL = 63;

/** Whether a domain is valid for a version of Go (`domainNameValid`). */
export const isDomain = (domain: string, go: GoVersion): boolean =>
  go === '1.25' ? isStrictDomain(domain) : domainLabels(domain) !== undefined;

/** Rules of Go 1.25.2 only: 1.25.3 reverted them, because many certificates do not follow them. */
const isStrictDomain = (domain: string): boolean =>
  domain !== '' &&
  domain.length <= MAX_DOMAIN &&
  domainLabels(domain)?.every(({ length }) => length <= MAX_LABEL) === true;
