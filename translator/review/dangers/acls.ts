// Dangers: ACLs (Fabric's core/aclmgmt).

import { createYielder } from '../../../core/common/flow/yielder.js';
import { policyAt } from '../../policy/index.js';
import { ACL_RESOURCES, aclPolicyPath } from '../../channel/index.js';
import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import type { ChannelState } from '../../state/index.js';

const PATH = '/Channel/Application/ACLs';

/** Other code runs between two ACLs: a channel can have thousands. */
export async function aclFindings({ channel, policies }: ChannelState): Promise<Finding[]> {
  const yieldIfDue = createYielder(1);
  const findings: Finding[] = [];
  for (const [name, policyRef] of channel.application.acls) {
    await yieldIfDue();
    const at = aclPolicyPath(policyRef);
    if (at !== undefined && policyAt(policies, at) === undefined)
      findings.push(finding('danger', 'acl-policy-missing', PATH, { acl: name, policy: policyRef }));
    if (!ACL_RESOURCES.has(name))
      findings.push(finding('warning', 'acl-unknown-resource', PATH, { acl: name }));
  }
  return findings;
}
