// Revocation lists that MSPs of Fabric 3.0.0 and 3.1.5 read or refuse, with their texts or the beginning of them.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { readRevocationList } from '../../../translator/msp/crl.js';

const der = (tag: number, ...contents: readonly (Uint8Array | string)[]): Buffer => {
  const content = Buffer.concat(contents.map((each) => Buffer.from(each)));
  const size = content.length < 0x80 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (digits: string): Buffer => der(0x06, Buffer.from(digits, 'hex'));
const pem = (bytes: Buffer, label: string): Buffer =>
  Buffer.from(`-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`);

const VERSION = der(0x02, Buffer.of(1));
const ALGORITHM = sequence(oid('2a8648ce3d040302'));
const ISSUER = sequence(der(0x31, sequence(oid('550403'), der(0x0c, 'ca'))));
const TIME = der(0x17, '260101000000Z');
const entry = (...serial: readonly number[]): Buffer =>
  sequence(sequence(der(0x02, Buffer.from(serial)), TIME));
const list = (...fields: readonly Uint8Array[]): Buffer =>
  sequence(sequence(...fields), ALGORITHM, der(0x03, Buffer.of(0, 1)));

const GOOD = list(VERSION, ALGORITHM, ISSUER, TIME);

for (const [what, bytes, serials] of [
  ['DER', GOOD, []],
  ['PEM', pem(GOOD, 'X509 CRL'), []],
  ['DER without a version', list(ALGORITHM, ISSUER, TIME), []],
  [
    'DER with two serial numbers',
    list(
      VERSION,
      ALGORITHM,
      ISSUER,
      TIME,
      sequence(
        sequence(der(0x02, Buffer.of(5)), TIME),
        sequence(der(0x02, Buffer.of(0, 0x80)), TIME, sequence()),
      ),
    ),
    [5n, 128n],
  ],
] as const)
  test(`a revocation list is read: ${what}`, (t) => {
    const found = readRevocationList(bytes);
    t.is(found.issuer.text, 'CN=ca');
    t.deepEqual(found.thisUpdate, new Date('2026-01-01T00:00:00Z'));
    t.is(found.nextUpdate, undefined);
    t.is(found.authorityKeyId, undefined);
    t.deepEqual([...found.serials], [...serials]);
  });

test('the end of a revocation list is read', (t) => {
  const { nextUpdate } = readRevocationList(
    list(VERSION, ALGORITHM, ISSUER, TIME, der(0x18, '20500101000000Z')),
  );
  t.deepEqual(nextUpdate, new Date('2050-01-01T00:00:00Z'));
});

const TRUNCATED = 'asn1: syntax error: truncated tag or length';
const DATA = 'asn1: syntax error: data truncated';
const ENDS = 'asn1: syntax error: sequence truncated';
const TAGS = "asn1: structure error: tags don't match";

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
for (const [what, bytes, fault] of [
  ['no bytes', Buffer.of(), ENDS],
  ['a tag', hex('30'), TRUNCATED],
  ['a length of one byte that is missing', hex('3081'), TRUNCATED],
  ['a length of two bytes that are missing', hex('308201'), TRUNCATED],
  ['five bytes that are missing', hex('3005'), DATA],
  ['three bytes that are missing', hex('30050000'), DATA],
  ['a list without its last byte', GOOD.subarray(0, -1), DATA],
  ['an empty list', hex('3000'), ENDS],
  ['a number', hex('020101'), TAGS],
  ['a list of a number', hex('3003020101'), TAGS],
  ['a byte after the list', Buffer.concat([GOOD, Buffer.of(0)]), 'x509: trailing data after CRL'],
  ['PEM with another label', pem(GOOD, 'CRL'), TAGS],
  ['no fields', list(), ENDS],
  ['no algorithm', list(VERSION), ENDS],
  ['no issuer', list(VERSION, ALGORITHM), ENDS],
  ['no time', list(VERSION, ALGORITHM, ISSUER), ENDS],
  ['an entry without a serial number', list(VERSION, ALGORITHM, ISSUER, TIME, sequence(sequence())), ENDS],
  [
    'an entry without a time',
    list(VERSION, ALGORITHM, ISSUER, TIME, sequence(sequence(der(0x02, Buffer.of(5))))),
    ENDS,
  ],
  [
    'a serial number that is not in its shortest form',
    list(VERSION, ALGORITHM, ISSUER, TIME, entry(0, 5)),
    'asn1: structure error: integer not minimally-encoded',
  ],
  ['no signature', sequence(sequence(VERSION, ALGORITHM, ISSUER, TIME), ALGORITHM), ENDS],
] as const)
  test(`a revocation list is refused: ${what}: ${fault}`, (t) => {
    t.throws(() => readRevocationList(bytes), { instanceOf: TranslateError, message: fault });
  });
