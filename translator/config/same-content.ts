// Whether an element of a config has the content of another one.

import type { ElementKind } from './apply.js';
import { sameBytes } from './bytes.js';
import type { ConfigGroup, ConfigPolicy, ConfigValue } from './element.js';

const NONE = new Uint8Array();

/** Compares the bytes of values and policies, and the names of the members of groups; versions and mod_policy do not matter. */
export function sameContent(
  kind: ElementKind,
  one: ConfigGroup | ConfigValue | ConfigPolicy,
  other: ConfigGroup | ConfigValue | ConfigPolicy,
): boolean {
  if (kind === 'value') return sameBytes((one as ConfigValue).value, (other as ConfigValue).value);
  if (kind === 'group') return sameMembers(one as ConfigGroup, other as ConfigGroup);
  const [left, right] = [(one as ConfigPolicy).policy, (other as ConfigPolicy).policy];
  return left?.type === right?.type && sameBytes(left?.value ?? NONE, right?.value ?? NONE);
}

function sameMembers(left: ConfigGroup, right: ConfigGroup): boolean {
  const pairs = [
    [left.groups, right.groups],
    [left.values, right.values],
    [left.policies, right.policies],
  ] as const;
  return pairs.every(
    ([one, other]) => one.size === other.size && [...one.keys()].every((name) => other.has(name)),
  );
}
