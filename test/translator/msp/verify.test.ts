// Signatures of certificates as Go verifies them, and of identities as Fabric does: the errors before anything is computed.

import { constants, generateKeyPairSync, sign } from 'node:crypto';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import {
  readAlgorithm,
  readPublicKey,
  type PublicKey,
  type SignatureAlgorithm,
} from '../../../translator/msp/public-key.js';
import type { GoVersion } from '../../../translator/msp/releases.js';
import { checkSignature } from '../../../translator/msp/verify.js';
import { setupMsp, verifySignature, type Identity } from '../../../translator/msp/index.js';
import { bytesField, numberField } from '../../helpers/codec.js';
import { lowS, makeCertificate } from '../../helpers/made-certificates.js';

const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ED = generateKeyPairSync('ed25519');
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const RSA_1024 = generateKeyPairSync('rsa', { modulusLength: 1024 });
const SMALL_RSA = generateKeyPairSync('rsa', { modulusLength: 1016 });

const keyOf = ({ publicKey }: typeof EC): PublicKey =>
  readPublicKey(publicKey.export({ type: 'spki', format: 'der' }), '1.23');
const SIGNED = Buffer.from('signed');
const OTHER = Buffer.from('other bytes');

const ECDSA_SHA256: SignatureAlgorithm = { name: 'ECDSA-SHA256', key: 'ECDSA', hash: 'SHA-256' };
const RSA_SHA256: SignatureAlgorithm = { name: 'SHA256-RSA', key: 'RSA', hash: 'SHA-256' };
const RSA_SHA1: SignatureAlgorithm = { name: 'SHA1-RSA', key: 'RSA', hash: 'SHA-1' };
const DSA_SHA1: SignatureAlgorithm = { name: 'DSA-SHA1', key: 'DSA', hash: 'SHA-1' };
const ED25519: SignatureAlgorithm = { name: 'Ed25519', key: 'Ed25519', hash: undefined };
const UNKNOWN: SignatureAlgorithm = { name: '0', key: 'unknown', hash: undefined };

const CASES: readonly (readonly [
  what: string,
  algorithm: SignatureAlgorithm,
  key: PublicKey,
  signature: Uint8Array,
  go: GoVersion,
  fault: string | undefined,
])[] = [
  ['of ECDSA', ECDSA_SHA256, keyOf(EC), sign('sha256', SIGNED, EC.privateKey), '1.26', undefined],
  [
    'of ECDSA over other bytes',
    ECDSA_SHA256,
    keyOf(EC),
    sign('sha256', OTHER, EC.privateKey),
    '1.26',
    'x509: ECDSA verification failure',
  ],
  [
    'of ECDSA that is not DER',
    ECDSA_SHA256,
    keyOf(EC),
    Buffer.from('x'),
    '1.26',
    'x509: ECDSA verification failure',
  ],
  [
    'of ECDSA with a byte after it',
    ECDSA_SHA256,
    keyOf(EC),
    concatBytes(sign('sha256', SIGNED, EC.privateKey), Uint8Array.of(0)),
    '1.26',
    'x509: ECDSA verification failure',
  ],
  ['of RSA', RSA_SHA256, keyOf(RSA), sign('sha256', SIGNED, RSA.privateKey), '1.26', undefined],
  [
    'of RSA over other bytes',
    RSA_SHA256,
    keyOf(RSA),
    sign('sha256', OTHER, RSA.privateKey),
    '1.26',
    'crypto/rsa: verification error',
  ],
  [
    'of RSA with 1016 bits',
    RSA_SHA256,
    keyOf(SMALL_RSA),
    sign('sha256', SIGNED, SMALL_RSA.privateKey),
    '1.23',
    undefined,
  ],
  [
    'of RSA with 1016 bits',
    RSA_SHA256,
    keyOf(SMALL_RSA),
    sign('sha256', SIGNED, SMALL_RSA.privateKey),
    '1.24',
    'crypto/rsa: 1016-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)',
  ],
  [
    'of RSA with 1024 bits',
    RSA_SHA256,
    keyOf(RSA_1024),
    sign('sha256', SIGNED, RSA_1024.privateKey),
    '1.24',
    undefined,
  ],
  ['of Ed25519', ED25519, keyOf(ED), sign(null, SIGNED, ED.privateKey), '1.26', undefined],
  [
    'of Ed25519 over other bytes',
    ED25519,
    keyOf(ED),
    sign(null, OTHER, ED.privateKey),
    '1.26',
    'x509: Ed25519 verification failure',
  ],
  [
    'of ECDSA, and a key of RSA',
    ECDSA_SHA256,
    keyOf(RSA),
    SIGNED,
    '1.26',
    'x509: signature algorithm specifies an ECDSA public key, but have public key of type *rsa.PublicKey',
  ],
  [
    'of ECDSA, and a key of Ed25519',
    ECDSA_SHA256,
    keyOf(ED),
    SIGNED,
    '1.26',
    'x509: signature algorithm specifies an ECDSA public key, but have public key of type ed25519.PublicKey',
  ],
  [
    'of Ed25519, and a key of ECDSA',
    ED25519,
    keyOf(EC),
    SIGNED,
    '1.26',
    'x509: signature algorithm specifies an Ed25519 public key, but have public key of type *ecdsa.PublicKey',
  ],
  [
    'of RSA with SHA-1',
    RSA_SHA1,
    keyOf(RSA),
    SIGNED,
    '1.23',
    'x509: cannot verify signature: insecure algorithm SHA1-RSA (temporarily override with GODEBUG=x509sha1=1)',
  ],
  [
    'of RSA with SHA-1',
    RSA_SHA1,
    keyOf(RSA),
    SIGNED,
    '1.24',
    'x509: cannot verify signature: insecure algorithm SHA1-RSA',
  ],
  [
    'of DSA with SHA-1',
    DSA_SHA1,
    keyOf(RSA),
    SIGNED,
    '1.23',
    'x509: cannot verify signature: insecure algorithm DSA-SHA1',
  ],
  [
    'of an unknown algorithm',
    UNKNOWN,
    keyOf(RSA),
    SIGNED,
    '1.26',
    'x509: cannot verify signature: algorithm unimplemented',
  ],
];
for (const [what, algorithm, key, signature, go, fault] of CASES)
  for (const isOneOfMany of [false, true])
    test(`a signature of a certificate ${what}${isOneOfMany ? ', by one of many keys,' : ''} is, in Go ${go}, ${fault ?? 'valid'}`, async (t) => {
      // The results of signed bytes are cached by their array.
      const signed = { signed: Uint8Array.from(SIGNED), algorithm, signature };
      t.is(await checkSignature(signed, key, go, isOneOfMany), fault);
    });

const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag, content.length), content]);
};
const NULL = der(0x05);
const algorithmOf = (oid: string, ...parameters: readonly Uint8Array[]): Buffer =>
  der(0x30, der(0x06, Buffer.from(oid, 'hex')), ...parameters);
const SHA = {
  'SHA-1': '2b0e03021a',
  'SHA-256': '608648016503040201',
  'SHA-384': '608648016503040202',
  'SHA-512': '608648016503040203',
} as const;
const MGF1 = '2a864886f70d010108';
const SHA256 = algorithmOf(SHA['SHA-256'], NULL);

/** The AlgorithmIdentifier of RSA-PSS with these parameters. */
const pss = (...parameters: readonly Uint8Array[]): SignatureAlgorithm => {
  const raw = algorithmOf('2a864886f70d01010a', ...parameters);
  return readAlgorithm({ tag: 0x30, content: raw.subarray(2), raw });
};
const pssWith = (
  hash: Uint8Array,
  mask: Uint8Array,
  salt: number,
  ...more: readonly Uint8Array[]
): SignatureAlgorithm =>
  pss(
    der(
      0x30,
      der(0xa0, hash),
      der(0xa1, algorithmOf(MGF1, mask)),
      der(0xa2, der(0x02, Buffer.of(salt))),
      ...more,
    ),
  );
const trailer = (number: number): Buffer => der(0xa3, der(0x02, Buffer.of(number)));

for (const [hash, node, salt] of [
  ['SHA-256', 'sha256', 32],
  ['SHA-384', 'sha384', 48],
  ['SHA-512', 'sha512', 64],
] as const)
  test(`a signature of RSA-PSS with ${hash} and a salt of ${salt} bytes is verified`, async (t) => {
    const own = algorithmOf(SHA[hash], NULL);
    const key = { key: RSA.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: salt };
    const verified = (signature: Uint8Array): Promise<string | undefined> =>
      checkSignature(
        { signed: Uint8Array.from(SIGNED), algorithm: pssWith(own, own, salt), signature },
        keyOf(RSA),
        '1.26',
      );
    t.is(await verified(sign(node, SIGNED, key)), undefined);
    for (const wrong of [
      sign(node, OTHER, key),
      sign(node, SIGNED, { ...key, saltLength: salt - 1 }),
      sign(node, SIGNED, RSA.privateKey),
    ])
      t.is(await verified(wrong), 'crypto/rsa: verification error');
  });

const KNOWN_PSS: readonly (readonly [what: string, algorithm: SignatureAlgorithm])[] = [
  ['hashes without parameters', pssWith(algorithmOf(SHA['SHA-256']), algorithmOf(SHA['SHA-256']), 32)],
  ['the usual trailer', pssWith(SHA256, SHA256, 32, trailer(1))],
];
for (const [what, { name }] of KNOWN_PSS)
  test(`RSA-PSS with ${what} is a known algorithm`, (t) => t.is(name, 'SHA256-RSAPSS'));

const UNKNOWN_PSS: readonly (readonly [what: string, algorithm: SignatureAlgorithm])[] = [
  ['no parameters', pss()],
  ['NULL as parameters', pss(NULL)],
  ['empty parameters', pss(der(0x30))],
  ['a salt of another length', pssWith(SHA256, SHA256, 20)],
  ['another hash in the mask', pssWith(SHA256, algorithmOf(SHA['SHA-384'], NULL), 32)],
  ['SHA-1', pssWith(algorithmOf(SHA['SHA-1'], NULL), algorithmOf(SHA['SHA-1'], NULL), 20)],
  ['parameters of its hash', pssWith(algorithmOf(SHA['SHA-256'], der(0x30)), SHA256, 32)],
  ['another trailer', pssWith(SHA256, SHA256, 32, trailer(2))],
  [
    'another mask',
    pss(
      der(
        0x30,
        der(0xa0, SHA256),
        der(0xa1, algorithmOf(SHA['SHA-256'], SHA256)),
        der(0xa2, der(0x02, Buffer.of(32))),
      ),
    ),
  ],
];
for (const [what, algorithm] of UNKNOWN_PSS)
  test(`RSA-PSS with ${what} is an unknown algorithm, as in Go`, (t) => {
    t.deepEqual(algorithm, { name: '1.2.840.113549.1.1.10', key: 'unknown', hash: undefined });
  });

const ROOT = makeCertificate({ commonName: 'root' });
const LEAF = makeCertificate({ commonName: 'leaf', unit: 'client', issuer: ROOT, isCa: false });

/** An identity of an MSP with a hash family. */
async function identityOf(hashFamily: string): Promise<Identity> {
  const unit = (name: string): Buffer => bytesField(2, Buffer.from(name));
  const nodeOus = concatBytes(numberField(1, 1), bytesField(2, unit('client')), bytesField(4, unit('admin')));
  const { msp } = await setupMsp(
    concatBytes(
      bytesField(1, 'Org1MSP'),
      bytesField(2, ROOT.pem),
      bytesField(8, concatBytes(bytesField(1, hashFamily), bytesField(2, 'SHA256'))),
      bytesField(11, nodeOus),
    ),
    'V1_4_3',
  );
  return msp!.identityOf(LEAF.pem);
}

const MESSAGE = Buffer.from('message');
const P256_SHA256 = sign('sha256', MESSAGE, { key: LEAF.key, dsaEncoding: 'der' });
for (const [hashFamily, signature, fault] of [
  ['MD5', P256_SHA256, 'failed getting hash function options: hash famility not recognized [MD5]'],
  [
    'SHA2',
    Buffer.of(),
    'could not determine the validity of the signature: Invalid signature. Cannot be empty.',
  ],
  [
    'MD5',
    Buffer.of(),
    'could not determine the validity of the signature: Invalid signature. Cannot be empty.',
  ],
] as const)
  test(`a signature of ${signature.length === 0 ? 'no bytes' : 'an identity'} in an MSP with the hash family ${hashFamily}: ${fault}`, async (t) => {
    t.is(await verifySignature(await identityOf(hashFamily), MESSAGE, signature), fault);
  });

test('in an MSP with the hash family SHA3, a signature over SHA-256 is not valid', async (t) => {
  const low = lowS(P256_SHA256);
  t.is(await verifySignature(await identityOf('SHA2'), MESSAGE, low), undefined);
  t.is(await verifySignature(await identityOf('SHA3'), MESSAGE, low), 'The signature is invalid');
});
