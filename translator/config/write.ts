// Writes configs and config updates in canonical order: fields by number, then unknown fields; map entries by the UTF-8 bytes of
// their names. These are the bytes of Go's deterministic marshalling. Unknown fields are kept, which typed messages do not.
//
// WireWriter writes from the end: the last field of a message comes first.

import { ENTRY_KEY, ENTRY_MESSAGE } from '../../proto/messages/message-type.js';
import { bigintToInt64 } from '../../proto/wire.js';
import { WireWriter } from '../../proto/wire-writer.js';
import type {
  Config,
  GroupFields,
  Policy,
  PolicyFields,
  UnknownField,
  UpdateFields,
  ValueFields,
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

/** Serializes a `common.Config`. */
export function writeConfig({ sequence, channelGroup }: Config): Uint8Array {
  const out = new WireWriter();
  writeGroup(out, channelGroup);
  out.delimit(0, CONFIG_CHANNEL_GROUP);
  writeNumber(out, CONFIG_SEQUENCE, sequence);
  return new Uint8Array(out.written);
}

/** Serializes a `common.ConfigUpdate`. A set is written even if it is empty. */
export function writeUpdate({ channelId, readSet, writeSet }: UpdateFields): Uint8Array {
  const out = new WireWriter();
  if (writeSet !== undefined) {
    writeGroup(out, writeSet);
    out.delimit(0, UPDATE_WRITE_SET);
  }
  if (readSet !== undefined) {
    const end = out.length;
    writeGroup(out, readSet);
    out.delimit(end, UPDATE_READ_SET);
  }
  writeText(out, UPDATE_CHANNEL_ID, channelId);
  return new Uint8Array(out.written);
}

/** Serializes a `common.ConfigGroup`. */
export const encodeGroup = (group: GroupFields): Uint8Array => written(writeGroup, group);

/** Serializes a `common.ConfigValue`. */
export const encodeValue = (value: ValueFields): Uint8Array => written(writeValue, value);

/** Serializes a `common.ConfigPolicy`. */
export const encodePolicy = (policy: PolicyFields): Uint8Array => written(writePolicyEntry, policy);

function written<E>(write: (out: WireWriter, element: E) => void, element: E): Uint8Array {
  const out = new WireWriter();
  write(out, element);
  return new Uint8Array(out.written);
}

/** A group that is being written. */
interface Frame {
  /** The name in the parent group; empty for the outermost group. */
  readonly name: string;
  readonly group: GroupFields;
  /** The length of the output before the group. */
  readonly since: number;
  /** The nested groups that remain to be written. */
  readonly waiting: [string, GroupFields][];
}

/** Writes the fields of a group and of all groups in it, without recursion. */
function writeGroup(out: WireWriter, root: GroupFields): void {
  const around: Frame[] = [];
  let frame = beginGroup(out, '', root);
  for (;;) {
    const nested = frame.waiting.pop();
    if (nested !== undefined) {
      around.push(frame);
      frame = beginGroup(out, ...nested);
      continue;
    }
    writeNumber(out, VERSION, frame.group.version);
    const outer = around.pop();
    if (outer === undefined) return;
    endEntry(out, GROUP_GROUPS, frame.name, frame.since);
    frame = outer;
  }
}

/** Writes what comes behind the groups of a group. */
function beginGroup(out: WireWriter, name: string, group: GroupFields): Frame {
  const since = out.length;
  writeUnknown(out, group.unknown);
  writeText(out, GROUP_MOD_POLICY, group.modPolicy);
  writeEntries(out, GROUP_POLICIES, group.policies, writePolicyEntry);
  writeEntries(out, GROUP_VALUES, group.values, writeValue);
  return { name, group, since, waiting: [...ordered(group.groups)] };
}

function writeEntries<E>(
  out: WireWriter,
  tag: number,
  elements: ReadonlyMap<string, E>,
  write: (out: WireWriter, element: E) => void,
): void {
  for (const [name, element] of [...ordered(elements)].toReversed()) {
    const since = out.length;
    write(out, element);
    endEntry(out, tag, name, since);
  }
}

/** Makes an entry of a map of what was written. Its key and its value are always there, also where they are empty. */
function endEntry(out: WireWriter, tag: number, name: string, since: number): void {
  out.delimit(since, ENTRY_MESSAGE);
  out.string(name);
  out.uint32(ENTRY_KEY);
  out.delimit(since, tag);
}

function writeValue(out: WireWriter, { version, value, modPolicy, unknown }: ValueFields): void {
  writeUnknown(out, unknown);
  writeText(out, ELEMENT_MOD_POLICY, modPolicy);
  writeBytes(out, ELEMENT_CONTENT, value);
  writeNumber(out, VERSION, version);
}

function writePolicyEntry(out: WireWriter, entry: PolicyFields): void {
  const { version, policy, modPolicy, unknown } = entry;
  writeUnknown(out, unknown);
  writeText(out, ELEMENT_MOD_POLICY, modPolicy);
  if (policy !== undefined) {
    const since = out.length;
    writePolicy(out, policy);
    out.delimit(since, ELEMENT_CONTENT);
  }
  writeNumber(out, VERSION, version);
}

function writePolicy(out: WireWriter, { type, value, unknown }: Policy): void {
  writeUnknown(out, unknown);
  writeBytes(out, POLICY_VALUE, value);
  if (type !== 0) {
    out.int32(type);
    out.uint32(POLICY_TYPE);
  }
}

function writeUnknown(out: WireWriter, unknown: readonly UnknownField[] = []): void {
  for (const { tag, bytes } of unknown.toReversed()) {
    out.raw(bytes);
    out.uint32(tag);
  }
}

function writeNumber(out: WireWriter, tag: number, value: bigint): void {
  if (value === 0n) return;
  out.varint64(bigintToInt64(value));
  out.uint32(tag);
}

function writeBytes(out: WireWriter, tag: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  out.bytes(bytes);
  out.uint32(tag);
}

function writeText(out: WireWriter, tag: number, text: string): void {
  if (text === '') return;
  out.string(text);
  out.uint32(tag);
}
