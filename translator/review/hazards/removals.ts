// Hazards: policies that the update removes.

import type { Placed } from '../../config/apply.js';
import { lastName } from '../../config/element-path.js';
import { hazard, type Finding } from '../finding.js';

/** What stops when a policy is missing. */
const EFFECTS: Readonly<Record<string, readonly [severity: 'danger' | 'warning', effect: string]>> = {
  Admins: ['danger', 'nobody can change this part of the channel again'],
  Writers: ['danger', 'nobody can submit to this part of the channel'],
  Readers: ['danger', 'peers and clients cannot read blocks of this part of the channel'],
  BlockValidation: ['danger', 'orderers stop at their next start'],
  Endorsement: ['warning', 'chaincodes that use it cannot be endorsed'],
  LifecycleEndorsement: ['warning', 'chaincode definitions cannot be committed'],
};

export function removedPolicyHazards(removed: readonly Placed[]): Finding[] {
  return removed
    .filter(({ kind }) => kind === 'policy')
    .flatMap(({ path }) => {
      const name = lastName(path);
      const found = Object.hasOwn(EFFECTS, name) ? EFFECTS[name] : undefined;
      if (found === undefined) return [];
      const [severity, effect] = found;
      return [
        hazard(
          severity,
          'policy-removed',
          path,
          `the policy ${name} is removed: ${effect}`,
          'keep the policy',
        ),
      ];
    });
}
