// Dangers: ACLs (Fabric's core/aclmgmt).

import { policyAt } from '../../policy/index.js';
import { ACL_RESOURCES, aclPolicyPath } from '../../channel/index.js';
import type { Finding } from '../../describe/index.js';
import { finding } from '../finding.js';
import type { State } from '../../powers/index.js';

const PATH = '/Channel/Application/ACLs';

export function aclFindings({ channel, policies }: State): Finding[] {
  return [...channel.application.acls].flatMap(([name, policyRef]) => {
    const at = aclPolicyPath(policyRef);
    const findings: Finding[] = [];
    if (at !== undefined && policyAt(policies, at) === undefined)
      findings.push(finding('danger', 'acl-policy-missing', PATH, { acl: name, policy: policyRef }));
    if (!ACL_RESOURCES.has(name))
      findings.push(finding('warning', 'acl-unknown-resource', PATH, { acl: name }));
    return findings;
  });
}
