// Parses distinguished names, and prints them like Go's pkix.Name.

import type { TranslateError } from '../../proto/errors.js';
import { OID, oidOf, SEQUENCE, SET, type Element } from '../../core/common/certificates/der.js';
import { badCertificate, DerReader } from './der.js';
import { toHex, toLatin1 } from '../../proto/bytes.js';

/** An attribute of a name. */
export interface Attribute {
  /** The type, as `2.5.4.3`. */
  readonly type: string;
  readonly value: string;
  /** The value as DER. */
  readonly raw: Uint8Array;
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

/** The attributes for which Go prints a short name. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.6', 'C'],
  [ORGANIZATION, 'O'],
  [UNIT, 'OU'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.17', 'POSTALCODE'],
  [COMMON_NAME, 'CN'],
  ['2.5.4.5', 'SERIALNUMBER'],
]);
const NUMERIC = 0x12;
const PRINTABLE = 0x13;
const T61 = 0x14;
const IA5 = 0x16;
const UTF8 = 0x0c;
const BMP = 0x1e;

/** Reads a name. @throws TranslateError with Go's text */
export function readName(element: Element): Name {
  const sets = attributesOf(element);
  const attributes = sets.flat();
  const valuesOf = (type: string): string[] =>
    attributes.filter((each) => each.type === type).map(({ value }) => value);
  return {
    text: printed(sets),
    commonName: valuesOf(COMMON_NAME).at(-1) ?? '',
    organizations: valuesOf(ORGANIZATION),
    units: valuesOf(UNIT),
    raw: element.raw,
  };
}

function attributesOf(element: Element): readonly (readonly Attribute[])[] {
  const all: Attribute[][] = [];
  const failure = 'x509: invalid RDNSequence';
  for (const sets = new DerReader(element.content); !sets.isEmpty;) {
    const attributes: Attribute[] = [];
    for (const set = sets.enter(SET, failure); !set.isEmpty;) {
      const pair = set.enter(SEQUENCE, `${failure}: invalid attribute`);
      const type = oidOf(pair.read(OID, `${failure}: invalid attribute type`).content);
      if (type === undefined) throw badCertificate(`${failure}: invalid attribute type`);
      const value = pair.next();
      if (value === undefined) throw badCertificate(`${failure}: invalid attribute value`);
      attributes.push({ type, value: stringOf(value), raw: value.raw });
    }
    all.push(attributes);
  }
  return all;
}

/** The text of a string of any type. @throws TranslateError */
export function stringOf({ tag, content }: Element): string {
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

/** Prints the attributes from the last to the first; the attributes of one set are joined with a plus sign. */
function printed(sets: readonly (readonly Attribute[])[]): string {
  const texts = sets.map((set) =>
    set
      .map(({ type, value, raw }) => {
        const short = SHORT_NAMES.get(type);
        return short === undefined ? `${type}=#${toHex(raw)}` : `${short}=${escaped(value)}`;
      })
      .join('+'),
  );
  return texts.toReversed().join(',');
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
