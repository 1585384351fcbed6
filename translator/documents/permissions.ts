// Permissions: the policy for changes of each element of a channel.

import { groupBy } from '../../core/common/group-by.js';
import { walk, type ElementKind, parentPath } from '../channel/index.js';
import type { Control } from '../control/index.js';
import { controlText } from './control.js';
import { describeNeed } from './policy.js';
import { resolvePolicy, isSatisfiable, needOf, type PolicyNode } from '../policy/index.js';
import type { ChannelState } from '../state/index.js';

/** The permission to change an element: its value, its policy, or the members of the group. */
export interface Permission {
  /** `/Channel/Orderer/BatchSize` */
  readonly path: string;
  readonly kind: ElementKind;
  /** The policy that decides: `/Channel/Orderer/Admins`; absent if it does not exist. */
  readonly policy?: string;
  /** The signatures that are needed: `any 2 of Org1MSP.admin, Org2MSP.admin, Org3MSP.admin`. */
  readonly signers: string;
  /** The smallest sets of organisations that can change it in the end, at once or in steps: `Org1MSP, or Org2MSP and Org3MSP`. */
  readonly control: string;
}

/** Lists all elements of a channel, each group before its members. */
export async function listPermissions(
  { config: { channelGroup }, policies, call }: ChannelState,
  mspids: ReadonlySet<string>,
  { sets, unsearched }: Control,
): Promise<Permission[]> {
  const known = new Map<PolicyNode, string>();
  const signersOf = (policy: PolicyNode): string => {
    const isKnown = (mspid: string): boolean => mspids.has(mspid);
    const text =
      known.get(policy) ?? describeNeed(needOf(policy, (principal) => isSatisfiable(principal, isKnown)));
    known.set(policy, text);
    return text;
  };
  const open = unsearched === 0 ? '' : '; other sets were not checked';
  const elements = [...walk(channelGroup)];
  const permissions: Permission[] = [];
  for (const { kind, path, names, key, element } of elements) {
    await call.pause();
    const control = `${controlText(sets.get(key) ?? [])}${open}`;
    const { modPolicy } = element;
    const found = resolvePolicy(policies, { kind, path, names, key, before: element });
    permissions.push(
      found.kind === 'found'
        ? { path, kind, policy: found.policy.path, signers: signersOf(found.policy), control }
        : {
            path,
            kind,
            signers: `nobody: there is no policy ${modPolicy === '' ? "''" : modPolicy}`,
            control,
          },
    );
    call.advance(permissions.length, elements.length);
  }
  return permissions;
}

/** Elements by the path of their group. The group of a group is itself. */
export const byGroup = <Item extends { readonly path: string; readonly kind?: string }>(
  items: readonly Item[],
): Map<string, Item[]> => groupBy(items, ({ kind, path }) => (kind === 'group' ? path : parentPath(path)));

/** The permission of most elements of a group, then the permissions with another policy. */
export function distinctPermissions(list: readonly Permission[]): readonly Permission[] {
  const usual = mostFrequent(list.map(({ policy }) => policy));
  return [
    ...list.filter(({ policy }) => policy === usual).slice(0, 1),
    ...list.filter(({ policy }) => policy !== usual),
  ];
}

function mostFrequent(items: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
