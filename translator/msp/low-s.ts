// The low-S form of certificates: the form in which Fabric compares them (msp/cert.go, `sanitizeECDSASignedCert`).

import { concatBytes } from '../../proto/concat-bytes.js';
import { sameBytes } from '../channel/bytes.js';
import { readCertificate, type Certificate } from './certificate.js';
import { SEQUENCE } from '../../core/common/certificates/der.js';
import {
  derBitString,
  derHeader,
  readEcdsaSignature,
  toLowS,
  writeEcdsaSignature,
  type Curve,
} from './ecdsa.js';

/** A certificate with its ECDSA signature in low-S form; the same object if it already is. */
export function withLowS(certificate: Certificate, curve: Curve): Certificate {
  const signature = readEcdsaSignature(certificate.signature);
  if (typeof signature === 'string') return certificate;
  const low = writeEcdsaSignature(toLowS(signature, curve));
  if (sameBytes(low, certificate.signature)) return certificate;
  const content = concatBytes(certificate.signed, certificate.rawAlgorithm, derBitString(low));
  return readCertificate(concatBytes(derHeader(SEQUENCE, content.length), content));
}
