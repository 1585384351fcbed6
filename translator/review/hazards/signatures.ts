// Hazards: signatures that count although, or do not count because.

import { dayText } from '../../describe/certificate.js';
import { hazard, type Finding } from '../finding.js';
import type { Facts } from '../facts/gather.js';
import { nameOf } from '../facts/signers.js';

export function signatureHazards({ signatures, countsFor, after: { now } }: Facts): Finding[] {
  const seen = new Set<string>();
  return signatures.flatMap((signature, index) => {
    const { identity, isReadable, notAfter, problem } = signature;
    const who = nameOf(signature, index);
    // `peer channel update` adds the assumed one, also for someone who has signed.
    if (!isReadable || signature.isAssumed === true) return [];
    if (problem !== undefined || identity === undefined)
      return [
        hazard(
          'warning',
          'signature-ignored',
          '',
          `orderers ignore the signature of ${who}: ${problem ?? 'the signer is unknown'}`,
          'let this person sign this update again, with an identity of an organisation of the channel',
        ),
      ];
    const key = identity.mspid + identity.id;
    if (seen.has(key))
      return [
        hazard(
          'warning',
          'signature-duplicate',
          '',
          `${who} has signed more than once; one signature counts`,
          'merge the signed files with configtxlator merge, which drops duplicates',
        ),
      ];
    seen.add(key);
    if (countsFor[index]!.length === 0 || notAfter === undefined || notAfter >= now) return [];
    return [
      hazard(
        'warning',
        'signer-expired',
        '',
        `the certificate of ${who} expired on ${dayText(notAfter)}, but the signature counts: orderers look only at the expiry of the submitter`,
        'check that this person may still sign; renew the certificate',
      ),
    ];
  });
}
