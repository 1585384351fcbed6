// Parses the bytes of a common.Config or a common.ConfigUpdate into trees of groups.
//
// Not a typed message of proto/messages: elements keep their bytes and unknown fields, the order of their names is that of Fabric,
// depth and number are bounded, and a config of 1 MB is read several times by each command.

import { joinBytes } from '../../proto/concat-bytes.js';
import { TranslateError } from '../../proto/errors.js';
import { ENTRY_KEY, ENTRY_MESSAGE } from '../../proto/messages/message-type.js';
import { badBytes, int64ToBigint, WireReader } from '../../proto/wire.js';
import {
  NO_BYTES,
  noElements,
  type Config,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigUpdate,
  type ConfigValue,
  type UnknownField,
} from './element.js';
import {
  CONFIG_CHANNEL_GROUP,
  CONFIG_SEQUENCE,
  ELEMENT_CONTENT,
  ELEMENT_MOD_POLICY,
  GROUP_GROUPS,
  GROUP_MOD_POLICY,
  GROUP_POLICIES,
  GROUP_VALUES,
  POLICY_TYPE,
  POLICY_VALUE,
  UPDATE_CHANNEL_ID,
  UPDATE_READ_SET,
  UPDATE_WRITE_SET,
  VERSION,
} from './fields.js';
import { ordered } from './ordered.js';

/** What a config may have at most. */
export interface ReadLimits {
  /** Nesting of messages, including the outermost one. Map entries do not count. */
  readonly depth: number;
  /** Groups, values and policies together, and the unknown fields and repeated messages in them: each takes memory. */
  readonly elements: number;
}

/** A config of Fabric nests five messages; 250 organisations have 2,500 elements. */
export const CONFIG_LIMITS: ReadLimits = { depth: 64, elements: 100_000 };

/** Reads the fields of a message or of a map entry. */
interface Message {
  readonly isEntry?: true;
  /** Called at the beginning of the message, with its position in the input. */
  begin?(start: number, end: number): void;
  /** Reads the value of a field; returns a reader for the value if that is a message. */
  field(tag: number, reader: WireReader): Message | undefined;
  /** Called at the end of the message. */
  end?(): void;
}

interface Frame {
  readonly message: Message;
  readonly depth: number;
  /** The end of the parent message. */
  readonly parentEnd: number;
}

/** What the reader of an element needs. */
interface Input {
  readonly bytes: Uint8Array;
  /** Counts an element, an unknown field or a repeated message. @throws TranslateError TOO_LARGE */
  count(): void;
}

/**
 * Parses a `common.Config`.
 *
 * @param path the path of errors
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
 * @param path the path of errors
 * @returns undefined if there is no channel group
 * @throws TranslateError BAD_BYTES: not wire format, a string that is not UTF-8, or nested too deep; TOO_LARGE: too many elements
 */
export function parseConfig(bytes: Uint8Array, path: string, limits: ReadLimits): Config | undefined {
  let sequence = 0n;
  let channelGroup: Group | undefined;
  const input = inputOf(bytes, path, limits);
  const config: Message = {
    field(tag, reader) {
      if (tag === CONFIG_CHANNEL_GROUP) return groupMessage((channelGroup ??= new Group()), input);
      if (tag === CONFIG_SEQUENCE) sequence = int64ToBigint(reader.varint64());
      else reader.skipField(tag);
      return undefined;
    },
  };
  readMessage(bytes, config, path, limits);
  channelGroup?.order();
  return channelGroup === undefined ? undefined : { sequence, channelGroup };
}

/**
 * Parses a `common.ConfigUpdate`.
 *
 * @param path the path of errors
 * @throws TranslateError BAD_BYTES, TOO_LARGE as {@link parseConfig}
 */
export function readConfigUpdate(bytes: Uint8Array, path = ''): ConfigUpdate {
  const limits = CONFIG_LIMITS;
  let channelId = '';
  let readSet: Group | undefined;
  let writeSet: Group | undefined;
  const input = inputOf(bytes, path, limits);
  const update: Message = {
    field(tag, reader) {
      if (tag === UPDATE_READ_SET) return groupMessage((readSet ??= new Group()), input);
      if (tag === UPDATE_WRITE_SET) return groupMessage((writeSet ??= new Group()), input);
      if (tag === UPDATE_CHANNEL_ID) channelId = reader.string();
      else reader.skipField(tag);
      return undefined;
    },
  };
  readMessage(bytes, update, path, limits);
  readSet?.order();
  writeSet?.order();
  return { channelId, readSet, writeSet, bytes };
}

function inputOf(bytes: Uint8Array, path: string, { elements }: ReadLimits): Input {
  let left = elements;
  return {
    bytes,
    count() {
      if (--left < 0)
        throw new TranslateError(
          'TOO_LARGE',
          `the config has more than ${elements} groups, values, policies, unknown fields and repeated messages`,
          path,
        );
    },
  };
}

/** Reads nested messages without recursion, in the order of the bytes. */
function readMessage(bytes: Uint8Array, outermost: Message, path: string, limits: ReadLimits): void {
  try {
    readFrames(new WireReader(bytes), outermost, path, limits);
  } catch (error) {
    throw badBytes(error, path);
  }
}

function readFrames(reader: WireReader, outermost: Message, path: string, limits: ReadLimits): void {
  const parents: Frame[] = [];
  let frame: Frame = { message: outermost, depth: 1, parentEnd: 0 };
  for (;;) {
    if (reader.pos < reader.len) {
      const nested = frame.message.field(reader.tag(), reader);
      if (nested === undefined) continue;
      parents.push(frame);
      const depth = frame.depth + (nested.isEntry ? 0 : 1);
      frame = { message: nested, depth, parentEnd: reader.len };
      reader.len = reader.end();
      nested.begin?.(reader.pos, reader.len);
      if (depth > limits.depth) throw tooDeep(path);
      continue;
    }
    frame.message.end?.();
    const parent = parents.pop();
    if (parent === undefined) return;
    reader.len = frame.parentEnd;
    frame = parent;
  }
}

function tooDeep(path: string): TranslateError {
  return new TranslateError('BAD_BYTES', 'proto: exceeded maximum recursion depth', path);
}

/** The encoded form of an element: a part of the input, or several, since a message that occurs again is merged. */
class Encoded {
  #input: Uint8Array | undefined;
  #start = 0;
  #end = 0;
  #repeated: Uint8Array[] | undefined;

  /** All parts; joined when they are needed, since a group contains the parts of all groups in it. */
  get bytes(): Uint8Array {
    const first = this.#input?.subarray(this.#start, this.#end) ?? NO_BYTES;
    return this.#repeated === undefined ? first : joinBytes([first, ...this.#repeated]);
  }

  /** @throws TranslateError TOO_LARGE */
  occurs(input: Input, start: number, end: number): void {
    if (this.#input === undefined) {
      [this.#input, this.#start, this.#end] = [input.bytes, start, end];
      return;
    }
    input.count();
    (this.#repeated ??= []).push(input.bytes.subarray(start, end));
  }
}

class Group extends Encoded implements ConfigGroup {
  version = 0n;
  modPolicy = '';
  groups: ReadonlyMap<string, ConfigGroup> = noElements();
  values: ReadonlyMap<string, ConfigValue> = noElements();
  policies: ReadonlyMap<string, ConfigPolicy> = noElements();
  unknown: UnknownField[] | undefined;

  /** Orders the elements. Called once, after all parts of the group. */
  order(): void {
    this.groups = ordered(this.groups);
    this.values = ordered(this.values);
    this.policies = ordered(this.policies);
  }
}

class Value extends Encoded implements ConfigValue {
  version = 0n;
  modPolicy = '';
  value: Uint8Array = NO_BYTES;
  unknown: UnknownField[] | undefined;
}

interface PolicyContent {
  type: number;
  value: Uint8Array;
  unknown: UnknownField[] | undefined;
}

class PolicyEntry extends Encoded implements ConfigPolicy {
  version = 0n;
  modPolicy = '';
  policy: PolicyContent | undefined;
  unknown: UnknownField[] | undefined;
}

/** Adds an element in place; creates the map if needed, because most groups of a large tree lack one kind of elements. */
function withElement<E>(elements: ReadonlyMap<string, E>, name: string, element: E): ReadonlyMap<string, E> {
  const map = elements.size === 0 ? new Map<string, E>() : (elements as Map<string, E>);
  return map.set(name, element);
}

/** Reads into a group and merges with what the group contains already. */
function groupMessage(group: Group, input: Input): Message {
  return {
    begin(start, end) {
      group.occurs(input, start, end);
    },
    field(tag, reader) {
      switch (tag) {
        case VERSION:
          group.version = int64ToBigint(reader.varint64());
          return undefined;
        case GROUP_GROUPS:
          return entryOf(new Group(), groupMessage, input, (name, nested) => {
            nested.order();
            group.groups = withElement(group.groups, name, nested);
          });
        case GROUP_VALUES:
          return entryOf(new Value(), valueMessage, input, (name, value) => {
            group.values = withElement(group.values, name, value);
          });
        case GROUP_POLICIES:
          return entryOf(new PolicyEntry(), policyEntryMessage, input, (name, policy) => {
            group.policies = withElement(group.policies, name, policy);
          });
        case GROUP_MOD_POLICY:
          group.modPolicy = reader.string();
          return undefined;
        default:
          group.unknown = withUnknown(group.unknown, tag, reader, input);
          return undefined;
      }
    },
  };
}

/** Reads a map entry. A missing key is the empty name. */
function entryOf<E>(
  element: E,
  messageOf: (element: E, input: Input) => Message,
  input: Input,
  add: (name: string, element: E) => void,
): Message {
  let name = '';
  input.count();
  return {
    isEntry: true,
    field(tag, reader) {
      if (tag === ENTRY_MESSAGE) return messageOf(element, input);
      if (tag === ENTRY_KEY) name = reader.string();
      else reader.skipField(tag);
      return undefined;
    },
    end() {
      add(name, element);
    },
  };
}

function valueMessage(value: Value, input: Input): Message {
  return {
    begin(start, end) {
      value.occurs(input, start, end);
    },
    field(tag, reader) {
      if (tag === VERSION) value.version = int64ToBigint(reader.varint64());
      else if (tag === ELEMENT_CONTENT) value.value = reader.bytes();
      else if (tag === ELEMENT_MOD_POLICY) value.modPolicy = reader.string();
      else value.unknown = withUnknown(value.unknown, tag, reader, input);
      return undefined;
    },
  };
}

function policyEntryMessage(entry: PolicyEntry, input: Input): Message {
  return {
    begin(start, end) {
      entry.occurs(input, start, end);
    },
    field(tag, reader) {
      if (tag === ELEMENT_CONTENT) return policyMessage((entry.policy ??= emptyPolicy()), input);
      if (tag === VERSION) entry.version = int64ToBigint(reader.varint64());
      else if (tag === ELEMENT_MOD_POLICY) entry.modPolicy = reader.string();
      else entry.unknown = withUnknown(entry.unknown, tag, reader, input);
      return undefined;
    },
  };
}

const emptyPolicy = (): PolicyContent => ({ type: 0, value: NO_BYTES, unknown: undefined });

function policyMessage(policy: PolicyContent, input: Input): Message {
  return {
    field(tag, reader) {
      if (tag === POLICY_TYPE) policy.type = reader.uint32() | 0;
      else if (tag === POLICY_VALUE) policy.value = reader.bytes();
      else policy.unknown = withUnknown(policy.unknown, tag, reader, input);
      return undefined;
    },
  };
}

/** Adds an unknown field: its bytes after the tag, up to the end of the group if it is a group. */
function withUnknown(
  unknown: UnknownField[] | undefined,
  tag: number,
  reader: WireReader,
  input: Input,
): UnknownField[] {
  input.count();
  const start = reader.pos;
  reader.skipField(tag);
  const field = { tag, bytes: reader.buf.subarray(start, reader.pos) };
  if (unknown === undefined) return [field];
  unknown.push(field);
  return unknown;
}
