// Recognises the messages that people mistake for a common.Config: every one of them parses as a Config without a channel group, or
// with an empty one, because the wire format does not name types.

import { BYTES, VARINT, WireReader } from '../../proto/wire.js';
import {
  CONFIG_CHANNEL_GROUP,
  CONFIG_SEQUENCE,
  ENTRY_KEY,
  ENTRY_VALUE,
  GROUP_GROUPS,
  GROUP_MOD_POLICY,
  GROUP_POLICIES,
  GROUP_VALUES,
  tagOf,
  UPDATE_CHANNEL_ID,
  UPDATE_ISOLATED_DATA,
  UPDATE_READ_SET,
  UPDATE_WRITE_SET,
  VERSION,
} from './fields.js';

/** The types that are recognised. */
export const RECOGNISED_TYPES = [
  'common.Block',
  'common.Config',
  'common.ConfigEnvelope',
  'common.ConfigUpdate',
  'common.ConfigUpdateEnvelope',
  'common.Envelope',
] as const;

/** A recognised message. */
export interface MessageKind {
  readonly type: (typeof RECOGNISED_TYPES)[number];
  /** The path of the config in the JSON of the message, as for jq; undefined if it contains no config. */
  readonly configPath?: string;
}

/** `common.HeaderType` of an envelope that contains a config. */
const CONFIG_TYPE = 1;

const FIRST = tagOf(1, BYTES);
const SECOND = tagOf(2, BYTES);
const THIRD = tagOf(3, BYTES);

const BLOCK_HEADER_FIELDS = [tagOf(1, VARINT), SECOND, THIRD];
const HEADER_TYPE = tagOf(1, VARINT);
const HEADER_CHANNEL_ID = tagOf(4, BYTES);
const CHANNEL_HEADER_FIELDS = [
  HEADER_TYPE,
  tagOf(2, VARINT),
  THIRD,
  HEADER_CHANNEL_ID,
  tagOf(5, BYTES),
  tagOf(6, VARINT),
  tagOf(7, BYTES),
  tagOf(8, BYTES),
];
const GROUP_ENTRIES = [GROUP_GROUPS, GROUP_VALUES, GROUP_POLICIES];
const GROUP_FIELDS = [VERSION, ...GROUP_ENTRIES, GROUP_MOD_POLICY];
/** Fabric's limit is 249 bytes. */
const MAX_CHANNEL_ID = 250;
const ASCII = new TextDecoder('latin1');
const CHANNEL_ID = /^[a-z][a-z0-9.-]*$/;

/** Fields take many times the memory of their bytes. */
const MAX_FIELDS = 1_000_000;

/** Fields by tag: those of wire type BYTES, and the low 32 bits of varints. */
interface Fields {
  readonly bytes: ReadonlyMap<number, readonly [Uint8Array, ...Uint8Array[]]>;
  readonly numbers: ReadonlyMap<number, number>;
}

/**
 * Recognises a message by its fields, down to three levels of nesting. A message counts only if it has no other fields than its type
 * defines and contains something that is characteristic of the type, so that no two types match the same bytes.
 *
 * @returns undefined if the bytes are none of the known messages
 */
export function messageKindOf(bytes: Uint8Array): MessageKind | undefined {
  if (isConfig(bytes)) return { type: 'common.Config', configPath: '.' };
  if (isConfigUpdate(bytes)) return { type: 'common.ConfigUpdate' };
  const envelope = headerTypeOf(bytes);
  if (envelope !== undefined)
    return {
      type: 'common.Envelope',
      ...(envelope === CONFIG_TYPE && { configPath: '.payload.data.config' }),
    };
  return blockKind(bytes) ?? configEnvelopeKind(bytes);
}

function blockKind(message: Uint8Array): MessageKind | undefined {
  const block = fieldsOf(message, [FIRST, SECOND, THIRD]);
  const header = fieldsOf(last(block, FIRST), BLOCK_HEADER_FIELDS);
  const data = fieldsOf(last(block, SECOND), [FIRST]);
  const metadata = fieldsOf(last(block, THIRD), [FIRST]);
  const [envelope] = data?.bytes.get(FIRST) ?? [];
  if (header === undefined || metadata === undefined || envelope === undefined) return undefined;
  const type = headerTypeOf(envelope);
  if (type === undefined) return undefined;
  return {
    type: 'common.Block',
    ...(type === CONFIG_TYPE && { configPath: '.data.data[0].payload.data.config' }),
  };
}

/** A ConfigEnvelope (config, last update) or a ConfigUpdateEnvelope (update, signatures). */
function configEnvelopeKind(message: Uint8Array): MessageKind | undefined {
  const content = last(fieldsOf(message, [FIRST, SECOND]), FIRST);
  if (isConfig(content)) return { type: 'common.ConfigEnvelope', configPath: '.config' };
  return isConfigUpdate(content) ? { type: 'common.ConfigUpdateEnvelope' } : undefined;
}

/** A Config with something in its channel group. */
function isConfig(message: Uint8Array): boolean {
  const group = last(fieldsOf(message, [CONFIG_SEQUENCE, CONFIG_CHANNEL_GROUP]), CONFIG_CHANNEL_GROUP);
  return group.length > 0 && isGroup(group);
}

function isConfigUpdate(message: Uint8Array): boolean {
  const update = fieldsOf(message, [
    UPDATE_CHANNEL_ID,
    UPDATE_READ_SET,
    UPDATE_WRITE_SET,
    UPDATE_ISOLATED_DATA,
  ]);
  const channel = ASCII.decode(last(update, UPDATE_CHANNEL_ID).subarray(0, MAX_CHANNEL_ID));
  const writeSet = last(update, UPDATE_WRITE_SET);
  return (
    (channel === '' || CHANNEL_ID.test(channel)) &&
    writeSet.length > 0 &&
    isGroup(writeSet) &&
    isGroup(last(update, UPDATE_READ_SET))
  );
}

/** Whether this is a ConfigGroup, to the depth of the names of its elements. */
function isGroup(message: Uint8Array): boolean {
  const group = fieldsOf(message, GROUP_FIELDS);
  if (group === undefined) return false;
  const entries = GROUP_ENTRIES.flatMap((tag) => group.bytes.get(tag) ?? []);
  return entries.every((entry) => last(fieldsOf(entry, [ENTRY_KEY, ENTRY_VALUE]), ENTRY_KEY).length > 0);
}

/** The type in the channel header of an Envelope; undefined if the message is not an Envelope. */
function headerTypeOf(message: Uint8Array): number | undefined {
  const payload = last(fieldsOf(message, [FIRST, SECOND]), FIRST);
  const header = last(fieldsOf(payload, [FIRST, SECOND]), FIRST);
  const channelHeader = fieldsOf(last(fieldsOf(header, [FIRST, SECOND]), FIRST), CHANNEL_HEADER_FIELDS);
  const type = channelHeader?.numbers.get(HEADER_TYPE);
  const hasChannel = channelHeader?.bytes.has(HEADER_CHANNEL_ID) === true;
  return type === undefined && !hasChannel ? undefined : (type ?? 0);
}

const EMPTY = new Uint8Array();

/** The last occurrence of a field; empty if there is none. */
function last(fields: Fields | undefined, tag: number): Uint8Array {
  return fields?.bytes.get(tag)?.at(-1) ?? EMPTY;
}

/** The fields of a message; undefined if the bytes are not wire format or contain other tags than the given ones. */
function fieldsOf(message: Uint8Array, tags: readonly number[]): Fields | undefined {
  const bytes = new Map<number, [Uint8Array, ...Uint8Array[]]>();
  const numbers = new Map<number, number>();
  let left = MAX_FIELDS;
  const reader = new WireReader(message);
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      if (!tags.includes(tag) || --left < 0) return undefined;
      if ((tag & 7) === VARINT) {
        numbers.set(tag, reader.uint32());
        continue;
      }
      const values = bytes.get(tag);
      const value = reader.bytes();
      if (values === undefined) bytes.set(tag, [value]);
      else values.push(value);
    }
    return { bytes, numbers };
  } catch {
    return undefined;
  }
}
