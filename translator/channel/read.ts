// Parses the bytes of a common.Config or a common.ConfigUpdate into trees of groups. Elements keep their bytes and unknown fields.

import { NO_BYTES } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import { fromBinary } from '../../proto/from-binary.js';
import { CONFIG_LIMITS, type Limits } from '../../proto/limits.js';
import type { Message, Value as SlotValue } from '../../proto/message.js';
import { CommonConfig, CommonConfigUpdate } from '../../proto/messages.js';
import type { MessageType } from '../../proto/type.js';
import { WireReader } from '../../proto/wire.js';
import {
  noElements,
  ordered,
  type Config,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigUpdate,
  type ConfigValue,
  type Policy,
  type UnknownField,
} from './element.js';
import { CONFIG, GROUP, POLICY, POLICY_ENTRY, UPDATE, VALUE } from './write.js';

type Msg = Message<MessageType>;
type Slot = SlotValue<MessageType> | undefined;

/**
 * Parses a `common.Config`.
 *
 * @param path the path for errors
 * @throws TranslateError as {@link parseConfig}, and NO_CHANNEL_GROUP
 */
export function readConfig(bytes: Uint8Array, path = ''): Config {
  const config = parseConfig(bytes, path, CONFIG_LIMITS);
  if (config === undefined)
    throw new TranslateError('NO_CHANNEL_GROUP', 'the config has no channel group', path);
  return config;
}

/**
 * Parses a `common.Config` within limits.
 *
 * @param path the path for errors
 * @returns undefined if there is no channel group
 * @throws TranslateError BAD_BYTES: not wire format, a string that is not UTF-8, or nested too deep; TOO_LARGE: too many elements
 */
export function parseConfig(bytes: Uint8Array, path: string, limits: Limits): Config | undefined {
  const { slots } = fromBinary<MessageType>(CommonConfig, bytes, { limits, path });
  const channelGroup = groupOf(slots[CONFIG.channelGroup]);
  return channelGroup && { sequence: numberOf(slots[CONFIG.sequence]), channelGroup };
}

/**
 * Parses a `common.ConfigUpdate`.
 *
 * @param path the path for errors
 * @throws TranslateError BAD_BYTES, TOO_LARGE as {@link parseConfig}
 */
export function readConfigUpdate(bytes: Uint8Array, path = ''): ConfigUpdate {
  const { slots } = fromBinary<MessageType>(CommonConfigUpdate, bytes, { limits: CONFIG_LIMITS, path });
  return {
    channelId: textOf(slots[UPDATE.channelId]),
    readSet: groupOf(slots[UPDATE.readSet]),
    writeSet: groupOf(slots[UPDATE.writeSet]),
    bytes,
  };
}

const numberOf = (slot: Slot): bigint => (slot === undefined ? 0n : BigInt(slot as string));
const textOf = (slot: Slot): string => (slot as string | undefined) ?? '';
const bytesOf = (slot: Slot): Uint8Array => (slot as Uint8Array | undefined) ?? NO_BYTES;

/** An element: its fields as own properties, so that `...` copies them, and the message from which it was read. */
class Element {
  readonly version: bigint;
  readonly modPolicy: string;
  readonly unknown: readonly UnknownField[] | undefined;
  readonly #message: Msg;

  constructor(message: Msg, fields: { readonly version: number; readonly modPolicy: number }) {
    this.version = numberOf(message.slots[fields.version]);
    this.modPolicy = textOf(message.slots[fields.modPolicy]);
    this.unknown = unknownOf(message);
    this.#message = message;
  }

  /** The concatenated parts, if the message occurs several times. */
  get bytes(): Uint8Array {
    return this.#message.bytes;
  }
}

class Value extends Element implements ConfigValue {
  readonly value: Uint8Array;

  constructor(message: Msg) {
    super(message, VALUE);
    this.value = bytesOf(message.slots[VALUE.value]);
  }
}

class PolicyEntry extends Element implements ConfigPolicy {
  readonly policy: Policy | undefined;

  constructor(message: Msg) {
    super(message, POLICY_ENTRY);
    this.policy = policyOf(message.slots[POLICY_ENTRY.policy] as Msg | undefined);
  }
}

class Group extends Element implements ConfigGroup {
  groups: ReadonlyMap<string, ConfigGroup> = noElements();
  readonly values: ReadonlyMap<string, ConfigValue>;
  readonly policies: ReadonlyMap<string, ConfigPolicy>;

  constructor(message: Msg) {
    super(message, GROUP);
    this.values = elements(message.slots[GROUP.values], (each) => new Value(each));
    this.policies = elements(message.slots[GROUP.policies], (each) => new PolicyEntry(each));
  }
}

function policyOf(message: Msg | undefined): Policy | undefined {
  if (message === undefined) return undefined;
  const { slots } = message;
  return {
    type: (slots[POLICY.type] as number | undefined) ?? 0,
    value: bytesOf(slots[POLICY.value]),
    unknown: unknownOf(message),
  };
}

/** The elements of a map, ordered by name. */
function elements<E>(slot: Slot, make: (message: Msg) => E): ReadonlyMap<string, E> {
  if (slot === undefined) return noElements();
  return ordered(new Map(Array.from(slot as ReadonlyMap<string, Msg>, ([name, each]) => [name, make(each)])));
}

/** A group with all groups in it. Not recursive, because input may nest groups thousands of levels deep. */
function groupOf(slot: Slot): Group | undefined {
  if (slot === undefined) return undefined;
  const root = new Group(slot as Msg);
  const waiting: [Group, Msg][] = [[root, slot as Msg]];
  // The array grows during the iteration.
  for (const [group, { slots }] of waiting)
    group.groups = elements(slots[GROUP.groups], (message) => {
      const nested = new Group(message);
      waiting.push([nested, message]);
      return nested;
    });
  return root;
}

function unknownOf({ unknown }: Msg): UnknownField[] | undefined {
  if (unknown.length === 0) return undefined;
  return unknown.map((field) => {
    const reader = new WireReader(field);
    const tag = reader.tag();
    return { tag, bytes: field.subarray(reader.pos) };
  });
}
