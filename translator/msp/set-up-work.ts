// How much work it would be to set up an MSP. Go verifies up to 100 signatures for each certificate: one organisation can make its MSP
// such that this takes minutes.

import type { Certificate } from './certificate.js';
import { poolOf } from './certificate-pool.js';
import { MANY_ISSUERS, MAX_CHECKS } from './chain.js';
import type { PublicKey } from './public-key.js';
import type { Trust } from './trust.js';

/** Most verifications of P-256 signatures, or others that take as long, for the certificates of one MSP: about 6 s. */
export const MAX_WORK = 50_000;

/** How long the first verifications of one signature take, and to compute the keys that could have made it, as many of P-256. */
const ECDSA_WORK = { 'P-256': 8, 'P-224': 50, 'P-384': 80, 'P-521': 160 } as const;
/** How many verifications with an RSA key of 2048 bits take as long as one of P-256. */
const RSA_2048_IN_ONE = 3;
const RSA_2048_BYTES = 256;

/** How much work it is at most to verify all certificates with CAs, in verifications of P-256 signatures. */
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
    // Chains are longer than one certificate, and what was verified once is not verified again.
    work += 1;
    if (algorithm.key === 'ECDSA') work += checks < MANY_ISSUERS ? checks : ofCurves;
    else if (algorithm.key === 'RSA')
      work += (checks * (signature.length / RSA_2048_BYTES) ** 2) / RSA_2048_IN_ONE;
    else if (algorithm.key === 'Ed25519') work += checks;
  }
  return Math.ceil(work);
}

const curveWork = (key: PublicKey): number => (key.type === 'ECDSA' ? ECDSA_WORK[key.curve.name] : 0);
