// Distinguished names, with the texts of MSPs of Fabric 3.0.0 and 3.1.5.

import test from 'ava';
import { SEQUENCE } from '../../../core/common/certificates/der.js';
import { TranslateError } from '../../../proto/errors.js';
import { DerReader } from '../../../translator/msp/der.js';
import { nameText, readName, type Name } from '../../../translator/msp/name.js';

const TYPES: Readonly<Record<string, string>> = {
  CN: '550403',
  SN: '550405',
  C: '550406',
  L: '550407',
  ST: '550408',
  STREET: '550409',
  O: '55040a',
  OU: '55040b',
  POSTAL: '550411',
  DC: '0992268993f22c640119',
  X: '2a0304',
};
const UTF8 = 0x0c;

const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag, content.length), content]);
};

const attribute = (type: string, tag: number, value: Uint8Array): Buffer =>
  der(0x30, der(0x06, Buffer.from(TYPES[type]!, 'hex')), der(tag, value));

const nameOf = (bytes: Uint8Array): Name => readName(new DerReader(bytes).read(SEQUENCE, 'no sequence'));

/** Each element is a set of attributes, joined with a plus sign. */
const madeName = (...sets: readonly string[]): Name =>
  nameOf(
    der(
      0x30,
      ...sets.map((set) =>
        der(
          0x31,
          ...set.split('+').map((each) => {
            const [type = '', value = ''] = each.split('=');
            return attribute(type, UTF8, Buffer.from(value));
          }),
        ),
      ),
    ),
  );

const TEXTS: readonly (readonly [sets: readonly string[], text: string])[] = [
  [['C=US', 'ST=Cal', 'L=SF', 'OU=admin', 'CN=x'], 'CN=x,OU=admin,L=SF,ST=Cal,C=US'],
  [['CN=x', 'OU=a', 'OU=b', 'O=o', 'C=US'], 'CN=x,OU=a+OU=b,O=o,C=US'],
  [
    ['CN=cn', 'OU=ou', 'O=o', 'L=l', 'ST=st', 'C=c', 'STREET=s', 'POSTAL=p', 'SN=sn', 'X=x'],
    'SERIALNUMBER=sn,CN=cn,OU=ou,O=o,POSTALCODE=p,STREET=s,L=l,ST=st,C=c,1.2.3.4=#130178',
  ],
  [['OU=b', 'L=l', 'OU=a'], 'OU=b+OU=a,L=l'],
  [['OU=a+O=o'], 'OU=a,O=o'],
  // Only the last value counts, and an empty one is none.
  [['CN=x', 'CN=y'], 'CN=y'],
  [['CN=y', 'CN='], ''],
  [['SN=1', 'SN=2', 'POSTAL=1', 'POSTAL=2'], 'SERIALNUMBER=2,POSTALCODE=1+POSTALCODE=2'],
  [['O=', 'SN='], 'O='],
  // Attributes without a short name: as DER, the last one first.
  [['DC=a', 'CN=x', 'X=b'], 'CN=x,1.2.3.4=#130162,0.9.2342.19200300.100.1.25=#130161'],
  [['X=é'], '1.2.3.4=#0c02c3a9'],
  [['X=a*b'], '1.2.3.4=#0c03612a62'],
  [['X=a&b'], '1.2.3.4=#0c03612662'],
  [['X=a_b'], '1.2.3.4=#0c03615f62'],
  [['X='], '1.2.3.4=#1300'],
  // Escapes.
  [['CN= #a,b"c\\d<e>;f '], String.raw`CN=\ #a\,b\"c\\d\<e\>\;f\ `],
  [['CN=#a'], String.raw`CN=\#a`],
  [['CN= '], String.raw`CN=\ `],
  [[''], ''],
];
for (const [sets, text] of TEXTS)
  test(`the text of the name ${JSON.stringify(sets)} is ${JSON.stringify(text)}`, (t) => {
    t.is((sets[0] === '' ? nameOf(der(0x30, der(0x31))) : madeName(...sets)).text, text);
  });

/** By tag and value in Latin-1: the common name, or the fault after an exclamation mark. */
const STRINGS: readonly (readonly [kind: string, tag: number, value: string, expected: string])[] = [
  ['a UTF8String', UTF8, 'Ã©', 'é'],
  ['a UTF8String with a byte order mark', UTF8, 'ï»¿a', '\uFEFFa'],
  ['a UTF8String', UTF8, '\xff', '!invalid UTF-8 string'],
  ['an IA5String', 0x16, 'a@b\x7f', 'a@b\x7f'],
  ['an IA5String', 0x16, '\x80', '!invalid IA5String'],
  ['a NumericString', 0x12, '12 3', '12 3'],
  ['a NumericString', 0x12, '12a', '!invalid NumericString'],
  ['a BMPString', 0x1e, '\0A\x01\0', 'AĀ'],
  ['a BMPString with a zero at its end', 0x1e, '\0A\0\0', 'A'],
  ['an empty BMPString', 0x1e, '', ''],
  ['a BMPString', 0x1e, '\0A\0', '!invalid BMPString'],
  ['a T61String', 0x14, 'x', 'x'],
  ['a PrintableString', 0x13, "Az09 '()+,-./:=?*&", "Az09 '()+,-./:=?*&"],
  ['a PrintableString', 0x13, 'a@b', '!invalid PrintableString'],
  ['a PrintableString', 0x13, 'a_b', '!invalid PrintableString'],
  ['a UniversalString', 0x1c, '\0\0\0a', '!unsupported string type: 28'],
];
for (const [kind, tag, value, expected] of STRINGS)
  test(`${kind} with the bytes ${JSON.stringify(value)} is ${JSON.stringify(expected)}`, (t) => {
    const read = (): Name => nameOf(der(0x30, der(0x31, attribute('CN', tag, Buffer.from(value, 'latin1')))));
    if (expected.startsWith('!'))
      t.throws(read, {
        instanceOf: TranslateError,
        message: `x509: invalid RDNSequence: invalid attribute value: ${expected.slice(1)}`,
      });
    else t.is(read().commonName, expected);
  });

const CN = der(0x06, Buffer.from(TYPES['CN']!, 'hex'));
for (const [what, content, fault] of [
  ['without a set', der(0x30), 'x509: invalid RDNSequence'],
  ['with a set in a set', der(0x31, der(0x31)), 'x509: invalid RDNSequence: invalid attribute'],
  ['without a type', der(0x31, der(0x30, der(UTF8))), 'x509: invalid RDNSequence: invalid attribute type'],
  [
    'with an empty type',
    der(0x31, der(0x30, der(0x06))),
    'x509: invalid RDNSequence: invalid attribute type',
  ],
  ['without a value', der(0x31, der(0x30, CN)), 'x509: invalid RDNSequence: invalid attribute value'],
] as const)
  test(`a name ${what} is refused: ${fault}`, (t) => {
    t.throws(() => nameOf(der(0x30, content)), { instanceOf: TranslateError, message: fault });
  });

test('an element after the value of an attribute is ignored', (t) => {
  const value = der(UTF8, Buffer.from('a'));
  t.is(nameOf(der(0x30, der(0x31, der(0x30, CN, value, value)))).text, 'CN=a');
});

test('a name has the values of its units and organisations in their order', (t) => {
  const { commonName, organizations, units } = madeName('OU=b', 'O=o', 'OU=a+O=p', 'CN=x');
  t.deepEqual([commonName, organizations, units], ['x', ['o', 'p'], ['b', 'a']]);
});

for (const [sets, text] of [
  [['CN=x', 'O=o'], 'CN=x'],
  [['O=o'], 'O=o'],
  [['CN='], 'no name'],
  [['CN=a\u001b[31m\u202eb\u2028'], 'CN=a\uFFFD[31m\uFFFDb\uFFFD'],
] as const)
  test(`the name ${JSON.stringify(sets)} is shown as ${JSON.stringify(text)}`, (t) => {
    t.is(nameText(madeName(...sets)), text);
  });
