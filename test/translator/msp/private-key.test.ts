// Private keys of signing identities in MSPs. The texts, and which keys are imported, are as the programs of 2.5.12 and 3.1.5 decide.

import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import test from 'ava';
import { privateKeyError } from '../../../translator/msp/private-key.js';

const ec = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey;
const pkcs8 = (key: KeyObject): Buffer => key.export({ type: 'pkcs8', format: 'der' });
const P256 = ec('prime256v1');
const KEY = pkcs8(P256);
const SEC1 = P256.export({ type: 'sec1', format: 'der' });
const RSA = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
/** A key with other bytes from an offset on. */
const changed = (der: Buffer, at: number, ...bytes: readonly number[]): Buffer =>
  Buffer.concat([der.subarray(0, at), Buffer.from(bytes), der.subarray(at + bytes.length)]);

const INVALID = 'invalid key type. The DER must contain an ecdsa.PrivateKey';
const UNKNOWN =
  'Failed converting PKIX to ECDSA public key [found unknown private key type in PKCS#8 wrapping]';
const OTHER = 'Failed casting to ECDSA private key. Invalid raw material.';
const NONE = `Failed converting PKIX to ECDSA public key [${INVALID}]`;
const NONE_3 = `Failed converting PKIX to ECDSA public key [${INVALID} or an ed25519.PrivateKey]`;

for (const [what, der, of25, of3] of [
  ['P-256 in PKCS #8', KEY],
  ['P-256 in SEC 1', SEC1],
  ['P-224', pkcs8(ec('secp224r1'))],
  ['P-384', pkcs8(ec('secp384r1'))],
  ['P-521', pkcs8(ec('secp521r1'))],
  ['P-256 and more bytes', Buffer.concat([KEY, Buffer.of(0)])],
  ['SEC 1, with a wrong length of the tag around the curve', changed(SEC1, 40, 0x7f)],
  ['secp256k1', pkcs8(ec('secp256k1')), NONE, NONE_3],
  ['RSA in PKCS #8', pkcs8(RSA), UNKNOWN, UNKNOWN],
  ['RSA in PKCS #1', RSA.export({ type: 'pkcs1', format: 'der' }), OTHER, OTHER],
  ['Ed25519', pkcs8(generateKeyPairSync('ed25519').privateKey), UNKNOWN, OTHER],
  ['X25519', pkcs8(generateKeyPairSync('x25519').privateKey), UNKNOWN, UNKNOWN],
  ['a public key', createPublicKey(P256).export({ type: 'spki', format: 'der' }), NONE, NONE_3],
  [
    'an encrypted key',
    P256.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase: 'x' }),
    NONE,
    NONE_3,
  ],
  ['garbage', Buffer.from('garbage'), NONE, NONE_3],
  ['half of a key', KEY.subarray(0, KEY.length / 2), NONE, NONE_3],
  ['SEC 1 of version 2', changed(SEC1, 4, 2), NONE, NONE_3],
  [
    'SEC 1 with a number above the order',
    changed(SEC1, 7, ...Array.from({ length: 32 }, () => 0xff)),
    NONE,
    NONE_3,
  ],
  ['SEC 1 with an empty tag around the curve', changed(SEC1, 40, 0), NONE, NONE_3],
  [
    'an empty block',
    Buffer.alloc(0),
    '[ECDSADERPrivateKeyImportOpts] Invalid raw. It must not be nil.',
    '[ECDSADERPrivateKeyImportOpts] Invalid raw. It must not be nil.',
  ],
] as const)
  test(`the key of a signing identity, ${what}: ${of25 === undefined ? 'it is imported' : of25 === of3 ? of25 : `2.5: ${of25}; 3.x: ${of3}`}`, (t) => {
    const text = (error: string | undefined) => error && `Failed importing key with opts [&{true}]: ${error}`;
    t.deepEqual([privateKeyError(der, '2.5'), privateKeyError(der, '3.0')], [text(of25), text(of3)]);
  });
