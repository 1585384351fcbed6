// Certificates for large channels, made in the process: openssl takes longer than a second for a hundred.

import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate with its key. */
export interface Made {
  readonly pem: Buffer;
  readonly key: KeyObject;
  readonly name: Buffer;
}

/** What a certificate is for. */
export interface Wanted {
  readonly commonName: string;
  readonly unit?: string;
  /** Undefined for a CA, which signs itself. */
  readonly issuer?: Made;
}

/** Makes a certificate with a P-256 key, valid from 2026 to 2036. */
export function makeCertificate({ commonName, unit, issuer }: Wanted): Made {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const name = der(
    0x30,
    ...(unit === undefined ? [] : [attribute('55040b', unit)]),
    attribute('550403', commonName),
  );
  const isCa = issuer === undefined;
  const extensions = [
    extension('551d0f', true, Buffer.from(isCa ? '03020106' : '03020780', 'hex')),
    extension('551d13', true, isCa ? der(0x30, Buffer.from('0101ff', 'hex')) : der(0x30)),
    ...(isCa ? [extension('551d0e', false, der(0x04, createHash('sha256').update(spki).digest()))] : []),
  ];
  const body = der(
    0x30,
    der(0xa0, Buffer.from('020102', 'hex')),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ALGORITHM,
    issuer?.name ?? name,
    der(0x30, der(0x17, Buffer.from('260101000000Z')), der(0x17, Buffer.from('360101000000Z'))),
    name,
    spki,
    der(0xa3, der(0x30, ...extensions)),
  );
  const signature = lowS(sign('sha256', body, issuer?.key ?? privateKey));
  const bytes = der(0x30, body, ALGORITHM, der(0x03, Buffer.from([0]), signature));
  return { pem: pemOf(bytes), key: privateKey, name };
}

/** The DER of an element. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** ecdsa-with-SHA256 */
const ALGORITHM = der(0x30, oid('2a8648ce3d040302'));

const attribute = (type: string, text: string): Buffer =>
  der(0x31, der(0x30, oid(type), der(0x0c, Buffer.from(text))));

const extension = (type: string, isCritical: boolean, value: Buffer): Buffer =>
  der(0x30, oid(type), ...(isCritical ? [Buffer.from('0101ff', 'hex')] : []), der(0x04, value));

const LINE = /.{1,64}/g;

const pemOf = (bytes: Buffer): Buffer =>
  Buffer.from(
    `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').match(LINE)!.join('\n')}\n-----END CERTIFICATE-----\n`,
  );

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** An ECDSA signature (DER) of P-256 with low s. */
export function lowS(signature: Buffer): Buffer {
  const r = signature.subarray(4, 4 + signature[3]!);
  const s = BigInt(`0x${signature.subarray(6 + signature[3]!).toString('hex')}`);
  if (s <= ORDER >> 1n) return signature;
  const hex = (ORDER - s).toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const positive = bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return der(0x30, der(0x02, r), der(0x02, positive));
}
