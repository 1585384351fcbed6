// Signatures from any key, for example a key in hardware: their forms, low s, and whether they belong to the certificate.

import { fromHex } from '../../core/common/text/encoding.js';
import { showValue } from '../../core/common/text/value.js';
import { toBigint } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import { digest } from '../crypto/index.js';
import {
  readEcdsaSignature,
  toLowS,
  verifyEcdsa,
  verifyEd25519,
  writeEcdsaSignature,
  type Certificate,
  type Curve,
  type EcdsaSignature,
  type PublicKey,
} from '../msp/index.js';

/** The certificate of a signer, and a function that signs. */
interface Signs {
  readonly certificate: Certificate;
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** A key with which Fabric verifies signatures of identities. */
export type SigningKey = Extract<PublicKey, { type: 'ECDSA' | 'Ed25519' }>;

/** Signs a message, in the form that Fabric accepts. @throws TranslateError BAD_SIGNATURE, as {@link acceptedSignature} */
export const signatureOf = async ({ certificate, sign }: Signs, message: Uint8Array): Promise<Uint8Array> =>
  acceptedSignature(certificate, message, await sign(message));

/** The key of a certificate. @throws TranslateError BAD_KEY if Fabric accepts no signatures of it */
export function signingKeyOf({ publicKey }: Certificate): SigningKey {
  if (publicKey.type === 'ECDSA' || publicKey.type === 'Ed25519') return publicKey;
  throw new TranslateError(
    'BAD_KEY',
    `the certificate has an ${publicKey.type} key; ECDSA and Ed25519 are allowed`,
  );
}

/** The length of an Ed25519 signature, in bytes (RFC 8032). */
const ED25519_SIZE = 64;

/**
 * The form of a signature that Fabric accepts: DER with low s for ECDSA (bccsp/utils/ecdsa.go), 64 bytes for Ed25519. Devices and
 * libraries also return r and s without DER, half of their values of s are high, and programs print base64 or hexadecimal.
 *
 * @param message the signed bytes; ECDSA signs their SHA-256
 * @throws TranslateError BAD_SIGNATURE if it is none, or does not belong to the message and the certificate
 */
export async function acceptedSignature(
  certificate: Certificate,
  message: Uint8Array,
  given: Uint8Array,
): Promise<Uint8Array> {
  const key = signingKeyOf(certificate);
  const forms = [given, ...decodedTexts(given)];
  if (key.type === 'Ed25519') {
    const found = forms.filter(({ length }) => length === ED25519_SIZE);
    for (const each of found) if (await verifyEd25519(key, each, message)) return each;
    throw found.length === 0 ? noSignature(given, `${ED25519_SIZE} bytes`) : otherKey(certificate);
  }
  const { curve } = key;
  const pairs = forms.flatMap((bytes) => pairsIn(bytes, curve));
  for (const pair of pairs)
    if (await verifyEcdsa(key, 'SHA-256', pair, message)) return writeEcdsaSignature(toLowS(pair, curve));
  if (pairs.length === 0) throw noSignature(given, `DER, or r and s with ${curve.size} bytes each,`);
  const hashed = digest('SHA-256', [message]);
  for (const pair of pairs)
    if (await verifyEcdsa(key, 'SHA-256', pair, hashed))
      throw new TranslateError(
        'BAD_SIGNATURE',
        'the signer has hashed the digest again: let it sign without a hash, or give it the bytes in place of the digest',
      );
  throw otherKey(certificate);
}

/** The integers of a signature: of DER, or of r and s one after the other (IEEE P1363). Bytes can have both forms. */
function pairsIn(bytes: Uint8Array, { size }: Curve): readonly EcdsaSignature[] {
  const der = readEcdsaSignature(bytes);
  const found = typeof der === 'string' ? [] : [der];
  if (bytes.length !== 2 * size) return found;
  return [...found, { r: toBigint(bytes.subarray(0, size)), s: toBigint(bytes.subarray(size)) }];
}

/** A longer text is not a signature. */
const MAX_TEXT = 1000;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** The bytes that a text contains in hexadecimal or base64. */
function decodedTexts(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes.length > MAX_TEXT) return [];
  const text = new TextDecoder('latin1').decode(bytes).replaceAll(/[\s:]/g, '');
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return [
    ...(HEX.test(text) ? [fromHex(text)] : []),
    ...(BASE64.test(text) && base64.length % 4 !== 1
      ? [Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]
      : []),
  ];
}

const PRINTABLE = /^[\t\n\r -~]+$/;
const MAX_SHOWN = 100;

function noSignature(given: Uint8Array, expected: string): TranslateError {
  const text = new TextDecoder('latin1').decode(given.subarray(0, MAX_SHOWN)).trim();
  const found =
    given.length === 0
      ? 'it is empty'
      : `${given.length} bytes${PRINTABLE.test(text) ? `, ${showValue(text)}` : ''}`;
  return new TranslateError(
    'BAD_SIGNATURE',
    `this is not a signature: ${found}; ${expected} is needed, as bytes, hexadecimal or base64`,
  );
}

const otherKey = ({ subject }: Certificate): TranslateError =>
  new TranslateError(
    'BAD_SIGNATURE',
    `the signature does not belong to this update and the certificate of ${subject.text}: another key has signed, or other bytes were signed`,
  );
