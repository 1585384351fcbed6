// Whether a config update is in a config: also if later updates have changed other elements.

import type { ElementKind } from './apply.js';
import { ordered } from './ordered.js';
import { sameBytes } from './bytes.js';
import type { Config, ConfigGroup, ConfigPolicy, ConfigUpdate, ConfigValue } from './element.js';

/** What a config says about an element that an update sets. */
export interface ElementPresence {
  /** `/Channel/Orderer/BatchSize` */
  readonly path: string;
  readonly kind: ElementKind;
  /**
   * `there`: what the update sets, at its version or, if a later update kept it, at a higher one. `changed-since`: a higher version with
   * another content, so a later update replaced it, or others were accepted instead. `other`: the version of the update with another
   * content. `older`: a lower version. `missing`: not there.
   */
  readonly presence: 'there' | 'changed-since' | 'other' | 'older' | 'missing';
  /** The version that the update sets. */
  readonly version: bigint;
  /** The version in the config; undefined if the element is missing. */
  readonly found: bigint | undefined;
}

/** Whether an update is in a config. */
export interface Verification {
  /** Whether all elements are there. */
  readonly isIn: boolean;
  /** The elements that the update sets; empty for an update without effect. */
  readonly elements: readonly ElementPresence[];
}

/** The members of a group by kind. */
const KINDS = ['groups', 'values', 'policies'] as const;

type Element = ConfigGroup | ConfigValue | ConfigPolicy;

/** Compares each element that an update sets with a config. */
export function verifyUpdate({ readSet, writeSet }: ConfigUpdate, { channelGroup }: Config): Verification {
  const elements: ElementPresence[] = [];
  if (writeSet !== undefined) visit(elements, '/Channel', readSet, writeSet, channelGroup);
  return { isIn: elements.length > 0 && elements.every(({ presence }) => presence === 'there'), elements };
}

function visit(
  elements: ElementPresence[],
  path: string,
  read: ConfigGroup | undefined,
  write: ConfigGroup,
  found: ConfigGroup | undefined,
): void {
  compare(elements, path, 'group', read, write, found, () =>
    found!.version === write.version ? sameMembers(write, found!) : keepsMembers(read, write, found!),
  );
  for (const [name, value] of ordered(write.values)) {
    const now = found?.values.get(name);
    compare(elements, `${path}/${name}`, 'value', read?.values.get(name), value, now, () =>
      sameBytes(value.value, now!.value),
    );
  }
  for (const [name, policy] of ordered(write.policies)) {
    const now = found?.policies.get(name);
    compare(elements, `${path}/${name}`, 'policy', read?.policies.get(name), policy, now, () =>
      samePolicy(policy, now!),
    );
  }
  for (const [name, group] of ordered(write.groups))
    visit(elements, `${path}/${name}`, read?.groups.get(name), group, found?.groups.get(name));
}

function compare(
  elements: ElementPresence[],
  path: string,
  kind: ElementKind,
  read: Element | undefined,
  write: Element,
  found: Element | undefined,
  isSame: () => boolean,
): void {
  const { version } = write;
  if (read?.version === version) return;
  elements.push({ path, kind, presence: presenceOf(write, found, isSame), version, found: found?.version });
}

function presenceOf(
  write: Element,
  found: Element | undefined,
  isSame: () => boolean,
): ElementPresence['presence'] {
  if (found === undefined) return 'missing';
  if (found.version < write.version) return 'older';
  if (write.modPolicy === found.modPolicy && isSame()) return 'there';
  return found.version === write.version ? 'other' : 'changed-since';
}

function samePolicy({ policy }: ConfigPolicy, { policy: found }: ConfigPolicy): boolean {
  if (policy === undefined || found === undefined) return policy === found;
  return policy.type === found.type && sameBytes(policy.value, found.value);
}

function sameMembers(one: ConfigGroup, other: ConfigGroup): boolean {
  return KINDS.every((kind) => sameNames(one[kind], other[kind]));
}

/**
 * Whether a later version of a group still has the members that an update added. An update does not name what it removes, so a removal is
 * only visible if the group has no other members than those of the update.
 */
function keepsMembers(read: ConfigGroup | undefined, write: ConfigGroup, found: ConfigGroup): boolean {
  const missingIn = (one: ConfigGroup | undefined, other: ConfigGroup | undefined): string[] =>
    KINDS.flatMap((kind) =>
      [...(one?.[kind].keys() ?? [])]
        .filter((name) => other?.[kind].has(name) !== true)
        .map((name) => `${kind} ${name}`),
    );
  const added = missingIn(write, read);
  const lost = new Set(missingIn(write, found));
  const others = new Set(missingIn(found, write));
  const removed = missingIn(read, write);
  if (added.some((name) => lost.has(name)) || removed.some((name) => others.has(name))) return false;
  return others.size === 0 || added.length + removed.length > 0;
}

function sameNames(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((name) => other.has(name));
}
