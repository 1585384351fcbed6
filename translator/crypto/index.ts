// Hashes and the verification of signatures with node:crypto. WebCrypto takes twice as long, because each call waits for another
// thread. Bundles for browsers contain web.ts instead of this module (`browser` in package.json).

import { constants, createECDH, createHash, createPublicKey, ECDH, getCurves, verify } from 'node:crypto';

/** A hash function, by its name in WebCrypto. */
export type HashName = 'SHA-256' | 'SHA-384' | 'SHA-512' | 'SHA3-256' | 'SHA3-384';

/** A curve of ECDSA keys. */
export type CurveName = 'P-224' | 'P-256' | 'P-384' | 'P-521';

/** A signature algorithm, as WebCrypto names it. The length of a salt is in bytes. */
export type Scheme =
  | {
      readonly name: 'ECDSA';
      readonly namedCurve: CurveName;
      readonly hash: HashName;
    }
  | { readonly name: 'Ed25519' }
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: HashName }
  | { readonly name: 'RSA-PSS'; readonly hash: HashName; readonly saltLength: number };

/** Verifies a signature of a message. An ECDSA signature is r and s, each with the length of a coordinate. */
export type Verifier = (signature: Uint8Array, message: Uint8Array) => Promise<boolean>;

const nameOf = (hash: HashName): string => hash.toLowerCase().replace(/^sha-/, 'sha');

/** The hash of concatenated bytes. */
export function digest(name: HashName, parts: readonly Uint8Array[]): Uint8Array {
  const made = createHash(nameOf(name));
  for (const part of parts) made.update(part);
  return new Uint8Array(made.digest());
}

/** Imports a public key. @param spki its DER @throws if it is not a key of the scheme */
export async function importVerifier(spki: Uint8Array, scheme: Scheme): Promise<Verifier> {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const name = scheme.name === 'Ed25519' ? undefined : nameOf(scheme.hash);
  const saltLength = scheme.name === 'RSA-PSS' ? scheme.saltLength : undefined;
  const options = { key, dsaEncoding: 'ieee-p1363', padding: PADDING[scheme.name], saltLength } as const;
  return async (signature, message) => verify(name, message, options, signature);
}

const PADDING: Readonly<Record<Scheme['name'], number | undefined>> = {
  ECDSA: undefined,
  Ed25519: undefined,
  'RSASSA-PKCS1-v1_5': constants.RSA_PKCS1_PADDING,
  'RSA-PSS': constants.RSA_PKCS1_PSS_PADDING,
};

const OPENSSL_NAMES: Readonly<Record<CurveName, string>> = {
  'P-224': 'secp224r1',
  'P-256': 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
};

let supported: ReadonlySet<string> | undefined;

/** Whether this platform supports a curve: WebCrypto and some builds of OpenSSL lack P-224. */
export const hasCurve = (curve: CurveName): boolean =>
  (supported ??= new Set(getCurves())).has(OPENSSL_NAMES[curve]);

/** Operations on a curve. Numbers have the length of a coordinate; an uncompressed point is one byte and two coordinates. */
export interface CurvePoints {
  /** A multiple of the base point, uncompressed. @param factor from 1 to below the order */
  ofBase(factor: Uint8Array): Uint8Array;
  /** A multiple of one of the two points with the coordinate x, uncompressed; undefined if there is no such point. */
  ofPointAt(x: Uint8Array, factor: Uint8Array): Uint8Array | undefined;
}

/** The operations on a curve; undefined if the platform has no fast implementation. */
export function pointsOf(name: CurveName): CurvePoints | undefined {
  if (!hasCurve(name)) return undefined;
  const curve = OPENSSL_NAMES[name];
  const keyWith = (factor: Uint8Array): ECDH => {
    const ecdh = createECDH(curve);
    ecdh.setPrivateKey(factor);
    return ecdh;
  };
  return {
    ofBase: (factor) => keyWith(factor).getPublicKey(),
    ofPointAt(x, factor) {
      const key = keyWith(factor);
      try {
        const multiple = key.computeSecret(compressed(x));
        return ECDH.convertKey(compressed(multiple), curve, undefined, undefined, 'uncompressed') as Buffer;
      } catch {
        // OpenSSL refuses an x without a point.
        return undefined;
      }
    },
  };
}

/** The point with an even y, in compressed form. */
function compressed(x: Uint8Array): Uint8Array {
  const point = new Uint8Array(x.length + 1);
  point[0] = 2;
  point.set(x, 1);
  return point;
}
