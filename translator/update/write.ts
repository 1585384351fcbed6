// Writes a common.ConfigUpdate in canonical order: fields by number, map entries by the UTF-8 bytes of their names.
//
// All of it is written backwards, the last field of a message first.

import { Backwards } from './backwards.js';
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
  const out = new Backwards();
  writeGroup(out, writeSet);
  out.wrap(UPDATE_WRITE_SET, 0);
  const end = out.length;
  writeGroup(out, readSet);
  out.wrap(UPDATE_READ_SET, end);
  if (channelId !== '') out.text(UPDATE_CHANNEL_ID, channelId);
  return out.bytes();
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
function writeGroup(out: Backwards, root: Group): void {
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
function beginGroup(out: Backwards, name: string, group: Group): Frame {
  const since = out.length;
  writeText(out, GROUP_MOD_POLICY, group.modPolicy);
  writeEntries(out, GROUP_POLICIES, group.policies, writePolicyEntry);
  writeEntries(out, GROUP_VALUES, group.values, writeValue);
  return { name, group, since, waiting: sorted(group.groups) };
}

function writeEntries<E>(
  out: Backwards,
  tag: number,
  elements: Elements<E>,
  write: (out: Backwards, element: E) => void,
): void {
  for (const [name, element] of sorted(elements).toReversed()) {
    const since = out.length;
    write(out, element);
    endEntry(out, tag, name, since);
  }
}

/** Makes an entry of a map of what was written. Its key and its value are always there, also where they are empty. */
function endEntry(out: Backwards, tag: number, name: string, since: number): void {
  out.wrap(ENTRY_VALUE, since);
  out.text(ENTRY_KEY, name);
  out.wrap(tag, since);
}

function writeValue(out: Backwards, { version, value, modPolicy }: Value): void {
  writeText(out, ELEMENT_MOD_POLICY, modPolicy);
  writeBytes(out, ELEMENT_CONTENT, value);
  writeVersion(out, version);
}

function writePolicyEntry(out: Backwards, { version, policy, modPolicy }: PolicyEntry): void {
  writeText(out, ELEMENT_MOD_POLICY, modPolicy);
  if (policy !== undefined) {
    const since = out.length;
    writePolicy(out, policy);
    out.wrap(ELEMENT_CONTENT, since);
  }
  writeVersion(out, version);
}

function writePolicy(out: Backwards, { type, value, unknown }: Policy): void {
  for (const { tag, bytes } of unknown.toReversed()) {
    out.raw(bytes);
    out.varint(tag);
  }
  writeBytes(out, POLICY_VALUE, value);
  if (type !== 0) {
    out.uint64(BigInt.asUintN(64, BigInt(type)));
    out.varint(POLICY_TYPE);
  }
}

function writeVersion(out: Backwards, version: bigint): void {
  if (version === 0n) return;
  out.uint64(version);
  out.varint(VERSION);
}

function writeBytes(out: Backwards, tag: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  const since = out.length;
  out.raw(bytes);
  out.wrap(tag, since);
}

function writeText(out: Backwards, tag: number, text: string): void {
  if (text !== '') out.text(tag, text);
}

function sorted<E>(elements: Elements<E>): [string, E][] {
  return elements === undefined ? [] : [...elements].sort(([left], [right]) => compareUtf8(left, right));
}

/** Compares by code points, which is by the bytes of UTF-8: in UTF-16 the characters above U+FFFF come before U+E000. */
function compareUtf8(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  for (let at = 0; at < end; at += 1) {
    const difference = rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Moves the surrogates behind all other code units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit);
