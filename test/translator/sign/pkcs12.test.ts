// PKCS #12 files without encryption, part by part. Files of OpenSSL are in elsewhere.test.ts.

import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { decodePem } from '../../../translator/msp/index.js';
import { isPkcs12, readPkcs12 } from '../../../translator/sign/index.js';
import { makeCertificate, type Made } from '../../helpers/made-certificates.js';

const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (digits: string): Buffer => der(0x06, Buffer.from(digits, 'hex'));
const version = (...bytes: readonly number[]): Buffer => der(0x02, Buffer.from(bytes));

const DATA = '2a864886f70d010701';
const SIGNED_DATA = '2a864886f70d010702';
/** The object identifiers of bags, without the number of the kind. */
const BAG = '2a864886f70d010c0a01';
const X509 = '2a864886f70d01091601';

const info = (type: string, content: Uint8Array): Buffer =>
  sequence(oid(type), der(0xa0, der(0x04, content)));
const bag = (kind: number, value: Uint8Array): Buffer =>
  sequence(oid(`${BAG}${kind.toString(16).padStart(2, '0')}`), der(0xa0, value));
const certificate = (bytes: Uint8Array): Buffer => bag(3, sequence(oid(X509), der(0xa0, der(0x04, bytes))));
const file = (parts: readonly (readonly Uint8Array[])[]): Buffer =>
  sequence(version(3), info(DATA, sequence(...parts.map((bags) => info(DATA, sequence(...bags))))));

const derOf = ({ pem }: Made): Uint8Array => decodePem(pem)!.bytes;
const CA = makeCertificate({ commonName: 'ca' });
const LEAF = makeCertificate({ commonName: 'a', issuer: CA, isCa: false });
const PKCS8 = LEAF.key.export({ type: 'pkcs8', format: 'der' });
const OTHER_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'der',
});
const contentOf = (pem: Uint8Array): Buffer => Buffer.from(decodePem(pem)!.bytes);

test('the certificate that is not a CA, the keys and the CAs of a file are read, in any order and part', async (t) => {
  const unknown = bag(5, sequence());
  for (const parts of [
    [
      [certificate(derOf(CA)), certificate(derOf(LEAF))],
      [bag(1, PKCS8), bag(1, OTHER_KEY)],
    ],
    [
      [unknown, bag(1, PKCS8), certificate(derOf(LEAF)), bag(1, OTHER_KEY)],
      [certificate(derOf(CA)), unknown],
    ],
  ]) {
    const found = await readPkcs12(file(parts), '');
    t.deepEqual(contentOf(found.certificate), Buffer.from(derOf(LEAF)));
    t.deepEqual(found.cas.map(contentOf), [Buffer.from(derOf(CA))]);
    t.deepEqual(
      found.keys.map(({ path, bytes }) => [path, contentOf(bytes)]),
      [
        ['its key', PKCS8],
        ['its key', OTHER_KEY],
      ],
    );
  }
});

const UNREADABLE = 'the PKCS #12 file cannot be read';

for (const [what, bytes, code, message] of [
  [
    'with a CA only',
    file([[certificate(derOf(CA)), bag(1, PKCS8)]]),
    'BAD_KEY',
    'the PKCS #12 file contains no certificate of a person or node',
  ],
  ['without parts', file([]), 'BAD_KEY', 'the PKCS #12 file contains no certificate of a person or node'],
  [
    'with signed content',
    sequence(version(3), info(SIGNED_DATA, sequence())),
    'BAD_KEY',
    `${UNREADABLE}: its content has the type 1.2.840.113549.1.7.2`,
  ],
  [
    'with a signed part',
    sequence(version(3), info(DATA, sequence(info(SIGNED_DATA, sequence())))),
    'BAD_KEY',
    `${UNREADABLE}: a part of it has the type 1.2.840.113549.1.7.2`,
  ],
  ['without a version', sequence(info(DATA, sequence())), 'BAD_CERTIFICATE', UNREADABLE],
  ['that is no sequence', der(0x04), 'BAD_CERTIFICATE', UNREADABLE],
  ['with an empty bag', file([[sequence()]]), 'BAD_CERTIFICATE', 'the encrypted data cannot be read'],
  ['with text as a bag', file([[der(0x0c)]]), 'BAD_KEY', 'the password is wrong'],
  [
    'with text as the content of a part',
    sequence(version(3), info(DATA, sequence(info(DATA, der(0x0c))))),
    'BAD_KEY',
    'the password is wrong',
  ],
] as const)
  test(`a PKCS #12 file ${what} is refused: ${message}`, async (t) => {
    const error = await t.throwsAsync(readPkcs12(bytes, ''), { instanceOf: TranslateError, message });
    t.is(error.code, code);
  });

for (const [what, bytes, is] of [
  ['version 3', sequence(version(3)), true],
  ['version 2', sequence(version(2)), false],
  ['version 3 in two bytes', sequence(version(3, 0)), false],
  ['another version in two bytes', sequence(version(0, 3)), false],
  ['no version', sequence(), false],
  ['text in place of the version', sequence(der(0x04, Buffer.of(3))), false],
  ['another element', der(0x31, version(3)), false],
  ['no bytes', Buffer.of(), false],
  ['PEM', CA.pem, false],
  ['a certificate', derOf(CA), false],
  ['a key in PKCS #8', PKCS8, false],
] as const)
  test(`bytes with ${what} are ${is ? '' : 'not '}a PKCS #12 file`, (t) => {
    t.is(isPkcs12(bytes), is);
  });
