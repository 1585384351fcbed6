// Writes a common.ConfigUpdate in canonical order: fields by number, the entries of a map by the bytes of their names.

import protobuf from 'protobufjs/minimal.js';
import {
  UPDATE_CHANNEL_ID,
  UPDATE_READ_SET,
  UPDATE_WRITE_SET,
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
import type { Group, Policy, PolicyEntry, Value } from './tree.js';

type Writer = protobuf.Writer;

/** A `common.ConfigUpdate`. Both sets are written, also where they are empty. */
export function writeUpdate(channelId: string, readSet: Group, writeSet: Group): Uint8Array {
  const out = new Backwards();
  writeGroup(out, writeSet);
  out.wrap(UPDATE_WRITE_SET, 0);
  const end = out.length;
  writeGroup(out, readSet);
  out.wrap(UPDATE_READ_SET, end);
  out.put(text(protobuf.Writer.create(), UPDATE_CHANNEL_ID, channelId));
  return out.bytes();
}

/**
 * Bytes that are put together from the last to the first.
 *
 * What is nested is there before its length is written, so that nothing is moved, however deep it nests.
 */
class Backwards {
  readonly #parts: Uint8Array[] = [];
  length = 0;

  /** Puts bytes before what there is. */
  put(writer: Writer): void {
    const part = writer.finish();
    this.#parts.push(part);
    this.length += part.length;
  }

  /** Makes a field of what was put since the given length. */
  wrap(tag: number, since: number): void {
    this.put(
      protobuf.Writer.create()
        .uint32(tag)
        .uint32(this.length - since),
    );
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts.toReversed(), this.length);
  }
}

/** A group that is being written, its last field first. */
interface Frame {
  readonly group: Group;
  /** The name in the group around; empty for the outermost group. */
  readonly name: Uint8Array;
  /** How many bytes there were before it. */
  readonly since: number;
  /** The groups in it that are still to be written. */
  readonly waiting: Named<Group>[];
}

/** Writes the fields of a group and of all groups in it, without recursion. */
function writeGroup(out: Backwards, root: Group): void {
  const around: Frame[] = [];
  let frame = begin(out, root, new Uint8Array());
  for (;;) {
    const nested = frame.waiting.pop();
    if (nested !== undefined) {
      around.push(frame);
      frame = begin(out, nested.element, nested.name);
      continue;
    }
    out.put(version(protobuf.Writer.create(), frame.group.version));
    const outer = around.pop();
    if (outer === undefined) return;
    out.wrap(ENTRY_VALUE, frame.since);
    out.put(protobuf.Writer.create().uint32(ENTRY_KEY).bytes(frame.name));
    out.wrap(GROUP_GROUPS, frame.since);
    frame = outer;
  }
}

/** Writes what follows the groups of a group. */
function begin(out: Backwards, group: Group, name: Uint8Array): Frame {
  const since = out.length;
  const writer = protobuf.Writer.create();
  for (const value of sorted(group.values)) mapEntry(writer, GROUP_VALUES, value, valueFields);
  for (const policy of sorted(group.policies)) mapEntry(writer, GROUP_POLICIES, policy, policyEntryFields);
  out.put(text(writer, GROUP_MOD_POLICY, group.modPolicy));
  return { group, name, since, waiting: sorted(group.groups) };
}

/** An element and the UTF-8 of its name. */
interface Named<E> {
  readonly name: Uint8Array;
  readonly element: E;
}

/** By the bytes of the names, not by UTF-16 as strings compare. */
function sorted<E>(elements: ReadonlyMap<string, E>): Named<E>[] {
  return [...elements]
    .map(([name, element]) => ({ name: Buffer.from(name), element }))
    .sort((left, right) => Buffer.compare(left.name, right.name));
}

/** The key and the value of an entry are always written. */
function mapEntry<E>(
  writer: Writer,
  tag: number,
  { name, element }: Named<E>,
  fields: (writer: Writer, element: E) => void,
): void {
  writer.uint32(tag).fork().uint32(ENTRY_KEY).bytes(name).uint32(ENTRY_VALUE).fork();
  fields(writer, element);
  writer.ldelim().ldelim();
}

function valueFields(writer: Writer, value: Value): void {
  version(writer, value.version);
  if (value.value.length > 0) writer.uint32(ELEMENT_CONTENT).bytes(value.value);
  text(writer, ELEMENT_MOD_POLICY, value.modPolicy);
}

function policyEntryFields(writer: Writer, entry: PolicyEntry): void {
  version(writer, entry.version);
  if (entry.policy !== undefined) {
    writer.uint32(ELEMENT_CONTENT).fork();
    policyFields(writer, entry.policy);
    writer.ldelim();
  }
  text(writer, ELEMENT_MOD_POLICY, entry.modPolicy);
}

function policyFields(writer: Writer, { type, value, unknown }: Policy): void {
  if (type !== 0) writer.uint32(POLICY_TYPE).int32(type);
  if (value.length > 0) writer.uint32(POLICY_VALUE).bytes(value);
  for (const { tag, bytes } of unknown) writer.uint32(tag).raw(bytes);
}

function version(writer: Writer, value: bigint): Writer {
  return value === 0n ? writer : writer.uint32(VERSION).uint64(String(value));
}

function text(writer: Writer, tag: number, value: string): Writer {
  return value === '' ? writer : writer.uint32(tag).string(value);
}
