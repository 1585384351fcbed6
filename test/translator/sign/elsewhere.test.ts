// Signatures of keys elsewhere, encrypted keys, and PKCS #12 files.

import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { TranslateError } from '../../../proto/errors.js';
import { CommonSignatureHeader } from '../../../proto/messages.js';
import { readMessage } from '../../../proto/typed.js';
import { readEnvelope } from '../../../translator/channel/index.js';
import { CURVES, readEcdsaSignature, toLowS, writeEcdsaSignature } from '../../../translator/msp/index.js';
import {
  addSignature,
  mergeEnvelopes,
  messageToSign,
  readPkcs12,
  readSigner,
  readSigningIdentity,
  signAsSubmitter,
  signEnvelope,
  type SignerIdentity,
} from '../../../translator/sign/index.js';
import { certificateOf, IDENTITIES, readVectors } from '../../helpers/channel-vectors.js';
import { temporaryFolder } from '../../helpers/folder.js';

const [CASE] = readVectors<readonly { before: string }[]>('sign-cases');
const BEFORE = Buffer.from(CASE!.before, 'base64');
const NOW = new Date('2026-11-22T00:00:00Z');

const signerNamed = (name: string): Promise<SignerIdentity> =>
  readSigner({ mspid: IDENTITIES[name]!.mspid, certificate: certificateOf(name) });

/** What a device that knows nothing of Fabric makes: DER with any s. */
const derOf = (name: string, message: Uint8Array): Buffer =>
  sign('sha256', message, createPrivateKey(IDENTITIES[name]!.key));

/** The signature with the s that Fabric refuses. */
function withHighS(der: Uint8Array): Uint8Array {
  const pair = readEcdsaSignature(der);
  if (typeof pair === 'string') throw new Error(pair);
  const { r, s } = toLowS(pair, CURVES[0]!);
  return writeEcdsaSignature({ r, s: CURVES[0]!.order - s });
}

const rawOf = (der: Uint8Array, size: number): Buffer => {
  const pair = readEcdsaSignature(der);
  if (typeof pair === 'string') throw new Error(pair);
  return Buffer.from(
    [pair.r, pair.s].map((each) => each.toString(16).padStart(2 * size, '0')).join(''),
    'hex',
  );
};

/** Whether the last signature is low-S DER. */
function isLow(envelope: Uint8Array): boolean {
  const pair = readEcdsaSignature(readEnvelope(envelope).signatures.at(-1)!.signature);
  return typeof pair !== 'string' && toLowS(pair, CURVES[0]!).s === pair.s;
}

const FORMS: readonly (readonly [name: string, convert: (der: Uint8Array) => Uint8Array])[] = [
  ['DER with low s', (der) => der],
  ['DER with high s', withHighS],
  ['r and s', (der) => rawOf(der, 32)],
  ['r and s with high s', (der) => rawOf(withHighS(der), 32)],
  [
    'DER in base64 with line breaks',
    (der) => Buffer.from(`${Buffer.from(der).toString('base64').replace(/.{64}/, '$&\n')}\n`),
  ],
  ['DER in hexadecimal', (der) => Buffer.from(Buffer.from(der).toString('hex'))],
  ['r and s in base64url', (der) => Buffer.from(rawOf(der, 32).toString('base64url'))],
  [
    'r and s in hexadecimal with colons',
    (der) => Buffer.from(rawOf(der, 32).toString('hex').match(/../g)!.join(':')),
  ],
];

for (const [name, convert] of FORMS)
  test(`a signature made elsewhere is added with low s: ${name}`, async (t) => {
    const signer = await signerNamed('Org1/admin');
    const made = convert(derOf('Org1/admin', messageToSign(BEFORE, signer)));
    const envelope = await addSignature(BEFORE, signer, made);
    t.true(isLow(envelope));
    const { submission, signatures } = readEnvelope(envelope);
    t.is(signatures.length, 1);
    t.is(submission!.signature.length, 0);
    // Another signer in between does not change what has to be signed.
    const other = await readSigningIdentity({
      mspid: 'Org2MSP',
      certificate: certificateOf('Org2/admin'),
      key: Buffer.from(IDENTITIES['Org2/admin']!.key),
    });
    const both = await addSignature(await signEnvelope(BEFORE, other, NOW), signer, made);
    t.is(readEnvelope(both).signatures.length, 2);
    t.is((await mergeEnvelopes([envelope, both])).signatures.length, 2);
  });

test('a P-384 and an Ed25519 key sign elsewhere', async (t) => {
  const p384 = await signerNamed('Org1/p384');
  const raw = rawOf(derOf('Org1/p384', messageToSign(BEFORE, p384)), 48);
  t.is(readEnvelope(await addSignature(BEFORE, p384, raw)).signatures.length, 1);
  const ed25519 = await signerNamed('OrgEd/ed-admin');
  const message = messageToSign(BEFORE, ed25519);
  const made = sign(null, message, createPrivateKey(IDENTITIES['OrgEd/ed-admin']!.key));
  const envelope = await addSignature(BEFORE, ed25519, made);
  t.deepEqual(Buffer.from(readEnvelope(envelope).signatures[0]!.signature), made);
});

test('a signer of the library that returns any s, or r and s, makes valid envelopes', async (t) => {
  const signer = await signerNamed('Org1/admin');
  for (const convert of [withHighS, (der: Uint8Array) => rawOf(withHighS(der), 32)]) {
    const own = { ...signer, sign: async (message: Uint8Array) => convert(derOf('Org1/admin', message)) };
    const envelope = await signEnvelope(BEFORE, own, NOW);
    t.true(isLow(envelope));
    for (const each of [envelope, await signAsSubmitter(envelope, own, NOW)]) {
      const pair = readEcdsaSignature(readEnvelope(each).submission!.signature);
      t.true(typeof pair !== 'string' && toLowS(pair, CURVES[0]!).s === pair.s);
    }
  }
});

/** A signature in hexadecimal, after as many spaces as the size of the text needs. */
const inText = (bytes: Buffer, size: number): Buffer => Buffer.from(bytes.toString('hex').padStart(size));

test('a signature in a text of 1,000 bytes is added', async (t) => {
  const signer = await signerNamed('Org1/admin');
  const made = inText(derOf('Org1/admin', messageToSign(BEFORE, signer)), 1000);
  t.true(isLow(await addSignature(BEFORE, signer, made)));
});

test('an Ed25519 signature has 64 bytes, in any form', async (t) => {
  const signer = await signerNamed('OrgEd/ed-admin');
  const message = messageToSign(BEFORE, signer);
  const key = createPrivateKey(IDENTITIES['OrgEd/ed-admin']!.key);
  const made = sign(null, message, key);
  for (const given of [made, Buffer.from(made.toString('hex')), Buffer.from(made.toString('base64'))]) {
    const { signatures } = readEnvelope(await addSignature(BEFORE, signer, given));
    t.deepEqual(Buffer.from(signatures[0]!.signature), made);
  }
  for (const [given, reason] of [
    [
      made.subarray(1),
      /^this is not a signature: 63 bytes; 64 bytes is needed, as bytes, hexadecimal or base64$/,
    ],
    [
      sign(null, BEFORE, key),
      /^the signature does not belong to this update and the certificate of CN=.*: another key has signed, or other bytes were signed$/,
    ],
  ] as const)
    await t.throwsAsync(addSignature(BEFORE, signer, given), { code: 'BAD_SIGNATURE', message: reason });
});

const NEEDED = 'DER, or r and s with 32 bytes each, is needed, as bytes, hexadecimal or base64';
const OTHER =
  'the signature does not belong to this update and the certificate of CN=Admin@org1.example.com,OU=admin,L=San Francisco,ST=California,C=US: another key has signed, or other bytes were signed';

for (const [what, make, message] of [
  ['nothing', () => Buffer.from(''), `this is not a signature: it is empty; ${NEEDED}`],
  ['a text', () => Buffer.from('PIN?\n'), `this is not a signature: 5 bytes, "PIN?"; ${NEEDED}`],
  [
    'a text of 101 characters',
    () => Buffer.from(`${'?'.repeat(100)}!`),
    `this is not a signature: 101 bytes, "${'?'.repeat(100)}"; ${NEEDED}`,
  ],
  [
    'a text of more than 1,000 bytes',
    (signed: Uint8Array) => inText(derOf('Org1/admin', signed), 1001),
    `this is not a signature: 1001 bytes; ${NEEDED}`,
  ],
  ['bytes', () => Buffer.alloc(20, 255), `this is not a signature: 20 bytes; ${NEEDED}`],
  ['another key', (signed: Uint8Array) => derOf('Org1/user1', signed), OTHER],
  ['other bytes', () => derOf('Org1/admin', BEFORE), OTHER],
  [
    'a digest that is hashed again',
    (signed: Uint8Array) =>
      derOf('Org1/admin', execFileSync('openssl', ['dgst', '-sha256', '-binary'], { input: signed })),
    'the signer has hashed the digest again: let it sign without a hash, or give it the bytes in place of the digest',
  ],
] as const)
  test(`as a signature made elsewhere, ${what} is refused`, async (t) => {
    const signer = await signerNamed('Org1/admin');
    const given = make(messageToSign(BEFORE, signer));
    const error = await t.throwsAsync(addSignature(BEFORE, signer, given), { instanceOf: TranslateError });
    t.deepEqual([error.code, error.message], ['BAD_SIGNATURE', message]);
  });

test('a signer of the library with another key is refused', async (t) => {
  const own = {
    ...(await signerNamed('Org1/admin')),
    sign: async (message: Uint8Array) => derOf('Org1/user1', message),
  };
  await t.throwsAsync(signEnvelope(BEFORE, own, NOW), { instanceOf: TranslateError, message: OTHER });
});

test('an RSA certificate is no signer', async (t) => {
  await t.throwsAsync(signerNamed('Org1/rsa'), {
    instanceOf: TranslateError,
    message: 'the certificate has an RSA key; ECDSA and Ed25519 are allowed',
  });
});

const ADMIN = { mspid: 'Org1MSP', certificate: certificateOf('Org1/admin') };

for (const flags of [
  [],
  ['-v2', 'aes-128-cbc', '-v2prf', 'hmacWithSHA1'],
  ['-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA512'],
])
  test(`an encrypted key of openssl pkcs8 -topk8 ${flags.join(' ')} signs`, async (t) => {
    const key = execFileSync('openssl', ['pkcs8', '-topk8', ...flags, '-passout', 'pass:gehéim'], {
      input: IDENTITIES['Org1/admin']!.key,
    });
    const signer = await readSigningIdentity({ ...ADMIN, key, password: 'gehéim' });
    t.true(isLow(await signEnvelope(BEFORE, signer, NOW)));
    for (const [password, message] of [
      ['other', 'the password is wrong'],
      [undefined, 'the private key is encrypted, and there is no password'],
    ] as const)
      await t.throwsAsync(readSigningIdentity({ ...ADMIN, key, password }), {
        instanceOf: TranslateError,
        message,
      });
  });

test('a key that is encrypted with another algorithm is named', async (t) => {
  const key = execFileSync('openssl', ['pkcs8', '-topk8', '-scrypt', '-passout', 'pass:x'], {
    input: IDENTITIES['Org1/admin']!.key,
  });
  await t.throwsAsync(readSigningIdentity({ ...ADMIN, key, password: 'x' }), {
    instanceOf: TranslateError,
    message:
      'it is encrypted with an unsupported algorithm, 1.3.6.1.4.1.11591.4.11: PBES2 with PBKDF2 and AES-CBC is supported; convert it, for example with openssl pkcs8 -topk8 -v2 aes-256-cbc',
  });
});

test('a PKCS #12 file of OpenSSL contains a signer, and a wrong password is named', async (t) => {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('key.pem'), IDENTITIES['Org1/admin']!.key);
  writeFileSync(at('cert.pem'), certificateOf('Org1/admin'));
  writeFileSync(at('ca.pem'), certificateOf('Org1/ca'));
  const files = ['-inkey', at('key.pem'), '-in', at('cert.pem'), '-certfile', at('ca.pem')];
  execFileSync('openssl', ['pkcs12', '-export', ...files, '-out', at('id.p12'), '-passout', 'pass:x']);
  const file = readFileSync(at('id.p12'));
  const { certificate, keys, cas } = await readPkcs12(file, 'x');
  const signer = await readSigningIdentity({ mspid: 'Org1MSP', certificate, key: keys[0]!.bytes, cas });
  t.true(isLow(await signEnvelope(BEFORE, signer, NOW)));
  t.is(cas.length, 1);
  await t.throwsAsync(readPkcs12(file, 'y'), {
    instanceOf: TranslateError,
    message: 'the password is wrong',
  });
  for (let length = 0; length < file.length; length += 97)
    await t.throwsAsync(readPkcs12(file.subarray(0, length), 'x'), { instanceOf: TranslateError });
});

test('a PKCS #12 file without encryption contains a signer', async (t) => {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('key.pem'), IDENTITIES['Org1/admin']!.key);
  writeFileSync(at('cert.pem'), certificateOf('Org1/admin'));
  const files = ['-inkey', at('key.pem'), '-in', at('cert.pem'), '-out', at('id.p12')];
  const plain = ['-keypbe', 'NONE', '-certpbe', 'NONE', '-passout', 'pass:'];
  execFileSync('openssl', ['pkcs12', '-export', ...files, ...plain]);
  const { certificate, keys, cas } = await readPkcs12(readFileSync(at('id.p12')), '');
  t.deepEqual([keys.length, cas.length], [1, 0]);
  const signer = await readSigningIdentity({ mspid: 'Org1MSP', certificate, key: keys[0]!.bytes });
  t.true(isLow(await signEnvelope(BEFORE, signer, NOW)));
});

test('the nonce of a signature made elsewhere depends on the update and the signer only', async (t) => {
  const signer = await signerNamed('Org1/admin');
  const { update } = readEnvelope(BEFORE);
  const hash = (...parts: readonly (Uint8Array | string)[]): Buffer =>
    parts.reduce((made, part) => made.update(part), createHash('sha256')).digest();
  const expected = hash('nonce of a config signature', hash(signer.creator), update.bytes);
  const message = messageToSign(BEFORE, signer);
  const header = message.subarray(0, message.length - update.bytes.length);
  const { nonce, creator } = readMessage(CommonSignatureHeader, header);
  t.deepEqual(Buffer.from(nonce), expected.subarray(0, 24));
  t.deepEqual(Buffer.from(creator), Buffer.from(signer.creator));
});

test('the header of the signature and the update are what is signed', async (t) => {
  const signer = await signerNamed('Org1/admin');
  const { signatures, update } = readEnvelope(
    await addSignature(BEFORE, signer, derOf('Org1/admin', messageToSign(BEFORE, signer))),
  );
  t.deepEqual(concatBytes(signatures[0]!.header, update.bytes), messageToSign(BEFORE, signer));
});
