// Reads the bytes of a common.Config into its tree of groups.

import { TranslateError } from '../../proto/errors.js';
import { badBytes, int64ToBigint, WireReader } from '../../proto/wire.js';
import {
  CONFIG_CHANNEL_GROUP,
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
  type Group,
  type Policy,
  type PolicyEntry,
  type Value,
} from './tree.js';

/** How many messages may nest, the outermost one included. The entries of a map do not count. */
const MAX_DEPTH = 10_000;

/** A message, or the entry of a map, that is being read. */
interface Message {
  readonly isEntry?: true;
  /** Reads the value of a field; or, where that is a message, answers what reads it. */
  field(tag: number, reader: WireReader): Message | undefined;
  /** Called when nothing is left of it. */
  end?(): void;
}

interface Frame {
  readonly message: Message;
  readonly depth: number;
  /** Where the message around ends. */
  readonly outer: number;
}

/**
 * Reads a `common.Config`. Its sequence and all unknown fields but those of policies are dropped.
 *
 * @param path what the bytes are called in errors
 * @returns the channel group; undefined if there is none
 * @throws TranslateError BAD_BYTES: no wire format, text that is no UTF-8, or nested too deep
 */
export function readConfig(bytes: Uint8Array, path: string): Group | undefined {
  let root: Group | undefined;
  const config: Message = {
    field(tag, reader) {
      if (tag === CONFIG_CHANNEL_GROUP) return groupMessage((root ??= emptyGroup()));
      reader.skip(tag);
      return undefined;
    },
  };
  try {
    readMessage(new WireReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)), config, path);
  } catch (error) {
    throw badBytes(error, path);
  }
  return root;
}

/** Reads messages within messages without recursion, in the order of the bytes. */
function readMessage(reader: WireReader, outermost: Message, path: string): void {
  const around: Frame[] = [];
  let frame: Frame = { message: outermost, depth: 1, outer: 0 };
  for (;;) {
    if (reader.pos < reader.len) {
      const nested = frame.message.field(reader.tag(), reader);
      if (nested === undefined) continue;
      around.push(frame);
      const depth = frame.depth + (nested.isEntry ? 0 : 1);
      frame = { message: nested, depth, outer: reader.len };
      reader.len = reader.end();
      if (depth > MAX_DEPTH) throw tooDeep(path);
      continue;
    }
    frame.message.end?.();
    const outer = around.pop();
    if (outer === undefined) return;
    reader.len = frame.outer;
    frame = outer;
  }
}

function tooDeep(path: string): TranslateError {
  return new TranslateError('BAD_BYTES', 'proto: exceeded maximum recursion depth', path);
}

/** Reads into a group: what it has already is merged with what comes. */
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

/** Reads an entry of a map. A name that is missing is the empty one. */
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

/** The bytes of an unknown field after its tag; a whole group if it is one. */
function skipped(tag: number, reader: WireReader): Uint8Array {
  const start = reader.pos;
  reader.skip(tag);
  return reader.buf.subarray(start, reader.pos);
}
