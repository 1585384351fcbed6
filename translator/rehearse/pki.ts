// The PKI of a channel with new keys: each certificate and each revocation list again, with the same names, serial numbers, validity and
// extensions, under new keys. Certificates with one key have one new key, so that a renewed certificate stays the same identity.

import { createPublicKey, generateKeyPair, X509Certificate, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { fromLatin1, sameBytes, toHex, toLatin1 } from '../../proto/bytes.js';
import { SEQUENCE } from '../../core/common/certificates/der.js';
import { attempt, TranslateError } from '../../proto/errors.js';
import {
  type Certificate,
  checkSignature,
  decodePem,
  encodePem,
  type PublicKey,
  readCertificate,
  readRevocationList,
} from '../msp/index.js';
import type { KeyPair } from './copy.js';
import { copyCertificate, copyList, newCertificate, signMessage } from './x509.js';

/** The fault of a channel that cannot be copied. @param element what cannot be copied */
export const notCopied = (element: string, reason: string): TranslateError =>
  new TranslateError('NOT_REHEARSED', `cannot be rehearsed: ${element}: ${reason}`);

const MAX_CERTIFICATES = 10_000;
/** A larger key takes minutes to make. */
const MAX_RSA_BITS = 8192;
const RSA_BITS = 2048;

/** A certificate or a revocation list as it is in a config. */
interface Found {
  readonly der: Uint8Array;
  /** Its place, for messages: the path of an element. */
  readonly place: string;
}

/** A certificate of a channel, and the names by which others connect to the nodes that have it. */
interface FoundCertificate extends Found {
  readonly certificate: Certificate;
  readonly hosts: Set<string>;
}

const BLOCKS = /-----BEGIN (CERTIFICATE|X509 CRL)-----[^-]*-----END \1-----/g;

const keyOf = (der: Uint8Array): string => Buffer.from(der).toString('base64');

/** A certificate, by the rules of the oldest Go, which are the most lenient ones; undefined if it cannot be read. */
const certificateOf = (der: Uint8Array): Certificate | undefined =>
  attempt(
    () => readCertificate(der, '1.22'),
    () => undefined,
  );

/** Collects the certificates and the revocation lists of a channel. What Fabric cannot read either is not collected, and stays as it is. */
export class Originals {
  readonly certificates = new Map<string, FoundCertificate>();
  readonly lists = new Map<string, Found>();

  /** Adds what is in bytes: PEM, or a revocation list in DER. @param host the name by which others connect to the node with the certificate */
  addPem(bytes: Uint8Array, place: string, host?: string): void {
    if (bytes[0] === SEQUENCE) this.#addList(bytes, place);
    for (const [block] of toLatin1(bytes).matchAll(BLOCKS)) {
      const pem = decodePem(fromLatin1(block));
      if (pem?.label === 'CERTIFICATE') this.#addCertificate(pem.bytes, place, host);
      else if (pem !== undefined) this.#addList(pem.bytes, place);
    }
    const first = decodePem(bytes);
    if (
      first?.label === 'CERTIFICATE' &&
      certificateOf(first.bytes) !== undefined &&
      !this.certificates.has(keyOf(first.bytes))
    )
      throw notCopied(place, 'a certificate is in a PEM block with headers');
  }

  #addCertificate(der: Uint8Array, place: string, host: string | undefined): void {
    const key = keyOf(der);
    let found = this.certificates.get(key);
    if (found === undefined) {
      const certificate = certificateOf(der);
      if (certificate === undefined) return;
      if (this.certificates.size === MAX_CERTIFICATES)
        throw notCopied(place, `there are more than ${MAX_CERTIFICATES} certificates`);
      this.certificates.set(key, (found = { der, place, certificate, hosts: new Set() }));
    }
    if (host !== undefined) found.hosts.add(host);
  }

  #addList(der: Uint8Array, place: string): void {
    const isReadable = attempt(
      () => readRevocationList(der) !== undefined,
      () => false,
    );
    if (isReadable) this.lists.set(keyOf(der), { der, place });
  }
}

/** What a new certificate is for. */
export interface Issued {
  /** The original certificate of the CA; undefined: a CA that the channel does not know. */
  readonly issuer: Certificate | undefined;
  readonly commonName: string;
  readonly units: readonly string[];
  /** Whether it is for TLS connections of a node on this host. */
  readonly isTls: boolean;
}

/** The certificates of a channel with new keys. */
export class Pki {
  readonly #originals: Originals;
  /** The new keys by the original public keys, in hexadecimal. */
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #copies = new Map<string, Uint8Array>();
  readonly #unknownCas = new Map<string, Promise<KeyObject>>();

  private constructor(originals: Originals, keys: ReadonlyMap<string, KeyObject>) {
    this.#originals = originals;
    this.#keys = keys;
  }

  /** @throws TranslateError NOT_REHEARSED for a key or a signature that cannot be made again */
  static async create(originals: Originals): Promise<Pki> {
    const keys = new Map<string, KeyObject>();
    for (const { certificate, place } of originals.certificates.values()) {
      const key = toHex(certificate.publicKey.spki);
      if (!keys.has(key)) keys.set(key, await newKey(certificate.publicKey, place));
    }
    const pki = new Pki(originals, keys);
    for (const [key, found] of originals.certificates)
      pki.#copies.set(key, await pki.#copyCertificate(found));
    for (const [key, found] of originals.lists) pki.#copies.set(key, await pki.#copyList(found));
    return pki;
  }

  /** The numbers of certificates, and of CAs among them. */
  get count(): { readonly certificates: number; readonly cas: number } {
    const all = [...this.#originals.certificates.values()];
    const cas = all.filter(({ certificate }) => certificate.extensions.isCa).length;
    return { certificates: all.length - cas, cas };
  }

  /** The same bytes with the copies of the certificates and lists in them. The layout of a PEM block stays. */
  rewrite(bytes: Uint8Array): Uint8Array {
    if (bytes[0] === SEQUENCE) return this.#copies.get(keyOf(bytes)) ?? bytes;
    let isChanged = false;
    const text = toLatin1(bytes).replaceAll(BLOCKS, (block: string, label: string) => {
      const pem = decodePem(fromLatin1(block));
      const copy = pem && this.#copies.get(keyOf(pem.bytes));
      if (copy === undefined) return block;
      isChanged = true;
      return inLayoutOf(block, encodePem(label, copy));
    });
    return isChanged ? fromLatin1(text) : bytes;
  }

  /** The copy of a certificate with its key; undefined if the channel does not have the certificate. @param der the original */
  pairOf(der: Uint8Array): KeyPair | undefined {
    const found = this.#originals.certificates.get(keyOf(der));
    const copy = this.#copies.get(keyOf(der));
    if (found === undefined || copy === undefined) return undefined;
    return pairOf(copy, this.#keys.get(toHex(found.certificate.publicKey.spki))!);
  }

  /** The public key in the copy of a certificate (SPKI), which may be sanitized. @param original a certificate of the channel */
  publicKeyOf({ publicKey }: Certificate): Uint8Array {
    const key = this.#keys.get(toHex(publicKey.spki));
    if (key === undefined) return publicKey.spki;
    return new Uint8Array(createPublicKey(key).export({ type: 'spki', format: 'der' }));
  }

  /** A signature with the new key of a certificate; undefined if the channel does not have the certificate. @param der the original */
  sign(der: Uint8Array, message: Uint8Array): Uint8Array | undefined {
    const found = this.#originals.certificates.get(keyOf(der));
    return found && signMessage(this.#keys.get(toHex(found.certificate.publicKey.spki))!, message);
  }

  /**
   * A new certificate of a CA of the channel. It is valid now, and begins with the CA, because Fabric verifies chains at the begin of a
   * certificate (msp/mspimpl.go, `getValidityOptsForCert`).
   */
  async issue({ issuer, commonName, units, isTls }: Issued, now: Date): Promise<KeyPair> {
    const key = await newEcKey('P-256');
    const known = issuer && this.#keys.get(toHex(issuer.publicKey.spki));
    const signer = known ?? (await this.#unknownCa('', 'ECDSA', commonName));
    const notBefore = issuer?.notBefore ?? new Date(now.getTime() - DAY);
    const notAfter = new Date(Math.max(now.getTime() + DAY, issuer?.notAfter.getTime() ?? 0));
    const name = issuer?.subject.raw;
    const content = { issuer: name, signer, key, commonName, units, notBefore, notAfter, isTls };
    return pairOf(newCertificate(content), key);
  }

  async #copyCertificate({ der, place, certificate, hosts }: FoundCertificate): Promise<Uint8Array> {
    const key = this.#keys.get(toHex(certificate.publicKey.spki))!;
    const signer = await this.#issuerOf(certificate, place);
    const copy = copyCertificate(der, key, isServerOf(der, hosts), { signer, original: certificate });
    if (copy === undefined) throw notCopied(place, 'a certificate is encoded in an unusual way');
    return copy;
  }

  async #copyList({ der, place }: Found): Promise<Uint8Array> {
    const original = readRevocationList(der);
    const copy = copyList(der, { signer: await this.#issuerOf(original, place), original });
    if (copy === undefined) throw notCopied(place, 'a revocation list is encoded in an unusual way');
    return copy;
  }

  /** The new key of the CA that made a signature. If the channel has no such CA, the copy has none either. */
  async #issuerOf(
    signed: Pick<Certificate, 'signed' | 'algorithm' | 'signature' | 'issuer'>,
    place: string,
  ): Promise<KeyObject> {
    for (const { certificate } of this.#originals.certificates.values())
      if (
        sameBytes(certificate.subject.raw, signed.issuer.raw) &&
        (await checkSignature(signed, certificate.publicKey, certificate.go)) === undefined
      )
        return this.#keys.get(toHex(certificate.publicKey.spki))!;
    return this.#unknownCa(toHex(signed.issuer.raw), signed.algorithm.key, place);
  }

  #unknownCa(issuer: string, type: Certificate['algorithm']['key'], place: string): Promise<KeyObject> {
    const id = `${type} ${issuer}`;
    const found = this.#unknownCas.get(id) ?? newKeyOfType(type, place);
    this.#unknownCas.set(id, found);
    return found;
  }
}

const DAY = 86_400_000;

const pairOf = (der: Uint8Array, key: KeyObject): KeyPair => ({
  certificate: encodePem('CERTIFICATE', der),
  key: key.export({ type: 'pkcs8', format: 'pem' }) as string,
});

/** A PEM block with the line length and the line ends of another one, because Fabric compares some certificates as texts. */
function inLayoutOf(original: string, block: string): string {
  const [, first = ''] = original.split('\n');
  const [begin, ...lines] = block.trimEnd().split('\n');
  const end = lines.pop();
  const lineEnd = first.endsWith('\r') ? '\r\n' : '\n';
  const isHeader = first.includes(':');
  const width = isHeader ? 64 : Math.max(1, first.trimEnd().length);
  const base64 = lines.join('');
  const wrapped = base64.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
  return [begin, ...wrapped, end].join(lineEnd);
}

const makeEc = promisify(generateKeyPair);

async function newEcKey(curve: string): Promise<KeyObject> {
  return (await makeEc('ec', { namedCurve: curve })).privateKey;
}

/** A key of the same type and size. */
function newKey(key: PublicKey, place: string): Promise<KeyObject> {
  if (key.type === 'ECDSA') return newEcKey(key.curve.name === 'P-224' ? 'secp224r1' : key.curve.name);
  if (key.type === 'RSA' && key.bits > MAX_RSA_BITS)
    throw notCopied(place, `an RSA key of ${key.bits} bits; at most ${MAX_RSA_BITS} are allowed`);
  return newKeyOfType(key.type, place, key.type === 'RSA' ? key.bits : RSA_BITS);
}

async function newKeyOfType(type: string, place: string, bits = RSA_BITS): Promise<KeyObject> {
  if (type === 'ECDSA') return newEcKey('P-256');
  if (type === 'Ed25519') return (await promisify(generateKeyPair)('ed25519', {})).privateKey;
  if (type === 'RSA') return (await promisify(generateKeyPair)('rsa', { modulusLength: bits })).privateKey;
  throw notCopied(place, `a certificate has a key or a signature of the type ${type}`);
}

const NO_COMMON_NAME = { subject: 'never' } as const;

/** Whether others that connect to one of these hosts accept the certificate, as Go verifies names: without the common name. */
function isServerOf(der: Uint8Array, hosts: ReadonlySet<string>): boolean {
  if (hosts.size === 0) return false;
  return attempt(
    () => {
      const certificate = new X509Certificate(der);
      return [...hosts].some((host) => {
        const name = host.replace(/^\[|\]$/g, '');
        const found =
          isIP(name) === 0 ? certificate.checkHost(name, NO_COMMON_NAME) : certificate.checkIP(name);
        return found !== undefined;
      });
    },
    // OpenSSL reads fewer certificates than Go.
    () => false,
  );
}
