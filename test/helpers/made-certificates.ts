// Certificates made in the process: openssl takes longer than a second for twenty.

import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate with its key. */
export interface Made {
  readonly pem: Buffer;
  readonly key: KeyObject;
  readonly name: Buffer;
}

/** What a certificate is for. */
export interface Wanted {
  readonly commonName: string;
  readonly organization?: string;
  readonly unit?: string;
  /** Undefined for a CA, which signs itself. */
  readonly issuer?: Made;
  /** Whether it is a CA. @default one without an issuer is */
  readonly isCa?: boolean;
  /** Bytes in place of a signature, as of an RSA key. @default the signature of the issuer */
  readonly rsaSignature?: Buffer;
  /** Start and end as `YYYYMMDDHHMMSSZ`, before 2050. @default from 2026 to 2036 */
  readonly validity?: readonly [string, string];
  /** The extended key usage. @default none */
  readonly usage?: Usage | undefined;
  /** Its private key, such as that of the certificate that it renews. @default a new one */
  readonly key?: KeyObject;
  /**
   * The subject alternative names: `DNS:localhost`, `IP:127.0.0.1`, `URI:spiffe://…` or `EMAIL:a@example.com`, in Latin-1; an `IP` may also be in
   * hexadecimal. @default none
   */
  readonly names?: readonly string[];
  /** Whether a CA has a subject key identifier. @default true */
  readonly hasKeyId?: boolean;
  /** The name constraints of a CA, like names; an `IP` is the address and the mask in hexadecimal. @default none */
  readonly constraints?: { readonly permitted?: readonly string[]; readonly excluded?: readonly string[] };
  /** Further extensions, not critical: their types and values in hexadecimal. @default none */
  readonly extensions?: readonly (readonly [type: string, value: string])[];
}

/** An extended key usage. */
export type Usage = 'clientAuth' | 'serverAuth' | 'codeSigning';

const YEARS = ['20260101000000Z', '20360101000000Z'] as const;
const USAGES: Readonly<Record<Usage, string>> = {
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
  codeSigning: '2b06010505070303',
};

/** Makes a certificate with a P-256 key. */
export function makeCertificate(wanted: Wanted): Made {
  const { issuer, validity = YEARS, usage, names = [], constraints, hasKeyId = true } = wanted;
  const { extensions: further = [] } = wanted;
  const privateKey = wanted.key ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const publicKey = createPublicKey(privateKey);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const name = subjectName(wanted);
  const { isCa = issuer === undefined, rsaSignature } = wanted;
  const algorithm = rsaSignature === undefined ? ALGORITHM : RSA_ALGORITHM;
  const extensions = [
    extension('551d0f', true, Buffer.from(isCa ? '03020106' : '03020780', 'hex')),
    extension('551d13', true, isCa ? der(0x30, Buffer.from('0101ff', 'hex')) : der(0x30)),
    ...(isCa && hasKeyId ? [extension('551d0e', false, der(0x04, keyIdOf(publicKey)))] : []),
    ...(usage === undefined ? [] : [extension('551d25', false, der(0x30, oid(USAGES[usage])))]),
    ...(constraints === undefined ? [] : [extension('551d1e', true, nameConstraints(constraints))]),
    ...(names.length === 0 ? [] : [extension('551d11', false, der(0x30, ...names.map(alternativeName)))]),
    ...further.map(([type, value]) => extension(type, false, Buffer.from(value, 'hex'))),
  ];
  const body = der(
    0x30,
    der(0xa0, Buffer.from('020102', 'hex')),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    issuer?.name ?? name,
    der(0x30, ...validity.map((time) => der(0x17, Buffer.from(time.slice(2))))),
    name,
    spki,
    der(0xa3, der(0x30, ...extensions)),
  );
  const signature = rsaSignature ?? lowS(sign('sha256', body, issuer?.key ?? privateKey));
  const bytes = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature));
  return { pem: pemOf(bytes), key: privateKey, name };
}

/** Makes a revocation list (PEM) of a CA. @param by who has signed it; undefined: nobody */
export function makeRevocationList(issuer: Uint8Array, serials: readonly bigint[], by?: Made): Buffer {
  const time = der(0x17, Buffer.from('260101000000Z'));
  const entries = serials.map((serial) => {
    const hex = serial.toString(16);
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
    return der(0x30, der(0x02, bytes[0]! < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes])), time);
  });
  const keyId = extension(
    '551d23',
    false,
    der(0x30, der(0x80, by === undefined ? Buffer.alloc(32) : keyIdOf(createPublicKey(by.key)))),
  );
  const body = der(
    0x30,
    der(0x02, Buffer.from([1])),
    ALGORITHM,
    issuer,
    time,
    time,
    der(0x30, ...entries),
    der(0xa0, der(0x30, keyId)),
  );
  const signature = by === undefined ? Buffer.from([0]) : lowS(sign('sha256', body, by.key));
  return pemOf(der(0x30, body, ALGORITHM, der(0x03, Buffer.from([0]), signature)), 'X509 CRL');
}

/** The subject key identifier of a CA. */
const keyIdOf = (key: KeyObject): Buffer =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();

/** The subject (DER) of a certificate. */
export function subjectName({ commonName, organization, unit }: Wanted): Buffer {
  return der(
    0x30,
    ...(organization === undefined ? [] : [attribute('55040a', organization)]),
    ...(unit === undefined ? [] : [attribute('55040b', unit)]),
    attribute('550403', commonName),
  );
}

function alternativeName(text: string): Buffer {
  const at = text.indexOf(':');
  const [kind, value] = [text.slice(0, at), text.slice(at + 1)];
  if (kind === 'DNS') return der(0x82, Buffer.from(value, 'latin1'));
  if (kind === 'URI') return der(0x86, Buffer.from(value, 'latin1'));
  if (kind === 'EMAIL') return der(0x81, Buffer.from(value, 'latin1'));
  if (kind !== 'IP') throw new Error(`unknown name ${text}`);
  return der(0x87, isIPv4(value) ? Buffer.from(value.split('.').map(Number)) : Buffer.from(value, 'hex'));
}

function nameConstraints({ permitted = [], excluded = [] }: NonNullable<Wanted['constraints']>): Buffer {
  const subtrees = (names: readonly string[]): readonly Buffer[] =>
    names.map((name) => der(0x30, alternativeName(name)));
  return der(
    0x30,
    ...(permitted.length === 0 ? [] : [der(0xa0, ...subtrees(permitted))]),
    ...(excluded.length === 0 ? [] : [der(0xa1, ...subtrees(excluded))]),
  );
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

/** sha256WithRSAEncryption */
const RSA_ALGORITHM = der(0x30, oid('2a864886f70d01010b'), der(0x05));

const attribute = (type: string, text: string): Buffer =>
  der(0x31, der(0x30, oid(type), der(0x0c, Buffer.from(text))));

const extension = (type: string, isCritical: boolean, value: Buffer): Buffer =>
  der(0x30, oid(type), ...(isCritical ? [Buffer.from('0101ff', 'hex')] : []), der(0x04, value));

const LINE = /.{1,64}/g;

const pemOf = (bytes: Buffer, label = 'CERTIFICATE'): Buffer =>
  Buffer.from(
    `-----BEGIN ${label}-----\n${bytes.toString('base64').match(LINE)!.join('\n')}\n-----END ${label}-----\n`,
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
