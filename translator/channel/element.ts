// The tree of a channel config: groups contain groups, values and policies by name.
//
// The interfaces without `bytes` are the fields of an element; the interfaces `Config…` also have the encoded message.

import { compareUtf8 } from '../../proto/utf8.js';

/** An unknown field of a message. Fabric keeps the unknown fields of a config. */
export interface UnknownField {
  /** Field number and wire type. */
  readonly tag: number;
  /** The bytes after the tag on the wire. */
  readonly bytes: Uint8Array;
}

interface ElementFields {
  /** An unsigned 64-bit integer. */
  readonly version: bigint;
  readonly modPolicy: string;
  readonly unknown?: readonly UnknownField[] | undefined;
}

interface Encoded {
  /** The encoded message, in canonical order if the element was not read from bytes. */
  readonly bytes: Uint8Array;
}

/** The fields of a `common.ConfigValue`. */
export interface ValueFields extends ElementFields {
  /** The serialized message; its type depends on the name and the group of the value. */
  readonly value: Uint8Array;
}

/** The fields of a `common.ConfigPolicy`. */
export interface PolicyFields extends ElementFields {
  /** Undefined if the message has no policy, which differs from an empty policy. */
  readonly policy?: Policy | undefined;
}

/** The fields of a `common.ConfigGroup`. */
export interface GroupFields extends ElementFields {
  readonly groups: ReadonlyMap<string, GroupFields>;
  readonly values: ReadonlyMap<string, ValueFields>;
  readonly policies: ReadonlyMap<string, PolicyFields>;
}

/** A `common.Policy`. */
export interface Policy {
  readonly type: number;
  readonly value: Uint8Array;
  readonly unknown?: readonly UnknownField[] | undefined;
}

/** A `common.ConfigValue`. */
export interface ConfigValue extends ValueFields, Encoded {}

/** A `common.ConfigPolicy`. */
export interface ConfigPolicy extends PolicyFields, Encoded {}

/** A `common.ConfigGroup`. */
export interface ConfigGroup extends GroupFields, Encoded {
  readonly groups: ReadonlyMap<string, ConfigGroup>;
  readonly values: ReadonlyMap<string, ConfigValue>;
  readonly policies: ReadonlyMap<string, ConfigPolicy>;
}

/** A `common.Config` with a channel group. */
export interface Config {
  /** The number of config updates since the genesis block. */
  readonly sequence: bigint;
  readonly channelGroup: ConfigGroup;
}

/** The fields of a `common.ConfigUpdate`. */
export interface UpdateFields {
  readonly channelId: string;
  /** The versions on which the update depends. A missing read set differs from an empty one, which has version 0 of the channel group. */
  readonly readSet?: GroupFields | undefined;
  /** The changed elements, and unchanged elements at the version of the read set. */
  readonly writeSet?: GroupFields | undefined;
}

/** A `common.ConfigUpdate`. Signatures are over its bytes. */
export interface ConfigUpdate extends UpdateFields, Encoded {
  readonly readSet?: ConfigGroup | undefined;
  readonly writeSet?: ConfigGroup | undefined;
}

const NO_ELEMENTS: ReadonlyMap<string, never> = new Map<string, never>();

/** An empty map of elements. */
export const noElements = <E>(): ReadonlyMap<string, E> => NO_ELEMENTS;

/** The next version of an element or the next sequence of a config: an unsigned 64-bit integer that wraps around, as in Go. */
export const nextVersion = (version: bigint): bigint => BigInt.asUintN(64, version + 1n);

/** The same elements, ordered by the UTF-8 bytes of their names. Go writes maps in any order. */
export function ordered<E>(elements: ReadonlyMap<string, E>): ReadonlyMap<string, E> {
  return isOrdered(elements)
    ? elements
    : new Map([...elements].sort(([left], [right]) => compareUtf8(left, right)));
}

function isOrdered(elements: ReadonlyMap<string, unknown>): boolean {
  let last: string | undefined;
  for (const name of elements.keys()) {
    if (last !== undefined && compareUtf8(last, name) > 0) return false;
    last = name;
  }
  return true;
}
