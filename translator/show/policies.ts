// The policies of a channel in words.

import type { ConfigGroup } from '../config/element.js';
import { ordered } from '../config/ordered.js';
import { describePolicy } from '../describe/policy.js';
import type { Policies, PolicyGroup } from '../policy/policies.js';
import { identityWords } from '../describe/certificate.js';

/** A policy in words. */
export interface PolicySummary {
  /** `/Channel/Application/Admins` */
  readonly path: string;
  /** `MAJORITY Admins (2 of Org1, Org2, Org3)` or `OR('Org1MSP.admin')`; Fabric's error if it does not accept the policy. */
  readonly text: string;
  /** False if Fabric does not accept the policy. */
  readonly valid: boolean;
}

/** All policies in the order of their groups. */
export function listPolicies(channelGroup: ConfigGroup, { root, problems }: Policies): PolicySummary[] {
  const texts = new Map(problems.map(({ path, text }) => [path, text]));
  const list: PolicySummary[] = [];
  const visit = (path: string, group: ConfigGroup, nodes: PolicyGroup | undefined): void => {
    for (const [name] of ordered(group.policies)) {
      const node = nodes?.policies.get(name);
      const place = `${path}/${name}`;
      list.push(
        node === undefined
          ? { path: place, text: texts.get(place) ?? 'it cannot be read', valid: false }
          : { path: place, text: describePolicy(node, identityWords), valid: true },
      );
    }
    for (const [name, nested] of ordered(group.groups))
      visit(`${path}/${name}`, nested, nodes?.groups.get(name));
  };
  visit('/Channel', channelGroup, root);
  return list;
}
