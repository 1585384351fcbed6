// When two elements of a configuration are the same.

import type { Policy, PolicyEntry, Unknown, Value } from './tree.js';

/** Values: the same bytes under the same `mod_policy`. No bytes are equal to none. */
export function sameValue(left: Value, right: Value): boolean {
  return left.modPolicy === right.modPolicy && sameBytes(left.value, right.value);
}

/** Policies: the same message under the same `mod_policy`. No policy is something else than an empty one. */
export function samePolicyEntry(left: PolicyEntry, right: PolicyEntry): boolean {
  return left.modPolicy === right.modPolicy && samePolicy(left.policy, right.policy);
}

function samePolicy(left: Policy | undefined, right: Policy | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.type === right.type && sameBytes(left.value, right.value) && sameUnknown(left.unknown, right.unknown)
  );
}

/** Unknown fields count; the order of those with different numbers does not. */
function sameUnknown(left: readonly Unknown[], right: readonly Unknown[]): boolean {
  if (left.length !== right.length) return false;
  const ordered = byNumber(right);
  return byNumber(left).every(({ tag, bytes }, index) => {
    const other = ordered[index];
    return other !== undefined && tag === other.tag && sameBytes(bytes, other.bytes);
  });
}

/** The sort is stable: fields of one number keep their order. */
function byNumber(fields: readonly Unknown[]): Unknown[] {
  return fields.toSorted((a, b) => (a.tag >>> 3) - (b.tag >>> 3));
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && Buffer.compare(left, right) === 0;
}
