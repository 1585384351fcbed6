// The tree of a channel config: groups of groups, values and policies by name.

/** Elements by name; undefined if there are none, because most groups of a large tree lack one kind of elements. */
export type Elements<E> = Map<string, E> | undefined;

/** A `common.Config` with a channel group. */
export interface Config {
  readonly sequence: bigint;
  readonly channelGroup: Group;
}

/** A `common.ConfigGroup`. Versions are unsigned 64-bit integers. */
export interface Group {
  version: bigint;
  modPolicy: string;
  groups: Elements<Group>;
  values: Elements<Value>;
  policies: Elements<PolicyEntry>;
}

/** A `common.ConfigValue`; its bytes are opaque here. */
export interface Value {
  version: bigint;
  modPolicy: string;
  value: Uint8Array;
}

/** A `common.ConfigPolicy`. */
export interface PolicyEntry {
  version: bigint;
  modPolicy: string;
  /** Undefined if there is none, which differs from an empty policy. */
  policy: Policy | undefined;
}

/** A `common.Policy`. */
export interface Policy {
  type: number;
  value: Uint8Array;
  /** Unknown fields in their order on the wire. */
  readonly unknown: Unknown[];
}

/** An unknown field. */
export interface Unknown {
  /** Field number and wire type. */
  readonly tag: number;
  /** The bytes after the tag on the wire. */
  readonly bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array();

/** An empty group with a version. */
export const emptyGroup = (version = 0n): Group => ({
  version,
  modPolicy: '',
  groups: undefined,
  values: undefined,
  policies: undefined,
});

/** An empty value with a version. */
export const emptyValue = (version = 0n): Value => ({ version, modPolicy: '', value: NO_BYTES });

/** A policy entry with a version and no policy. */
export const emptyPolicyEntry = (version = 0n): PolicyEntry => ({
  version,
  modPolicy: '',
  policy: undefined,
});

/** A policy with default values. */
export const emptyPolicy = (): Policy => ({ type: 0, value: NO_BYTES, unknown: [] });

/** Adds an element in place and replaces one of the same name; creates the map if needed. */
export const withElement = <E>(elements: Elements<E>, name: string, element: E): Map<string, E> =>
  (elements ?? new Map<string, E>()).set(name, element);
