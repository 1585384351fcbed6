// Name constraints of CAs: parses them like Go's crypto/x509/parser.go (`parseNameConstraintsExtension`), and compares them with the
// alternative names of the certificates below them like crypto/x509/verify.go (`isValid`, `checkNameConstraints`).

import { SEQUENCE, context, type Element } from '../../core/common/certificates/der.js';
import { toHex, toLatin1 } from '../../proto/bytes.js';
import { badCertificate, DerReader } from './der.js';
import { goQuote, goQuoteBytes, isIpText, isIpWithZone, parseGoUrl } from './go-text.js';
import type { GoVersion } from './releases.js';
import { DNS, domainLabels, isDomain, EMAIL, IP, URI, type AlternativeName } from './alternative-names.js';

/** A range of addresses: `address` and `mask` have 4 or 16 bytes. */
interface IpRange {
  readonly address: Uint8Array;
  readonly mask: Uint8Array;
}

/** The constraints of each kind that Go checks. */
interface Subtrees {
  readonly dns: readonly string[];
  readonly email: readonly string[];
  readonly uri: readonly string[];
  readonly ip: readonly IpRange[];
}

/** The constraints of a CA. */
export interface NameConstraints {
  readonly permitted: Subtrees;
  readonly excluded: Subtrees;
  /** Whether there are constraints of a kind that Go does not check, such as directory names. */
  readonly hasOthers: boolean;
}

/** An email address in two parts. */
interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

/** A failed comparison that ends Go's verification with an error. */
class MatchError extends Error {}

/** Go's maximum number of comparisons for one CA (`MaxConstraintComparisons`). */
const MAX_COMPARISONS = 250_000;
const IPV4_SIZE = 4;
const IPV6_SIZE = 16;
/** The prefix of Go's `CANotAuthorizedForThisName`. */
const NOT_AUTHORIZED = 'x509: a root or intermediate certificate is not authorized to sign for this name: ';

/** Reads the value of a nameConstraints extension. @throws TranslateError with Go's text */
export function readNameConstraints(value: Uint8Array, go: GoVersion): NameConstraints {
  const failure = 'x509: invalid NameConstraints extension';
  const outer = new DerReader(value);
  const list = outer.enter(SEQUENCE, failure);
  const permitted = list.optional(context(0, true), failure);
  const excluded = list.optional(context(1, true), failure);
  if (!outer.isEmpty || !list.isEmpty) throw badCertificate(failure);
  const isEmpty = (element: Element | undefined): boolean => (element?.content.length ?? 0) === 0;
  if (isEmpty(permitted) && isEmpty(excluded)) throw badCertificate('x509: empty name constraints extension');
  const [first, second] = [readSubtrees(permitted, go), readSubtrees(excluded, go)];
  return { permitted: first, excluded: second, hasOthers: first.hasOthers || second.hasOthers };
}

function readSubtrees(
  element: Element | undefined,
  go: GoVersion,
): Subtrees & { readonly hasOthers: boolean } {
  const failure = 'x509: invalid NameConstraints extension';
  const [dns, email, uri]: [string[], string[], string[]] = [[], [], []];
  const ip: IpRange[] = [];
  let hasOthers = false;
  for (const list = new DerReader(element?.content ?? new Uint8Array()); !list.isEmpty;) {
    const base = list.enter(SEQUENCE, failure).next();
    if (base === undefined) throw badCertificate(failure);
    if (base.tag === DNS) dns.push(dnsConstraint(asciiOf(base.content), go));
    else if (base.tag === EMAIL) email.push(emailConstraint(asciiOf(base.content), go));
    else if (base.tag === URI) uri.push(uriConstraint(asciiOf(base.content), go));
    else if (base.tag === IP) ip.push(ipConstraint(base.content));
    else hasOthers = true;
  }
  return { dns, email, uri, ip, hasOthers };
}

function asciiOf(bytes: Uint8Array): string {
  if (bytes.some((byte) => byte >= 0x80))
    throw badCertificate(
      `x509: invalid constraint value: x509: ${goQuoteBytes(bytes)} cannot be encoded as an IA5String`,
    );
  return toLatin1(bytes);
}

/** The domain of a constraint without a leading dot, which names do not have. */
const withoutDot = (domain: string): string => (domain.startsWith('.') ? domain.slice(1) : domain);

/** Checks the domain of a constraint, which may be empty or begin with a dot. */
const isConstraintDomain = (domain: string, go: GoVersion): boolean =>
  domain === '' || (domain === '.' ? go < '1.25' : isDomain(withoutDot(domain), go));

function dnsConstraint(domain: string, go: GoVersion): string {
  if (!isConstraintDomain(domain, go))
    throw badCertificate(`x509: failed to parse dnsName constraint ${goQuote(domain)}`);
  return domain;
}

function emailConstraint(constraint: string, go: GoVersion): string {
  const mailbox = mailboxOf(constraint);
  const isValid = constraint.includes('@')
    ? mailbox !== undefined && (mailbox.domain === '' ? go !== '1.25' : isDomain(mailbox.domain, go))
    : isConstraintDomain(constraint, go);
  if (!isValid) throw badCertificate(`x509: failed to parse rfc822Name constraint ${goQuote(constraint)}`);
  return constraint;
}

function uriConstraint(domain: string, go: GoVersion): string {
  if (isIpText(domain))
    throw badCertificate(`x509: failed to parse URI constraint ${goQuote(domain)}: cannot be IP address`);
  if (!isConstraintDomain(domain, go))
    throw badCertificate(`x509: failed to parse URI constraint ${goQuote(domain)}`);
  return domain;
}

function ipConstraint(bytes: Uint8Array): IpRange {
  const size = bytes.length / 2;
  if (size !== IPV4_SIZE && size !== IPV6_SIZE)
    throw badCertificate(`x509: IP constraint contained value of length ${bytes.length}`);
  const mask = bytes.subarray(size);
  if (prefixOf(mask) === undefined)
    throw badCertificate(`x509: IP constraint contained invalid mask ${toHex(mask)}`);
  return { address: bytes.subarray(0, size), mask };
}

/** The number of leading ones of a mask; undefined if a one follows a zero. */
function prefixOf(mask: Uint8Array): number | undefined {
  const bits = Array.from(mask, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const length = bits.indexOf('0');
  if (length === -1) return bits.length;
  return bits.includes('1', length) ? undefined : length;
}

const QTEXT = /[\u0001-\u0008\u000b\u000c\u000e-\u001f !#-[\]-~\u007f]/;
const QUOTED_PAIR = /[\u0001-\u0009\u000b\u000c\u000e-\u007f]/;
const ATEXT = /[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.]/;

/** The parts of an email address (`parseRFC2821Mailbox`); undefined if it is not valid. */
function mailboxOf(text: string): Mailbox | undefined {
  const local = text.startsWith('"') ? quotedLocalPart(text) : plainLocalPart(text);
  if (local === undefined || text[local.end] !== '@') return undefined;
  const domain = text.slice(local.end + 1);
  return domainLabels(domain) === undefined ? undefined : { local: local.text, domain };
}

function quotedLocalPart(input: string): { text: string; end: number } | undefined {
  let text = '';
  for (let at = 1; at < input.length; at++) {
    const character = input[at]!;
    if (character === '"') return { text, end: at + 1 };
    if (character === '\\') {
      if (!QUOTED_PAIR.test(input[++at] ?? '')) return undefined;
      text += input[at]!;
    } else if (QTEXT.test(character)) text += character;
    else return undefined;
  }
  return undefined;
}

function plainLocalPart(input: string): { text: string; end: number } | undefined {
  let text = '';
  let at = 0;
  for (; at < input.length; at++) {
    if (input[at] === '\\') {
      if (++at >= input.length) return undefined;
    } else if (!ATEXT.test(input[at]!)) break;
    text += input[at]!;
  }
  const isValid = text !== '' && !text.startsWith('.') && !text.endsWith('.') && !text.includes('..');
  return isValid ? { text, end: at } : undefined;
}

/**
 * Checks the alternative names of the certificates below a CA against its constraints, as Go does before 1.26 (`isValid`).
 *
 * @param below the names, beginning with the first certificate
 * @returns Go's text if one is not allowed
 */
export function nameConstraintError(
  { permitted, excluded }: NameConstraints,
  below: readonly AlternativeName[],
): string | undefined {
  let comparisons = 0;
  const check = <Constraint>(
    kind: string,
    name: string,
    matches: (constraint: Constraint) => boolean,
    lists: { readonly permitted: readonly Constraint[]; readonly excluded: readonly Constraint[] },
    print: (constraint: Constraint) => string,
  ): string | undefined => {
    // Go has no text for its reason `TooManyConstraints`.
    if ((comparisons += lists.excluded.length) > MAX_COMPARISONS) return 'x509: unknown error';
    const found = lists.excluded.find(matches);
    if (found !== undefined)
      return `${NOT_AUTHORIZED}${kind} ${goQuote(name)} is excluded by constraint ${goQuote(print(found))}`;
    if ((comparisons += lists.permitted.length) > MAX_COMPARISONS) return 'x509: unknown error';
    return lists.permitted.length === 0 || lists.permitted.some(matches)
      ? undefined
      : `${NOT_AUTHORIZED}${kind} ${goQuote(name)} is not permitted by any constraint`;
  };
  const listsOf = <Kind extends keyof Subtrees>(
    kind: Kind,
  ): { permitted: Subtrees[Kind]; excluded: Subtrees[Kind] } => ({
    permitted: permitted[kind],
    excluded: excluded[kind],
  });
  const checkName = ({ tag, content }: AlternativeName): string | undefined => {
    const name = toLatin1(content);
    if (tag === EMAIL) {
      const mailbox = mailboxOf(name);
      // Go prints the parts that it failed to parse.
      if (mailbox === undefined) return 'x509: cannot parse rfc822Name {"" ""}';
      return check('email address', name, (each) => matchesEmail(mailbox, each), listsOf('email'), asIs);
    }
    if (tag === DNS) {
      const labels = domainLabels(name);
      if (labels === undefined) return `x509: cannot parse dnsName ${goQuote(name)}`;
      return check('DNS name', name, (each) => matchesDomain(labels, each), listsOf('dns'), asIs);
    }
    if (tag === URI) return check('URI', name, (each) => matchesUri(name, each), listsOf('uri'), asIs);
    if (tag !== IP) return undefined;
    return check('IP address', ipText(content), (each) => isInRange(content, each), listsOf('ip'), rangeText);
  };
  try {
    return firstOf(below, checkName);
  } catch (error) {
    if (error instanceof MatchError) return NOT_AUTHORIZED + error.message;
    throw error;
  }
}

/**
 * Checks all alternative names in a chain against the constraints of the CAs above them, as Go does since 1.26
 * (crypto/x509/constraints.go, `checkChainConstraints`).
 *
 * @returns Go's text if one is not allowed
 */
export function chainConstraintError(
  chain: readonly {
    readonly alternativeNames: { readonly names: readonly AlternativeName[] } | undefined;
    readonly nameConstraints: NameConstraints | undefined;
  }[],
): string | undefined {
  for (const [index, { alternativeNames: value }] of chain.entries()) {
    const above = chain.slice(index + 1).flatMap(({ nameConstraints }) => nameConstraints ?? []);
    if (value === undefined || above.length === 0) continue;
    const names = namesToCheck(value.names);
    const error = 'problem' in names ? names.problem : firstOf(above, (each) => constraintError(each, names));
    if (error !== undefined) return NOT_AUTHORIZED + error;
  }
  return undefined;
}

/** The alternative names of a certificate by kind, with Go's text for them. */
interface NamesToCheck {
  readonly ip: readonly Uint8Array[];
  readonly dns: readonly string[];
  readonly uri: readonly { readonly text: string; readonly host: string }[];
  readonly email: readonly Mailbox[];
}

/** `parseURIs` and `parseMailboxes`: refuse names that cannot be compared, even without a constraint for them. */
function namesToCheck(names: readonly AlternativeName[]): NamesToCheck | { readonly problem: string } {
  const of = (wanted: number): string[] =>
    names.filter(({ tag }) => tag === wanted).map(({ content }) => toLatin1(content));
  try {
    const uri = of(URI).map((text) => ({ text, host: hostToMatch(text) }));
    const email = of(EMAIL).map((text) => {
      const mailbox = mailboxOf(text);
      if (mailbox === undefined) throw new MatchError(`cannot parse rfc822Name ${goQuote(text)}`);
      return { local: mailbox.local, domain: mailbox.domain.toLowerCase() };
    });
    const ip = names.filter(({ tag }) => tag === IP).map(({ content }) => content);
    return { ip, dns: of(DNS), uri, email };
  } catch (error) {
    if (error instanceof MatchError) return { problem: error.message };
    throw error;
  }
}

/** `chainConstraints.check` */
function constraintError(
  { permitted, excluded }: NameConstraints,
  { ip, dns, uri, email }: NamesToCheck,
): string | undefined {
  const host = (name: string, constraint: string, isExcluded: boolean): boolean =>
    matchesDomain(domainLabels(name) ?? [], constraint) || (isExcluded && matchesWildcard(name, constraint));
  return (
    firstOf(ip, (address) => {
      const texts = { kind: 'IP address', name: ipText(address), print: rangeText };
      return listError(permitted.ip, excluded.ip, (range) => isInRange(address, range), texts);
    }) ??
    firstOf(dns, (name) => {
      if (domainLabels(name) === undefined) return `x509: cannot parse dnsName ${goQuote(name)}`;
      const texts = { kind: 'DNS name', name, print: asIs };
      return listError(
        permitted.dns,
        excluded.dns,
        (each, isExcluded) => host(name, each, isExcluded),
        texts,
      );
    }) ??
    firstOf(uri, ({ text, host: name }) => {
      const texts = { kind: 'URI', name: text, print: asIs };
      return listError(
        permitted.uri,
        excluded.uri,
        (each, isExcluded) => host(name, each, isExcluded),
        texts,
      );
    }) ??
    firstOf(email, (mailbox) => {
      const texts = { kind: 'email address', name: `${mailbox.local}@${mailbox.domain}`, print: asIs };
      const matches = (each: string, isExcluded: boolean): boolean =>
        matchesEmail(mailbox, each) ||
        (isExcluded && !each.includes('@') && matchesWildcard(mailbox.domain, each));
      return listError(permitted.email, excluded.email, matches, texts);
    })
  );
}

/** `checkConstraints`. If several constraints exclude a name, Go prints the widest one. */
function listError<Constraint>(
  permitted: readonly Constraint[],
  excluded: readonly Constraint[],
  matches: (constraint: Constraint, isExcluded: boolean) => boolean,
  { kind, name, print }: { kind: string; name: string; print: (constraint: Constraint) => string },
): string | undefined {
  if (permitted.length > 0 && !permitted.some((each) => matches(each, false)))
    return `${kind} ${goQuote(name)} is not permitted by any constraint`;
  const texts = excluded.filter((each) => matches(each, true)).map(print);
  const [widest] = texts.toSorted((one, other) => one.length - other.length);
  return widest === undefined
    ? undefined
    : `${kind} ${goQuote(name)} is excluded by constraint ${goQuote(widest)}`;
}

const asIs = (constraint: string): string => constraint;

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a name such as `*.example.com` could match an excluded name such as `bar.example.com`. */
function matchesWildcard(name: string, constraint: string): boolean {
  const parentOf = (domain: string): string => domain.slice(Math.max(0, domain.indexOf('.')));
  return (
    name.startsWith('*') &&
    constraint.includes('.') &&
    name.includes('.') &&
    sameName(parentOf(name), parentOf(constraint))
  );
}

/** `matchDomainConstraint`: an empty constraint matches all names; a constraint with a leading dot matches only names below it. */
function matchesDomain(labels: readonly string[], constraint: string): boolean {
  if (constraint === '') return true;
  const wanted = domainLabels(withoutDot(constraint)) ?? [];
  if (labels.length < wanted.length + (constraint.startsWith('.') ? 1 : 0)) return false;
  return wanted.every((label, index) => sameName(label, labels[index]!));
}

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** `matchEmailConstraint`: a constraint with an at sign is one mailbox, otherwise a domain. */
function matchesEmail({ local, domain }: Mailbox, constraint: string): boolean {
  if (!constraint.includes('@')) return matchesDomain(domainLabels(domain) ?? [], constraint);
  const wanted = mailboxOf(constraint);
  return wanted !== undefined && local === wanted.local && sameName(domain, wanted.domain);
}

/** `matchURIConstraint`. @throws MatchError for a URI without a host name */
const matchesUri = (uri: string, constraint: string): boolean =>
  matchesDomain(domainLabels(hostToMatch(uri)) ?? [], constraint);

/** The host name of a URI. @throws MatchError if it has none */
function hostToMatch(uri: string): string {
  // The version of Go has accepted it when it read the certificate.
  const url = parseGoUrl(uri, '1.22');
  const address = 'host' in url ? url.host : '';
  if (address === '')
    throw new MatchError(`URI with empty host (${goQuote(uri)}) cannot be matched against constraints`);
  const host = address.includes(':') && !address.endsWith(']') ? hostWithoutPort(address) : address;
  if (isIpWithZone(host) || (host.startsWith('[') && host.endsWith(']')))
    throw new MatchError(`URI with IP (${goQuote(uri)}) cannot be matched against constraints`);
  return host;
}

/** `net.SplitHostPort` @throws MatchError for more than one colon */
function hostWithoutPort(address: string): string {
  const bracketed = /^\[([^[\]]*)\]:[^:[\]]*$/.exec(address);
  if (bracketed !== null) return bracketed[1]!;
  const at = address.indexOf(':');
  if (address.includes(':', at + 1)) throw new MatchError(`address ${address}: too many colons in address`);
  return address.slice(0, at);
}

function isInRange(address: Uint8Array, { address: network, mask }: IpRange): boolean {
  if (address.length !== network.length) return false;
  return mask.every((byte, index) => (address[index]! & byte) === (network[index]! & byte));
}

/** A range as Go prints it (`net.IPNet.String`): an IPv4 address in IPv6 has the last four bytes of the mask. */
const rangeText = ({ address, mask }: IpRange): string =>
  `${ipText(address)}/${prefixOf(isMapped(address) ? mask.subarray(-IPV4_SIZE) : mask)}`;

/** Whether an address of IPv6 is one of IPv4. */
const isMapped = (address: Uint8Array): boolean =>
  address.length === IPV6_SIZE &&
  address.subarray(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 0xff));

/** An address as Go prints it (`net.IP.String`); IPv6 in its shortest form. */
export function ipText(address: Uint8Array): string {
  if (address.length === IPV4_SIZE) return address.join('.');
  if (isMapped(address)) return address.subarray(12).join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (address[2 * index]! * 256 + address[2 * index + 1]!).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}
