// Writes a common.ConfigUpdate in canonical order: fields by number, map entries by the UTF-8 bytes of their names.
//
// WireWriter writes from the end: the last field of a message comes first.

import { compareUtf8 } from '../../proto/compare-utf8.js';
import { bigintToInt64 } from '../../proto/wire.js';
import { WireWriter } from '../../proto/wire-writer.js';
import {
  ELEMENT_CONTENT,
  ELEMENT_MOD_POLICY,
  ENTRY_KEY,
  ENTRY_VALUE,
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
import type { Elements, Group, Policy, PolicyEntry, Value } from './tree.js';

/** Serializes a `common.ConfigUpdate`. Both sets are written even if they are empty. */
export function writeUpdate(channelId: string, readSet: Group, writeSet: Group): Uint8Array {
  const out = new WireWriter();
  writeGroup(out, writeSet);
  out.delimit(0, UPDATE_WRITE_SET);
  const end = out.length;
  writeGroup(out, readSet);
  out.delimit(end, UPDATE_READ_SET);
  writeText(out, UPDATE_CHANNEL_ID, channelId);
  return new Uint8Array(out.written);
}

/** A group that is being written. */
interface Frame {
  /** The name in the parent group; empty for the channel group. */
  readonly name: string;
  readonly group: Group;
  /** The length of the output before the group. */
  readonly since: number;
  /** The nested groups that remain to be written. */
  readonly waiting: [string, Group][];
}

/** Writes the fields of a group and of all groups in it, without recursion. */
function writeGroup(out: WireWriter, root: Group): void {
  const around: Frame[] = [];
  let frame = beginGroup(out, '', root);
  for (;;) {
    const nested = frame.waiting.pop();
    if (nested !== undefined) {
      around.push(frame);
      frame = beginGroup(out, ...nested);
      continue;
    }
    writeVersion(out, frame.group.version);
    const outer = around.pop();
    if (outer === undefined) return;
    endEntry(out, GROUP_GROUPS, frame.name, frame.since);
    frame = outer;
  }
}

/** Writes what comes behind the groups of a group. */
function beginGroup(out: WireWriter, name: string, group: Group): Frame {
  const since = out.length;
  writeText(out, GROUP_MOD_POLICY, group.modPolicy);
  writeEntries(out, GROUP_POLICIES, group.policies, writePolicyEntry);
  writeEntries(out, GROUP_VALUES, group.values, writeValue);
  return { name, group, since, waiting: sorted(group.groups) };
}

function writeEntries<E>(
  out: WireWriter,
  tag: number,
  elements: Elements<E>,
  write: (out: WireWriter, element: E) => void,
): void {
  for (const [name, element] of sorted(elements).toReversed()) {
    const since = out.length;
    write(out, element);
    endEntry(out, tag, name, since);
  }
}

/** Makes an entry of a map of what was written. Its key and its value are always there, also where they are empty. */
function endEntry(out: WireWriter, tag: number, name: string, since: number): void {
  out.delimit(since, ENTRY_VALUE);
  out.string(name);
  out.uint32(ENTRY_KEY);
  out.delimit(since, tag);
}

function writeValue(out: WireWriter, { version, value, modPolicy }: Value): void {
  writeText(out, ELEMENT_MOD_POLICY, modPolicy);
  writeBytes(out, ELEMENT_CONTENT, value);
  writeVersion(out, version);
}

function writePolicyEntry(out: WireWriter, { version, policy, modPolicy }: PolicyEntry): void {
  writeText(out, ELEMENT_MOD_POLICY, modPolicy);
  if (policy !== undefined) {
    const since = out.length;
    writePolicy(out, policy);
    out.delimit(since, ELEMENT_CONTENT);
  }
  writeVersion(out, version);
}

function writePolicy(out: WireWriter, { type, value, unknown }: Policy): void {
  for (const { tag, bytes } of unknown.toReversed()) {
    out.raw(bytes);
    out.uint32(tag);
  }
  writeBytes(out, POLICY_VALUE, value);
  if (type !== 0) {
    out.int32(type);
    out.uint32(POLICY_TYPE);
  }
}

function writeVersion(out: WireWriter, version: bigint): void {
  if (version === 0n) return;
  out.varint64(bigintToInt64(version));
  out.uint32(VERSION);
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

function sorted<E>(elements: Elements<E>): [string, E][] {
  return elements === undefined ? [] : [...elements].sort(([left], [right]) => compareUtf8(left, right));
}
