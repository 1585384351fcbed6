// Writes certificates and revocation lists with other keys, and new certificates, with the ASN.1 types of @peculiar/asn1-x509.

import { createPublicKey, constants, randomBytes, sign as signBytes, type KeyObject } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate as X509Certificate,
  CertificateList,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { sameBytes } from '../../proto/bytes.js';
import { type Certificate, CURVES, readEcdsaSignature, toLowS, writeEcdsaSignature } from '../msp/index.js';

/** What the signature of a copy is made of. */
export interface Resigning {
  /** The private key of the issuer. */
  readonly signer: KeyObject;
  /** The algorithm and the signature of the original. */
  readonly original: Pick<Certificate, 'algorithm' | 'signature'>;
}

/**
 * The certificate with another key and a new signature; everything else stays, also the key identifiers, which only have to be equal.
 *
 * @param isLoopback whether the names of this host are added to its names, if it has names
 * @returns undefined if the certificate is encoded in a form that would not stay
 */
export function copyCertificate(
  der: Uint8Array,
  key: KeyObject,
  isLoopback: boolean,
  { signer, original }: Resigning,
): Uint8Array | undefined {
  const copy = AsnConvert.parse(der, X509Certificate);
  delete copy.tbsCertificateRaw;
  if (!sameBytes(bytesOf(copy), der)) return undefined;
  copy.tbsCertificate.subjectPublicKeyInfo = spkiOf(key);
  if (isLoopback) addLoopback(copy.tbsCertificate);
  copy.signatureValue = bufferOf(resigned(bytesOf(copy.tbsCertificate), signer, original));
  return bytesOf(copy);
}

/** The revocation list with a new signature; undefined as for {@link copyCertificate}. */
export function copyList(der: Uint8Array, { signer, original }: Resigning): Uint8Array | undefined {
  const copy = AsnConvert.parse(der, CertificateList);
  delete copy.tbsCertListRaw;
  if (!sameBytes(bytesOf(copy), der)) return undefined;
  copy.signature = bufferOf(resigned(bytesOf(copy.tbsCertList), signer, original));
  return bytesOf(copy);
}

/** The content of a new certificate of a node or a user. */
export interface NewCertificate {
  /** The DER of the name of the CA; undefined: a CA without a certificate. */
  readonly issuer: Uint8Array | undefined;
  /** The private key of the CA. */
  readonly signer: KeyObject;
  readonly key: KeyObject;
  readonly commonName: string;
  readonly units: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Whether it is for TLS connections on this host. */
  readonly isTls: boolean;
}

/** Makes a certificate, in DER. */
export function newCertificate(content: NewCertificate): Uint8Array {
  const { issuer, signer, key, commonName, units, notBefore, notAfter, isTls } = content;
  const algorithm = algorithmOf(signer);
  const identifier = new AlgorithmIdentifier({
    algorithm: algorithm.oid,
    ...(algorithm.hasNull && { parameters: NULL }),
  });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    // The first bit of a serial number is its sign.
    serialNumber: bufferOf(Uint8Array.of(0x40, ...randomBytes(15))),
    signature: identifier,
    issuer: issuer === undefined ? nameOf('unknown CA') : AsnConvert.parse(issuer, Name),
    validity: new Validity({ notBefore, notAfter }),
    subject: nameOf(commonName, units),
    subjectPublicKeyInfo: spkiOf(key),
    extensions: new Extensions(isTls ? [usage(), tlsUsage(), loopbackNames()] : [usage()]),
  });
  const certificate = new X509Certificate({
    tbsCertificate,
    signatureAlgorithm: identifier,
    signatureValue: bufferOf(signMessage(signer, bytesOf(tbsCertificate))),
  });
  return bytesOf(certificate);
}

/** Signs as Fabric does: ECDSA with a low s over SHA-256, or Ed25519; also RSA for certificates. */
export function signMessage(key: KeyObject, message: Uint8Array): Uint8Array {
  const algorithm = algorithmOf(key);
  const signature = signWith(key, algorithm, message);
  return algorithm.key === 'ECDSA' ? withS(signature, key, true) : signature;
}

type Algorithm = Pick<Certificate['algorithm'], 'key' | 'hash' | 'salt'>;
type NewSignature = Algorithm & { readonly oid: string; readonly hasNull?: true };

const ECDSA_SHA256: NewSignature = { oid: '1.2.840.10045.4.3.2', key: 'ECDSA', hash: 'SHA-256' };
/** By the type of a key. */
const NEW_SIGNATURES: ReadonlyMap<string, NewSignature> = new Map<string, NewSignature>([
  ['ec', ECDSA_SHA256],
  ['rsa', { oid: '1.2.840.113549.1.1.11', key: 'RSA', hash: 'SHA-256', hasNull: true }],
  ['ed25519', { oid: '1.3.101.112', key: 'Ed25519', hash: undefined }],
]);

const algorithmOf = ({ asymmetricKeyType }: KeyObject): NewSignature =>
  NEW_SIGNATURES.get(asymmetricKeyType ?? '') ?? ECDSA_SHA256;

const NULL = Uint8Array.of(0x05, 0x00).buffer;

const bytesOf = (value: object): Uint8Array => new Uint8Array(AsnConvert.serialize(value));

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

const spkiOf = (key: KeyObject): SubjectPublicKeyInfo =>
  AsnConvert.parse(createPublicKey(key).export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo);

/** A signature with the same algorithm. An ECDSA signature has a low s if the original has one, because Fabric treats the two forms differently. */
function resigned(
  signed: Uint8Array,
  signer: KeyObject,
  { algorithm, signature }: Resigning['original'],
): Uint8Array {
  const made = signWith(signer, algorithm, signed);
  return algorithm.key === 'ECDSA' ? withS(made, signer, isLow(signature, signer)) : made;
}

function signWith(signer: KeyObject, { hash, salt }: Algorithm, message: Uint8Array): Uint8Array {
  const key =
    salt === undefined ? signer : { key: signer, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: salt };
  return signBytes(hash?.replace('-', '').toLowerCase(), message, key);
}

const CURVE_NAMES: ReadonlyMap<string | undefined, string> = new Map([
  ['prime256v1', 'P-256'],
  ['secp224r1', 'P-224'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);

const curveOf = ({ asymmetricKeyDetails }: KeyObject) =>
  CURVES.find(({ name }) => name === CURVE_NAMES.get(asymmetricKeyDetails?.namedCurve))!;

function isLow(signature: Uint8Array, key: KeyObject): boolean {
  const pair = readEcdsaSignature(signature);
  return typeof pair === 'string' || toLowS(pair, curveOf(key)).s === pair.s;
}

/** An ECDSA signature with a low or a high s. Both are valid. */
function withS(signature: Uint8Array, key: KeyObject, isLowWanted: boolean): Uint8Array {
  const curve = curveOf(key);
  const low = toLowS(
    readEcdsaSignature(signature) as Exclude<ReturnType<typeof readEcdsaSignature>, string>,
    curve,
  );
  return writeEcdsaSignature(isLowWanted ? low : { r: low.r, s: curve.order - low.s });
}

const nameOf = (commonName: string, units: readonly string[] = []): Name =>
  new Name([...units.map((unit) => attribute('2.5.4.11', unit)), attribute('2.5.4.3', commonName)]);

const attribute = (type: string, text: string): RelativeDistinguishedName =>
  new RelativeDistinguishedName([
    new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text }) }),
  ]);

const extension = (extnID: string, critical: boolean, value: object): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

const usage = (): Extension =>
  extension(
    id_ce_keyUsage,
    true,
    new KeyUsage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment),
  );

const tlsUsage = (): Extension =>
  extension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([id_kp_serverAuth, id_kp_clientAuth]));

const loopback = (): GeneralName[] => [
  new GeneralName({ dNSName: 'localhost' }),
  new GeneralName({ iPAddress: '127.0.0.1' }),
];

const loopbackNames = (): Extension =>
  extension(id_ce_subjectAltName, false, new SubjectAlternativeName(loopback()));

function addLoopback({ extensions }: TBSCertificate): void {
  const found = extensions?.find(({ extnID }) => extnID === id_ce_subjectAltName);
  if (found === undefined) return;
  const names = AsnConvert.parse(found.extnValue.buffer, SubjectAlternativeName);
  names.push(...loopback());
  found.extnValue = new OctetString(AsnConvert.serialize(names));
}
