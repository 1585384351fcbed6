// A channel configuration as the comparison sees it: groups of groups, values and policies by name.

/** Elements by name. Undefined where there are none: most groups of a large tree lack one kind or another. */
export type Elements<E> = Map<string, E> | undefined;

/** A `common.ConfigGroup`. Versions are unsigned integers of 64 bits. */
export interface Group {
  version: bigint;
  modPolicy: string;
  groups: Elements<Group>;
  values: Elements<Value>;
  policies: Elements<PolicyEntry>;
}

/** A `common.ConfigValue`; what the bytes hold does not matter here. */
export interface Value {
  version: bigint;
  modPolicy: string;
  value: Uint8Array;
}

/** A `common.ConfigPolicy`. */
export interface PolicyEntry {
  version: bigint;
  modPolicy: string;
  /** Undefined where there is none, which is something else than an empty one. */
  policy: Policy | undefined;
}

/** A `common.Policy`. */
export interface Policy {
  type: number;
  value: Uint8Array;
  /** Fields that the message does not have, in the order in which they came. */
  readonly unknown: Unknown[];
}

/** A field that its message does not have. */
export interface Unknown {
  /** Field number and wire type. */
  readonly tag: number;
  /** What follows the tag on the wire. */
  readonly bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array();

/** A group of a version, with nothing in it. */
export const emptyGroup = (version = 0n): Group => ({
  version,
  modPolicy: '',
  groups: undefined,
  values: undefined,
  policies: undefined,
});

/** A value of a version, without bytes. */
export const emptyValue = (version = 0n): Value => ({ version, modPolicy: '', value: NO_BYTES });

/** An entry of a version, without its policy. */
export const emptyPolicyEntry = (version = 0n): PolicyEntry => ({
  version,
  modPolicy: '',
  policy: undefined,
});

/** A policy that is there and says nothing. */
export const emptyPolicy = (): Policy => ({ type: 0, value: NO_BYTES, unknown: [] });

/** The elements with one more, in place; an element of the same name is replaced. */
export const withElement = <E>(elements: Elements<E>, name: string, element: E): Map<string, E> =>
  (elements ?? new Map<string, E>()).set(name, element);
