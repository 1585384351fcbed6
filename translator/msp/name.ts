// Parses distinguished names, and prints them like Go's pkix.Name.

import type { TranslateError } from '../../proto/errors.js';
import { OID, oidOf, SEQUENCE, SET, type Element } from '../../core/common/certificates/der.js';
import { badCertificate, DerReader } from './der.js';
import { concatBytes, toHex, toLatin1 } from '../../proto/bytes.js';
import { derHeader } from './ecdsa.js';

/** An attribute of a name. */
interface Attribute {
  /** The type, as `2.5.4.3`. */
  readonly type: string;
  readonly value: string;
}

/** A distinguished name. */
export interface Name {
  /** Go's text of the name: `CN=ca.org1.example.com,O=org1.example.com,C=US`. */
  readonly text: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly units: readonly string[];
  /** The DER. */
  readonly raw: Uint8Array;
}

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const UNIT = '2.5.4.11';

const SERIAL_NUMBER = '2.5.4.5';

/** The attributes that Go prints by a short name, in its order. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  [SERIAL_NUMBER, 'SERIALNUMBER'],
  [COMMON_NAME, 'CN'],
  [UNIT, 'OU'],
  [ORGANIZATION, 'O'],
  ['2.5.4.17', 'POSTALCODE'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.6', 'C'],
]);
/** Of these, Go's `pkix.Name` has only the last value; an empty one is none. */
const SINGLE: ReadonlySet<string> = new Set([SERIAL_NUMBER, COMMON_NAME]);
const NUMERIC = 0x12;
const PRINTABLE = 0x13;
const T61 = 0x14;
const IA5 = 0x16;
const UTF8 = 0x0c;
const BMP = 0x1e;

/** Reads a name. @throws TranslateError with Go's text */
export function readName(element: Element): Name {
  const attributes = attributesOf(element);
  const valuesOf = (type: string): string[] =>
    attributes.filter((each) => each.type === type).map(({ value }) => value);
  return {
    text: printed(attributes),
    commonName: valuesOf(COMMON_NAME).at(-1) ?? '',
    organizations: valuesOf(ORGANIZATION),
    units: valuesOf(UNIT),
    raw: element.raw,
  };
}

function attributesOf(element: Element): readonly Attribute[] {
  const attributes: Attribute[] = [];
  const failure = 'x509: invalid RDNSequence';
  for (const sets = new DerReader(element.content); !sets.isEmpty;) {
    for (const set = sets.enter(SET, failure); !set.isEmpty;) {
      const pair = set.enter(SEQUENCE, `${failure}: invalid attribute`);
      const type = oidOf(pair.read(OID, `${failure}: invalid attribute type`).content);
      if (type === undefined) throw badCertificate(`${failure}: invalid attribute type`);
      const value = pair.next();
      if (value === undefined) throw badCertificate(`${failure}: invalid attribute value`);
      attributes.push({ type, value: stringOf(value) });
    }
  }
  return attributes;
}

/** The text of a string of any type. @throws TranslateError */
function stringOf({ tag, content }: Element): string {
  const fail = (reason: string): TranslateError =>
    badCertificate(`x509: invalid RDNSequence: invalid attribute value: ${reason}`);
  const text = toLatin1(content);
  switch (tag) {
    case T61:
      return text;
    case PRINTABLE:
      if (/^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(text)) return text;
      throw fail('invalid PrintableString');
    case UTF8:
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
      } catch {
        throw fail('invalid UTF-8 string');
      }
    case BMP:
      return bmpString(content) ?? '';
    case IA5:
      // eslint-disable-next-line no-control-regex
      if (/^[\0-\x7f]*$/.test(text)) return text;
      throw fail('invalid IA5String');
    case NUMERIC:
      if (/^[0-9 ]*$/.test(text)) return text;
      throw fail('invalid NumericString');
    default:
      throw fail(`unsupported string type: ${tag}`);
  }
}

function bmpString(content: Uint8Array): string | undefined {
  if (content.length % 2 !== 0)
    throw badCertificate('x509: invalid RDNSequence: invalid attribute value: invalid BMPString');
  let text = '';
  for (let at = 0; at < content.length; at += 2)
    text += String.fromCharCode(content[at]! * 256 + content[at + 1]!);
  return text.replace(/\0$/, '');
}

/**
 * Prints a name like Go's `pkix.Name.String`: by kind, the values of a kind joined with a plus sign; then the attributes without a short name,
 * from the last to the first, as DER.
 */
function printed(attributes: readonly Attribute[]): string {
  const known = [...SHORT_NAMES].flatMap(([type, short]) => {
    const all = attributes.filter((each) => each.type === type);
    const shown = SINGLE.has(type) ? all.slice(-1).filter(({ value }) => value !== '') : all;
    return shown.length === 0 ? [] : [shown.map(({ value }) => `${short}=${escaped(value)}`).join('+')];
  });
  const others = attributes
    .filter(({ type }) => !SHORT_NAMES.has(type))
    .map(({ type, value }) => `${type}=#${toHex(derOf(value))}`);
  return [...known, ...others.toReversed()].join(',');
}

/** The DER of a value as Go writes it: a PrintableString, or a UTF8String if it has other characters. */
function derOf(value: string): Uint8Array {
  const content = new TextEncoder().encode(value);
  const tag = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value) ? PRINTABLE : UTF8;
  return concatBytes(derHeader(tag, content.length), content);
}

/** Escapes a value according to RFC 2253. */
function escaped(value: string): string {
  return value.replace(/[,+"\\<>;]|^[# ]|(?!^) $/g, String.raw`\$&`);
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The common name, or the whole name if there is none, without characters that a terminal interprets. */
export function nameText({ commonName, text }: Name): string {
  const shown = commonName === '' ? text || 'no name' : `CN=${commonName}`;
  // Compiling UNPRINTABLE takes longer than parsing the certificate.
  return /^[ -~]*$/.test(shown) ? shown : shown.replace(UNPRINTABLE, '\uFFFD');
}
