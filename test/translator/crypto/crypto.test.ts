// The cryptography for Node.js and for browsers, which must give the same results.

import { constants, createECDH, createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import test from 'ava';
import * as node from '../../../translator/crypto/index.js';
import * as web from '../../../translator/crypto/web.js';

const MESSAGE = Buffer.from('a message');
const IMPLEMENTATIONS = [
  ['in Node.js', node],
  ['in browsers', web satisfies typeof node],
] as const;

for (const [name, ofNode] of [
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
  ['SHA3-256', 'sha3-256'],
  ['SHA3-384', 'sha3-384'],
] as const)
  for (const [where, { digest }] of IMPLEMENTATIONS)
    test(`${name} of two parts is the hash of both joined, ${where}`, (t) => {
      // Around the sizes of the blocks of these functions.
      for (const size of [1, 55, 56, 63, 64, 65, 103, 104, 105, 111, 112, 127, 128, 135, 136, 137, 500]) {
        const bytes = new Uint8Array(size).fill(size);
        const expected = new Uint8Array(createHash(ofNode).update(bytes).digest());
        t.deepEqual(digest(name, [bytes.subarray(0, size >> 1), bytes.subarray(size >> 1)]), expected);
      }
    });

interface Signer {
  readonly scheme: node.Scheme;
  readonly spki: Buffer;
  readonly signature: Buffer;
}

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

function ecdsa(namedCurve: 'P-256' | 'P-384' | 'P-521', hash: 'SHA-256' | 'SHA-512'): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign(hash.replace('-', ''), MESSAGE, key);
  return { scheme: { name: 'ECDSA', namedCurve, hash }, spki: spkiOf(publicKey), signature };
}

function ed25519(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    scheme: { name: 'Ed25519' },
    spki: spkiOf(publicKey),
    signature: sign(undefined, MESSAGE, privateKey),
  };
}

function rsaPss(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 };
  return {
    scheme: { name: 'RSA-PSS', hash: 'SHA-384', saltLength: 48 },
    spki: spkiOf(publicKey),
    signature: sign('sha384', MESSAGE, key),
  };
}

function rsa(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    scheme: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    spki: spkiOf(publicKey),
    signature: sign('sha256', MESSAGE, privateKey),
  };
}

const SIGNERS: ReadonlyMap<string, Signer> = new Map([
  ['P-256', ecdsa('P-256', 'SHA-256')],
  ['P-384', ecdsa('P-384', 'SHA-256')],
  ['P-521', ecdsa('P-521', 'SHA-512')],
  ['Ed25519', ed25519()],
  ['RSA', rsa()],
  ['RSA with PSS', rsaPss()],
]);

/** A copy with one changed byte. */
function changed(bytes: Uint8Array, index: number): Uint8Array {
  const copy = new Uint8Array(bytes);
  copy[index]! ^= 1;
  return copy;
}

for (const [name, { scheme, spki, signature }] of SIGNERS)
  for (const [where, { importVerifier }] of IMPLEMENTATIONS) {
    test(`a signature with a key of ${name} is valid for its message only, ${where}`, async (t) => {
      const verify = await importVerifier(spki, scheme);
      t.true(await verify(signature, MESSAGE));
      t.false(await verify(signature, changed(MESSAGE, 0)));
      t.false(await verify(changed(signature, 9), MESSAGE));
      t.false(await verify(new Uint8Array(signature.length), MESSAGE));
      t.false(await verify(signature.subarray(1), MESSAGE));
      t.false(await verify(new Uint8Array(), MESSAGE));
    });
    test(`a truncated key of ${name} is refused, ${where}`, async (t) => {
      await t.throwsAsync(async () => importVerifier(spki.subarray(0, -1), scheme), { any: true });
    });
  }

for (const name of ['P-256', 'P-384', 'P-521'])
  for (const [where, { importVerifier }] of IMPLEMENTATIONS)
    test(`a point that is not on ${name} is not a key, ${where}`, async (t) => {
      const { spki, scheme } = SIGNERS.get(name)!;
      await t.throwsAsync(async () => importVerifier(changed(spki, spki.length - 1), scheme), { any: true });
    });

for (const [name, openssl, size] of [
  ['P-224', 'secp224r1', 28],
  ['P-256', 'prime256v1', 32],
  ['P-384', 'secp384r1', 48],
  ['P-521', 'secp521r1', 66],
] as const)
  test(`multiples of the points of ${name} are computed in Node.js`, (t) => {
    const points = node.pointsOf(name)!;
    const number = (value: number): Buffer => Buffer.from(value.toString(16).padStart(2 * size, '0'), 'hex');
    const made = (factor: number): Buffer => {
      const ecdh = createECDH(openssl);
      ecdh.setPrivateKey(number(factor));
      return ecdh.getPublicKey();
    };
    t.deepEqual(Buffer.from(points.ofBase(number(7))), made(7));
    const base = made(1);
    const multiple = points.ofPointAt(base.subarray(1, 1 + size), number(7))!;
    t.is(multiple[0], 4);
    // One of the two points with this coordinate: the result has the same coordinate for both.
    t.deepEqual(Buffer.from(multiple.subarray(1, 1 + size)), made(7).subarray(1, 1 + size));
    t.is(points.ofPointAt(Buffer.alloc(size, 0xff), number(7)), undefined);
  });

test('browsers lack P-224 and operations on points', (t) => {
  t.deepEqual(
    (['P-224', 'P-256', 'P-384', 'P-521'] as const).map((name) => [
      web.hasCurve(name),
      web.pointsOf(),
      node.hasCurve(name),
    ]),
    [
      [false, undefined, true],
      [true, undefined, true],
      [true, undefined, true],
      [true, undefined, true],
    ],
  );
});
