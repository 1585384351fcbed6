// Public keys and signature algorithms that Go's crypto/x509 reads or refuses, with its texts.

import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { importError, keyText, readAlgorithm, readPublicKey } from '../../../translator/msp/public-key.js';
import type { GoVersion } from '../../../translator/msp/releases.js';

const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};
const oid = (digits: string): Buffer => der(0x06, Buffer.from(digits, 'hex'));
const NULL = der(0x05);
const RSA = oid('2a864886f70d010101');
const EC = oid('2a8648ce3d0201');
const ED25519 = oid('2b6570');
const P256 = oid('2a8648ce3d030107');

/** A SubjectPublicKeyInfo. @param algorithm the content of the AlgorithmIdentifier */
const spki = (algorithm: readonly Uint8Array[], key: Uint8Array): Buffer =>
  der(0x30, der(0x30, ...algorithm), der(0x03, Buffer.of(0), key));
const integer = (...bytes: readonly number[]): Buffer => der(0x02, Buffer.from(bytes));
const rsa = (...numbers: readonly Uint8Array[]): Buffer => spki([RSA, NULL], der(0x30, ...numbers));
const THREE = integer(3);
/** An integer with so many bits. */
const integerOf = (bits: number): Buffer => {
  // A leading byte of zero where the first bit is set.
  const digits = (1n << BigInt(bits - 1)).toString(16).padStart(2 * (Math.floor(bits / 8) + 1), '0');
  return der(0x02, Buffer.from(digits, 'hex'));
};

const FAULTS: readonly (readonly [what: string, bytes: Buffer, fault: string, go?: GoVersion])[] = [
  ['no sequence', der(0x31), 'x509: malformed spki'],
  ['nothing', der(0x30), 'x509: malformed public key algorithm identifier'],
  ['no type', spki([], Buffer.of()), 'x509: malformed OID'],
  ['an invalid type', spki([oid('80')], Buffer.of()), 'x509: malformed OID'],
  ['invalid parameters', spki([RSA, Buffer.of(5)], Buffer.of()), 'x509: malformed parameters'],
  ['no key', der(0x30, der(0x30, RSA, NULL)), 'x509: malformed subjectPublicKey'],
  ['an invalid bit string', der(0x30, der(0x30, RSA, NULL), der(0x03)), 'x509: malformed subjectPublicKey'],
  ['RSA without parameters', spki([RSA], der(0x30)), 'x509: RSA key missing NULL parameters'],
  ['RSA with other parameters', spki([RSA, der(0x30)], der(0x30)), 'x509: RSA key missing NULL parameters'],
  [
    'RSA with NULL of a byte',
    spki([RSA, der(0x05, Buffer.of(0))], der(0x30)),
    'x509: RSA key missing NULL parameters',
  ],
  ['RSA with another key', spki([RSA, NULL], der(0x31)), 'x509: invalid RSA public key'],
  ['RSA without a modulus', rsa(), 'x509: invalid RSA modulus'],
  ['RSA without an exponent', rsa(THREE), 'x509: invalid RSA public exponent'],
  ['RSA with a long modulus', rsa(integer(0, 3), THREE), 'x509: invalid RSA modulus'],
  ['RSA with a long exponent', rsa(THREE, integer(0, 3)), 'x509: invalid RSA public exponent'],
  ['RSA with the modulus 0', rsa(integer(0), THREE), 'x509: RSA modulus is not a positive number'],
  ['RSA with a negative modulus', rsa(integer(0x80), THREE), 'x509: RSA modulus is not a positive number'],
  ['RSA with the exponent 0', rsa(THREE, integer(0)), 'x509: RSA public exponent is not a positive number'],
  [
    'RSA with a negative exponent',
    rsa(THREE, integer(0xff)),
    'x509: RSA public exponent is not a positive number',
  ],
  [
    'RSA with 16,385 bits',
    rsa(integerOf(16_385), THREE),
    'x509: RSA modulus of 16385 bits; at most 16384 are allowed',
  ],
  ['ECDSA without a curve', spki([EC], Buffer.of(4)), 'x509: invalid ECDSA parameters'],
  ['ECDSA with NULL', spki([EC, NULL], Buffer.of(4)), 'x509: invalid ECDSA parameters'],
  ['ECDSA with an invalid curve', spki([EC, oid('80')], Buffer.of(4)), 'x509: invalid ECDSA parameters'],
  [
    'ECDSA with another curve',
    spki([EC, oid('2b8104000a')], Buffer.of(4)),
    'x509: unsupported elliptic curve',
  ],
  [
    'ECDSA without a point',
    spki([EC, P256], Buffer.of(4)),
    'x509: failed to unmarshal elliptic curve point',
    '1.25',
  ],
  ['ECDSA without a point', spki([EC, P256], Buffer.of(4)), 'invalid P256 point encoding', '1.26'],
  [
    'Ed25519 with parameters',
    spki([ED25519, NULL], Buffer.alloc(32)),
    'x509: Ed25519 key encoded with illegal parameters',
  ],
  ['Ed25519 with 31 bytes', spki([ED25519], Buffer.alloc(31)), 'x509: wrong Ed25519 public key size'],
  ['Ed25519 with 33 bytes', spki([ED25519], Buffer.alloc(33)), 'x509: wrong Ed25519 public key size'],
];
for (const [what, bytes, message, go = '1.26'] of FAULTS)
  test(`a public key of ${what} is refused by Go ${go}: ${message}`, (t) => {
    t.throws(() => readPublicKey(bytes, go), { instanceOf: TranslateError, message });
  });

const made = (curve: string): Buffer =>
  generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ type: 'spki', format: 'der' });

for (const [bytes, text, imported] of [
  [made('P-256'), 'P-256', ['2.5', '3.0']],
  [made('P-384'), 'P-384', ['2.5', '3.0']],
  [made('P-521'), 'P-521', ['2.5', '3.0']],
  [made('secp224r1'), 'P-224', ['2.5', '3.0']],
  [rsa(integerOf(16_384), THREE), 'RSA 16384', ['2.5', '3.0']],
  [rsa(integerOf(9), integer(1)), 'RSA 9', ['2.5', '3.0']],
  [spki([ED25519], Buffer.alloc(32)), 'Ed25519', ['3.0']],
  [spki([oid('2a03'), NULL], Buffer.alloc(2)), 'key of algorithm 1.2.3', []],
] as const)
  test(`a public key is read: ${text}, which Fabric ${imported.join(' and ') || 'never'} imports`, (t) => {
    const key = readPublicKey(bytes, '1.26');
    t.is(keyText(key), text);
    t.deepEqual(Buffer.from(key.spki), bytes);
    for (const [fabric, supported] of [
      ['2.5', 'ECDSA, RSA'],
      ['3.0', 'ECDSA, ED25519, RSA'],
    ] as const)
      t.is(
        importError(key, fabric),
        (imported as readonly string[]).includes(fabric)
          ? undefined
          : `Failed importing key with opts [&{true}]: Certificate's public key type not recognized. Supported keys: [${supported}]`,
      );
  });

for (const [id, name, key, hash] of [
  ['2a8648ce380403', 'DSA-SHA1', 'DSA', 'SHA-1'],
  ['608648016503040302', 'DSA-SHA256', 'DSA', 'SHA-256'],
  ['2a8648ce3d0401', 'ECDSA-SHA1', 'ECDSA', 'SHA-1'],
  ['2a8648ce3d040302', 'ECDSA-SHA256', 'ECDSA', 'SHA-256'],
  ['2a8648ce3d040303', 'ECDSA-SHA384', 'ECDSA', 'SHA-384'],
  ['2a8648ce3d040304', 'ECDSA-SHA512', 'ECDSA', 'SHA-512'],
  ['2b6570', 'Ed25519', 'Ed25519', undefined],
  ['2a864886f70d010105', 'SHA1-RSA', 'RSA', 'SHA-1'],
  ['2a864886f70d01010b', 'SHA256-RSA', 'RSA', 'SHA-256'],
  ['2a864886f70d01010c', 'SHA384-RSA', 'RSA', 'SHA-384'],
  ['2a864886f70d01010d', 'SHA512-RSA', 'RSA', 'SHA-512'],
  ['2a03', '1.2.3', 'unknown', undefined],
] as const)
  test(`the object identifier ${id} is the signature algorithm ${name}`, (t) => {
    const raw = der(0x30, oid(id));
    t.deepEqual(readAlgorithm({ tag: 0x30, content: raw.subarray(2), raw }), { name, key, hash });
  });
