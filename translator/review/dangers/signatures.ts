// Signatures that count although, or do not count because; and people who have signed and do not count after the update.

import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import type { Facts } from '../facts/gather.js';
import { nameOf } from '../facts/signers.js';

export function signatureFindings({ signatures, countsFor, after: { now } }: Facts): Finding[] {
  const seen = new Set<string>();
  return signatures.flatMap((signature, index) => {
    const { identity, isReadable, notAfter, problem } = signature;
    const signer = nameOf(signature, index);
    // `peer channel update` adds the assumed one, also for someone who has signed.
    if (!isReadable || signature.isAssumed === true) return [];
    if (problem !== undefined || identity === undefined)
      return [
        finding('warning', 'signature-ignored', '', { signer, reason: problem ?? 'the signer is unknown' }),
      ];
    const key = identity.mspid + identity.id;
    if (seen.has(key)) return [finding('warning', 'signature-duplicate', '', { signer })];
    seen.add(key);
    if (countsFor[index]!.length === 0 || notAfter === undefined || notAfter >= now) return [];
    return [finding('warning', 'signer-expired', '', { signer, notAfter: notAfter.toISOString() })];
  });
}

export const cutOffFindings = ({ cutOff }: Facts): Finding[] =>
  cutOff.map(({ who, path, reason }) => finding('danger', 'signer-cut-off', path, { signer: who, reason }));
