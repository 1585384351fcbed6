// Equality of the elements of a config.

import { sameBytes } from '../../proto/bytes.js';
import type { Policy, PolicyFields, UnknownField, ValueFields } from '../channel/index.js';

/** Values are equal if bytes and `mod_policy` are equal. A missing content equals an empty one. */
export function sameValue(left: ValueFields, right: ValueFields): boolean {
  return left.modPolicy === right.modPolicy && sameBytes(left.value, right.value);
}

/** Policies are equal if message and `mod_policy` are equal. A missing policy differs from an empty one. */
export function samePolicyEntry(left: PolicyFields, right: PolicyFields): boolean {
  return left.modPolicy === right.modPolicy && samePolicy(left.policy, right.policy);
}

function samePolicy(left: Policy | undefined, right: Policy | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.type === right.type &&
    sameBytes(left.value, right.value) &&
    sameUnknown(left.unknown ?? [], right.unknown ?? [])
  );
}

/** Compares unknown fields; the order of fields with different numbers is ignored. */
function sameUnknown(left: readonly UnknownField[], right: readonly UnknownField[]): boolean {
  if (left.length !== right.length) return false;
  const ordered = byNumber(right);
  return byNumber(left).every(({ tag, bytes }, index) => {
    const other = ordered[index];
    return other !== undefined && tag === other.tag && sameBytes(bytes, other.bytes);
  });
}

/** The sort is stable: fields with the same number keep their order. */
function byNumber(fields: readonly UnknownField[]): UnknownField[] {
  return fields.toSorted((a, b) => (a.tag >>> 3) - (b.tag >>> 3));
}
