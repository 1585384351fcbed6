// The public keys of an Idemix MSP on the curve FP256BN. The secret of the issuer is 1, so that its public points are the generators.

import { createHash, generateKeyPairSync } from 'node:crypto';

const ORDER = 0xfffffffffffcf0cd46e5f25eee71a49e0cdc65fb1299921af62d536cd10b500dn;

const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

/** The coordinates of the generators; those of G2 have two parts each. */
const G1 = [1n, 2n].map(bytesOf);
const G2 = [
  0xfe0c3350b4c96c2028560f577c28913ace1c539a12bf843cd22616b689c09efbn,
  0x4ea66057738ac054db5ae1c637d813b924dd78e287d03589d269ed34a37e6a2bn,
  0x702046e7c542a3b376770d75124e3e51efcb24758d615848e909b481bedc27ffn,
  0x0554e3bcd388c29042eea649297eb29f8b4cbe80821a98b3e01281114aad049bn,
].map(bytesOf);
/** The attributes that Fabric requires, in their order. */
const ATTRIBUTES = ['OU', 'Role', 'EnrollmentID', 'RevocationHandle'];

/** A field of a message, of at most 16 KiB. */
const field = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([(number << 3) | 2]),
    Buffer.from(bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7]),
    bytes,
  ]);
const message = (parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat(parts.map((part, index) => field(index + 1, part)));

/** `msp/IssuerPublicKey`: an `IssuerPublicKey` with a valid proof that the issuer knows its secret. */
export function issuerPublicKey(): Buffer {
  const [point, point2] = [message(G1), message(G2)];
  const [text, text2] = [Buffer.concat([Buffer.from([4]), ...G1]), Buffer.concat(G2)];
  // The random number of the proof is 1 as well.
  const hashed = Buffer.concat([text2, text, text2, text, text2, text]);
  const challenge = BigInt(`0x${createHash('sha256').update(hashed).digest('hex')}`) % ORDER;
  return Buffer.concat([
    ...ATTRIBUTES.map((name) => field(1, Buffer.from(name))),
    field(2, point),
    field(3, point),
    ...ATTRIBUTES.map(() => field(4, point)),
    field(5, point2),
    field(6, point),
    field(7, point),
    field(8, bytesOf(challenge)),
    field(9, bytesOf((challenge + 1n) % ORDER)),
  ]);
}

/** `msp/RevocationPublicKey` */
export const revocationPublicKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({
    type: 'spki',
    format: 'pem',
  }) as string;
