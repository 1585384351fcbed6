// Estimates the work to set up an MSP. Go verifies up to 100 signatures for each certificate, so one organisation can make an MSP
// that takes minutes.

import type { Certificate } from './certificate.js';
import { poolOf } from './certificate-pool.js';
import { MANY_ISSUERS, MAX_CHECKS } from './chain.js';
import type { PublicKey } from './public-key.js';
import type { Trust } from './trust.js';

/** The maximum work for the certificates of one MSP, in verifications of P-256 signatures: about 6 s. */
export const MAX_WORK = 50_000;

/** The work for the first verifications of one signature and for computing its possible keys, in verifications of P-256 signatures. */
const ECDSA_WORK = { 'P-256': 8, 'P-224': 50, 'P-384': 80, 'P-521': 160 } as const;
/** The number of verifications with a 2048-bit RSA key that take as long as one with P-256. */
const RSA_2048_IN_ONE = 3;
const RSA_2048_BYTES = 256;

/** The maximum work to verify all certificates with the CAs, in verifications of P-256 signatures. */
export function workOf(
  certificates: readonly Certificate[],
  { roots, intermediates }: Pick<Trust, 'roots' | 'intermediates'>,
): number {
  let ofCurves = 0;
  for (const { publicKey } of [...roots, ...intermediates])
    ofCurves = Math.max(ofCurves, curveWork(publicKey));
  let work = 0;
  for (const certificate of certificates) {
    const { algorithm, signature } = certificate;
    const issuers = poolOf(roots).countNamed(certificate) + poolOf(intermediates).countNamed(certificate);
    const checks = Math.min(issuers, MAX_CHECKS);
    // Chains can be longer than one certificate, but results are cached.
    work += 1;
    if (algorithm.key === 'ECDSA') work += checks < MANY_ISSUERS ? checks : ofCurves;
    else if (algorithm.key === 'RSA')
      work += (checks * (signature.length / RSA_2048_BYTES) ** 2) / RSA_2048_IN_ONE;
    else if (algorithm.key === 'Ed25519') work += checks;
  }
  return Math.ceil(work);
}

const curveWork = (key: PublicKey): number => (key.type === 'ECDSA' ? ECDSA_WORK[key.curve.name] : 0);
