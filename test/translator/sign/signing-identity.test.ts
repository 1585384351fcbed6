// The forms of private keys that sign, and the errors for others.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { encodePem } from '../../../translator/msp/index.js';
import { findSigningIdentity, isEncryptedKey, readSigningIdentity } from '../../../translator/sign/index.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const CA = makeCertificate({ commonName: 'ca' });
const MADE = makeCertificate({ commonName: 'a', issuer: CA, isCa: false });
const FILES = { mspid: 'M', certificate: MADE.pem };
const pemOf = (key: KeyObject, type: 'pkcs8' | 'sec1' = 'pkcs8'): Buffer =>
  Buffer.from(key.export({ type, format: 'pem' }));
const OWN = pemOf(MADE.key);
const OTHER = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
/** An `ECPrivateKey` with these parameters. */
const sec1 = (...parameters: readonly number[]): Buffer =>
  Buffer.from(
    encodePem(
      'EC PRIVATE KEY',
      Buffer.of(0x30, 6 + parameters.length, 0x02, 1, 1, 0x04, 1, 5, ...parameters),
    ),
  );
const LABELLED = Buffer.from(encodePem('RSA PRIVATE KEY', Buffer.of(1)));
const ENCRYPTED = Buffer.from(
  createPrivateKey(OWN).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }),
);
const OLD_FORM = Buffer.from(
  createPrivateKey(OWN).export({ type: 'sec1', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }),
);

for (const [what, key, password] of [
  ['in PKCS #8', OWN, undefined],
  ['in SEC 1', pemOf(MADE.key, 'sec1'), undefined],
  [
    'in SEC 1, after its parameters',
    Buffer.concat([
      Buffer.from('-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'),
      pemOf(MADE.key, 'sec1'),
    ]),
    undefined,
  ],
  ['after its certificate', Buffer.concat([MADE.pem, OWN]), undefined],
  ['that is encrypted', ENCRYPTED, 'x'],
] as const)
  test(`a key ${what} signs`, async (t) => {
    const { certificate } = await readSigningIdentity({ ...FILES, key, password });
    t.is(certificate.subject.commonName, 'a');
  });

for (const [what, key, code, message] of [
  ['of another certificate', OTHER, 'KEY_MISMATCH', 'the key does not belong to the certificate of CN=a'],
  ['in a file without PEM', Buffer.from('x'), 'BAD_KEY', 'the file contains no private key in PEM'],
  ['in a file with a certificate only', MADE.pem, 'BAD_KEY', 'the file contains no private key in PEM'],
  [
    'with another label',
    LABELLED,
    'BAD_KEY',
    'the private key is a PEM block "RSA PRIVATE KEY"; PRIVATE KEY and ENCRYPTED PRIVATE KEY (PKCS #8) and EC PRIVATE KEY (SEC 1) are allowed',
  ],
  [
    'in the old encrypted form',
    OLD_FORM,
    'BAD_KEY',
    'the private key is encrypted in the old form of OpenSSL; convert it with openssl pkcs8 -topk8 -v2 aes-256-cbc',
  ],
  ['that is encrypted', ENCRYPTED, 'BAD_KEY', 'the private key is encrypted, and there is no password'],
  [
    'in SEC 1 without its curve',
    sec1(),
    'BAD_KEY',
    'the EC private key cannot be read: it does not name its curve',
  ],
  [
    'in SEC 1 with an unknown curve',
    sec1(0xa0, 3, 6, 1, 0x2a),
    'BAD_KEY',
    'the private key has an unknown curve',
  ],
  [
    'in SEC 1 that is not DER',
    Buffer.from(encodePem('EC PRIVATE KEY', Buffer.of(1))),
    'BAD_KEY',
    'the EC private key cannot be read',
  ],
  [
    'of another curve',
    pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
    'KEY_MISMATCH',
    "the private key cannot be read as a key of the certificate's algorithm, P-256",
  ],
] as const)
  test(`a key ${what} does not sign: ${message}`, async (t) => {
    const error = await t.throwsAsync(readSigningIdentity({ ...FILES, key }), {
      instanceOf: TranslateError,
      message,
    });
    t.is(error.code, code);
  });

test('a certificate with a P-224 key does not sign', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp224r1' });
  const { pem } = makeCertificate({ commonName: 'a', issuer: CA, isCa: false, key: privateKey });
  await t.throwsAsync(readSigningIdentity({ mspid: 'M', certificate: pem, key: pemOf(privateKey) }), {
    code: 'BAD_KEY',
    message:
      'the certificate has a P-224 key, with which WebCrypto does not sign; P-256, P-384 and P-521 are allowed',
  });
});

for (const [what, certificate, message] of [
  ['text', Buffer.from('x'), 'the certificate is not PEM'],
  [
    'a certificate that cannot be read',
    Buffer.from(encodePem('CERTIFICATE', Buffer.of(1))),
    'x509: malformed certificate',
  ],
] as const)
  test(`${what} is not the certificate of a signer: ${message}`, async (t) => {
    await t.throwsAsync(readSigningIdentity({ mspid: 'M', certificate, key: OWN }), {
      code: 'BAD_KEY',
      message,
    });
    await t.throwsAsync(readSigningIdentity({ ...FILES, key: OWN, cas: [certificate] }), {
      code: 'BAD_KEY',
      message,
    });
  });

test('of several keys, the key of the certificate signs; if there is none, the error has the reasons', async (t) => {
  const [other, own] = [
    { path: 'keystore/other', bytes: OTHER },
    { path: 'keystore/own', bytes: OWN },
  ];
  t.is((await findSigningIdentity({ ...FILES, keys: [other, own] })).certificate.subject.commonName, 'a');
  const error = await t.throwsAsync(
    findSigningIdentity({ ...FILES, keys: [other, { path: 'keystore/text', bytes: Buffer.from('x') }] }),
  );
  t.like(error, {
    code: 'KEY_MISMATCH',
    message:
      'no private key belongs to the certificate (keystore/other: the key does not belong to the certificate of CN=a; keystore/text: the file contains no private key in PEM)',
  });
});

test('a file needs a password if one of its blocks is an encrypted key in PKCS #8', (t) => {
  t.true(isEncryptedKey(ENCRYPTED));
  t.true(isEncryptedKey(Buffer.concat([MADE.pem, ENCRYPTED])));
  t.false(isEncryptedKey(OWN));
  t.false(isEncryptedKey(MADE.pem));
  t.false(isEncryptedKey(Buffer.from('x')));
});
