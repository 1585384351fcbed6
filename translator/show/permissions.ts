// Who may change what: the policy of each element of a channel.

import type { ElementKind } from '../config/apply.js';
import { ordered } from '../config/ordered.js';
import type { ConfigGroup } from '../config/element.js';
import { describeNeed } from '../describe/policy.js';
import { resolvePolicy } from '../policy/judge.js';
import { isSatisfiable, needOf } from '../policy/search/need.js';
import type { Policies, PolicyNode } from '../policy/policies.js';

/** Who may change an element: its value, its policy, or the members of the group. */
export interface Permission {
  /** `/Channel/Orderer/BatchSize` */
  readonly path: string;
  readonly kind: ElementKind;
  /** The policy that decides: `/Channel/Orderer/Admins`; absent if it does not exist. */
  readonly policy?: string;
  /** Who has to sign: `any 2 of Org1MSP.admin, Org2MSP.admin, Org3MSP.admin`. */
  readonly signers: string;
}

/** Lists all elements of a channel, each group before what it contains. */
export function listPermissions(
  channelGroup: ConfigGroup,
  policies: Policies,
  mspids: ReadonlySet<string>,
): Permission[] {
  const permissions: Permission[] = [];
  const known = new Map<PolicyNode, string>();
  const signersOf = (policy: PolicyNode): string => {
    let text = known.get(policy);
    if (text === undefined) {
      text = describeNeed(
        needOf(policy, (principal) => isSatisfiable(principal, (mspid) => mspids.has(mspid))),
      );
      known.set(policy, text);
    }
    return text;
  };
  const add = (path: string, kind: ElementKind, modPolicy: string): void => {
    const found = resolvePolicy(policies, { kind, path, key: path, before: { modPolicy } });
    permissions.push(
      found.kind === 'found'
        ? { path, kind, policy: found.policy.path, signers: signersOf(found.policy) }
        : { path, kind, signers: `nobody: there is no policy ${modPolicy === '' ? "''" : modPolicy}` },
    );
  };
  const visit = (path: string, group: ConfigGroup): void => {
    add(path, 'group', group.modPolicy);
    for (const [name, { modPolicy }] of ordered(group.values)) add(`${path}/${name}`, 'value', modPolicy);
    for (const [name, { modPolicy }] of ordered(group.policies)) add(`${path}/${name}`, 'policy', modPolicy);
    for (const [name, nested] of ordered(group.groups)) visit(`${path}/${name}`, nested);
  };
  visit('/Channel', channelGroup);
  return permissions;
}
