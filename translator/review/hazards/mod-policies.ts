// Hazards: elements that nobody can change any more, because their mod_policy names no policy.

import type { ElementKind } from '../../config/apply.js';
import { parentPath } from '../../config/element-path.js';
import type { ConfigGroup } from '../../config/element.js';
import { resolvePolicy } from '../../policy/judge.js';
import type { PolicyNode } from '../../policy/policies.js';
import { hazard, type Finding } from '../finding.js';
import type { State } from '../facts/state.js';

/** An element and the policy that decides about it. */
interface Decided {
  readonly path: string;
  readonly modPolicy: string;
  readonly policy: PolicyNode | undefined;
}

export function modPolicyHazards(state: State): Finding[] {
  const frozen = new Map<string, Decided[]>();
  for (const element of decidedElements(state)) {
    if (element.policy !== undefined) continue;
    const key = `${parentPath(element.path)} ${element.modPolicy}`;
    const same = frozen.get(key);
    if (same === undefined) frozen.set(key, [element]);
    else same.push(element);
  }
  return [...frozen.values()].map((elements) => {
    const [{ path, modPolicy }] = elements as [Decided];
    const others = elements.length - 1;
    return hazard(
      'danger',
      'mod-policy-missing',
      path,
      `the mod_policy ${JSON.stringify(modPolicy)} names no policy: nobody can ever change this element again${others === 0 ? '' : `, nor ${others} other ${others === 1 ? 'element' : 'elements'} of its group`}`,
      'set mod_policy to a policy that exists, for example Admins or /Channel/Application/Admins, or keep that policy',
    );
  });
}

/** The policies that decide about an element. */
export function decidingPolicies(state: State): Set<PolicyNode> {
  return new Set(decidedElements(state).flatMap(({ policy }) => policy ?? []));
}

const decided = new WeakMap<State, Decided[]>();

/** All elements of a config with their policies; found once. */
function decidedElements(state: State): Decided[] {
  const known = decided.get(state);
  if (known !== undefined) return known;
  const found = findDecided(state);
  decided.set(state, found);
  return found;
}

function findDecided({ config, policies }: State): Decided[] {
  const found: Decided[] = [];
  const add = (kind: ElementKind, path: string, { modPolicy }: { readonly modPolicy: string }): void => {
    const resolution = resolvePolicy(policies, { kind, key: path, path, before: { modPolicy } });
    found.push({ path, modPolicy, policy: resolution.kind === 'found' ? resolution.policy : undefined });
  };
  const visit = (path: string, group: ConfigGroup): void => {
    add('group', path, group);
    for (const [name, value] of group.values) add('value', `${path}/${name}`, value);
    for (const [name, policy] of group.policies) add('policy', `${path}/${name}`, policy);
    for (const [name, nested] of group.groups) visit(`${path}/${name}`, nested);
  };
  visit('/Channel', config.channelGroup);
  return found;
}
