// Parses the bytes of a common.Config into its tree of groups.

import { TranslateError } from '../../proto/errors.js';
import type { ValueLimit } from '../../proto/value-limit.js';
import { badBytes, int64ToBigint, WireReader } from '../../proto/wire.js';
import {
  CONFIG_CHANNEL_GROUP,
  CONFIG_SEQUENCE,
  ENTRY_KEY,
  ENTRY_VALUE,
  VERSION,
  GROUP_GROUPS,
  GROUP_VALUES,
  GROUP_POLICIES,
  GROUP_MOD_POLICY,
  ELEMENT_CONTENT,
  ELEMENT_MOD_POLICY,
  POLICY_TYPE,
  POLICY_VALUE,
} from './fields.js';
import {
  emptyGroup,
  emptyPolicy,
  emptyPolicyEntry,
  emptyValue,
  withElement,
  type Config,
  type Group,
  type Policy,
  type PolicyEntry,
  type Value,
} from './tree.js';

/** Maximum nesting of messages, including the outermost one. Map entries do not count. */
const MAX_DEPTH = 10_000;

/** Reads the fields of a message or of a map entry. */
interface Message {
  readonly isEntry?: true;
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

/**
 * Parses a `common.Config`. Drops unknown fields, except those of policies.
 *
 * @param path the path of errors
 * @param limit of the groups, values, policies and unknown fields
 * @returns undefined if there is no channel group
 * @throws TranslateError BAD_BYTES: not wire format, a string that is not UTF-8, or nested too deep
 */
export function readConfig(bytes: Uint8Array, path: string, limit: ValueLimit): Config | undefined {
  let sequence = 0n;
  let channelGroup: Group | undefined;
  const config: Message = {
    field(tag, reader) {
      if (tag === CONFIG_CHANNEL_GROUP) return groupMessage((channelGroup ??= emptyGroup()));
      if (tag === CONFIG_SEQUENCE) sequence = int64ToBigint(reader.varint64());
      else reader.skip(tag);
      return undefined;
    },
  };
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    readMessage(new WireReader(buffer), config, path, limit);
  } catch (error) {
    throw badBytes(error, path);
  }
  return channelGroup === undefined ? undefined : { sequence, channelGroup };
}

/** Reads nested messages without recursion, in the order of the bytes. */
function readMessage(reader: WireReader, outermost: Message, path: string, limit: ValueLimit): void {
  const parents: Frame[] = [];
  let frame: Frame = { message: outermost, depth: 1, parentEnd: 0 };
  for (;;) {
    if (reader.pos < reader.len) {
      const nested = frame.message.field(reader.tag(), reader);
      limit.add();
      if (nested === undefined) continue;
      parents.push(frame);
      const depth = frame.depth + (nested.isEntry ? 0 : 1);
      frame = { message: nested, depth, parentEnd: reader.len };
      reader.len = reader.end();
      if (depth > MAX_DEPTH) throw tooDeep(path);
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

/** Reads into a group and merges with what the group contains already. */
function groupMessage(group: Group): Message {
  return {
    field(tag, reader) {
      switch (tag) {
        case VERSION:
          group.version = int64ToBigint(reader.varint64());
          return undefined;
        case GROUP_GROUPS:
          return entryOf(emptyGroup(), groupMessage, (name, nested) => {
            group.groups = withElement(group.groups, name, nested);
          });
        case GROUP_VALUES:
          return entryOf(emptyValue(), valueMessage, (name, value) => {
            group.values = withElement(group.values, name, value);
          });
        case GROUP_POLICIES:
          return entryOf(emptyPolicyEntry(), policyEntryMessage, (name, policy) => {
            group.policies = withElement(group.policies, name, policy);
          });
        case GROUP_MOD_POLICY:
          group.modPolicy = reader.string();
          return undefined;
        default:
          reader.skip(tag);
          return undefined;
      }
    },
  };
}

/** Reads a map entry. A missing key is the empty name. */
function entryOf<E>(
  element: E,
  messageOf: (element: E) => Message,
  add: (name: string, element: E) => void,
): Message {
  let name = '';
  return {
    isEntry: true,
    field(tag, reader) {
      if (tag === ENTRY_VALUE) return messageOf(element);
      if (tag === ENTRY_KEY) name = reader.string();
      else reader.skip(tag);
      return undefined;
    },
    end() {
      add(name, element);
    },
  };
}

function valueMessage(value: Value): Message {
  return {
    field(tag, reader) {
      if (tag === VERSION) value.version = int64ToBigint(reader.varint64());
      else if (tag === ELEMENT_CONTENT) value.value = reader.bytes();
      else if (tag === ELEMENT_MOD_POLICY) value.modPolicy = reader.string();
      else reader.skip(tag);
      return undefined;
    },
  };
}

function policyEntryMessage(entry: PolicyEntry): Message {
  return {
    field(tag, reader) {
      if (tag === ELEMENT_CONTENT) return policyMessage((entry.policy ??= emptyPolicy()));
      if (tag === VERSION) entry.version = int64ToBigint(reader.varint64());
      else if (tag === ELEMENT_MOD_POLICY) entry.modPolicy = reader.string();
      else reader.skip(tag);
      return undefined;
    },
  };
}

function policyMessage(policy: Policy): Message {
  return {
    field(tag, reader) {
      if (tag === POLICY_TYPE) policy.type = reader.uint32() | 0;
      else if (tag === POLICY_VALUE) policy.value = reader.bytes();
      else policy.unknown.push({ tag, bytes: skipped(tag, reader) });
      return undefined;
    },
  };
}

/** The bytes of an unknown field after its tag, up to the end of the group if it is a group. */
function skipped(tag: number, reader: WireReader): Uint8Array {
  const start = reader.pos;
  reader.skip(tag);
  return reader.buf.subarray(start, reader.pos);
}
