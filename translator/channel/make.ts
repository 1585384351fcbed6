// Makes elements of a config that were not read from bytes.

import { NO_BYTES } from '../../proto/bytes.js';
import {
  noElements,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigValue,
  type Policy,
  type PolicyFields,
  type UnknownField,
  type ValueFields,
} from './element.js';
import { encodeGroup, encodePolicy, encodeValue } from './write.js';

class Value implements ConfigValue {
  readonly version: bigint;
  readonly modPolicy: string;
  readonly value: Uint8Array;
  readonly unknown: readonly UnknownField[] | undefined;

  constructor({ version = 0n, modPolicy = '', value = NO_BYTES, unknown }: Partial<ValueFields>) {
    this.version = version;
    this.modPolicy = modPolicy;
    this.value = value;
    this.unknown = unknown;
  }

  get bytes(): Uint8Array {
    return encodeValue(this);
  }
}

class PolicyEntry implements ConfigPolicy {
  readonly version: bigint;
  readonly modPolicy: string;
  readonly policy: Policy | undefined;
  readonly unknown: readonly UnknownField[] | undefined;

  constructor({ version = 0n, modPolicy = '', policy, unknown }: Partial<PolicyFields>) {
    this.version = version;
    this.modPolicy = modPolicy;
    this.policy = policy;
    this.unknown = unknown;
  }

  get bytes(): Uint8Array {
    return encodePolicy(this);
  }
}

type GroupParts = Partial<Omit<ConfigGroup, 'bytes'>>;

class Group implements ConfigGroup {
  readonly version: bigint;
  readonly modPolicy: string;
  readonly groups: ReadonlyMap<string, ConfigGroup>;
  readonly values: ReadonlyMap<string, ConfigValue>;
  readonly policies: ReadonlyMap<string, ConfigPolicy>;
  readonly unknown: readonly UnknownField[] | undefined;

  constructor(parts: GroupParts) {
    this.version = parts.version ?? 0n;
    this.modPolicy = parts.modPolicy ?? '';
    this.groups = parts.groups ?? noElements();
    this.values = parts.values ?? noElements();
    this.policies = parts.policies ?? noElements();
    this.unknown = parts.unknown;
  }

  get bytes(): Uint8Array {
    return encodeGroup(this);
  }
}

/** Makes a value, for example from another value with some changed fields: `makeValue({ ...old, version: 2n })`. */
export const makeValue = (fields: Partial<ValueFields>): ConfigValue => new Value(fields);

/** Makes a policy entry; without the field `policy` it contains no policy. */
export const makePolicy = (fields: Partial<PolicyFields>): ConfigPolicy => new PolicyEntry(fields);

/** Makes a group; by default it is empty. */
export const makeGroup = (fields: GroupParts): ConfigGroup => new Group(fields);
