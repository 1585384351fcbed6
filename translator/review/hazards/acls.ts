// Hazards: ACLs (Fabric's core/aclmgmt).

import { ACL_RESOURCES } from '../../config/acl-resources.js';
import { valueOrEmpty } from '../../config/values.js';
import { findPolicy } from '../../policy/policies.js';
import { hazard, type Finding } from '../finding.js';
import type { State } from '../facts/state.js';

const PATH = '/Channel/Application/ACLs';
const APPLICATION = '/Channel/Application/';

export function aclHazards({ config, policies }: State): Finding[] {
  const { acls } = valueOrEmpty(config.channelGroup.groups.get('Application'), 'application', 'ACLs');
  return [...acls].flatMap(([name, { policyRef }]) => {
    const at = policyRef.startsWith('/') ? policyRef : `${APPLICATION}${policyRef}`;
    const findings: Finding[] = [];
    if (policyAt(policies, at) === undefined)
      findings.push(
        hazard(
          'danger',
          'acl-policy-missing',
          PATH,
          `the ACL ${JSON.stringify(name)} names the policy ${JSON.stringify(policyRef)}, which does not exist: peers refuse everybody`,
          'name a policy that exists, for example /Channel/Application/Writers',
        ),
      );
    if (!ACL_RESOURCES.has(name))
      findings.push(
        hazard(
          'warning',
          'acl-unknown-resource',
          PATH,
          `peers know no resource ${JSON.stringify(name)}; the ACL has no effect`,
          'correct the name, for example peer/Propose or qscc/GetChainInfo',
        ),
      );
    return findings;
  });
}

function policyAt(policies: State['policies'], path: string): unknown {
  try {
    return findPolicy(policies.root, path);
  } catch {
    // A path such as /Channel, which Fabric's program panics on.
    return undefined;
  }
}
