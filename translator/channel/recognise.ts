// Recognises files by their content: messages, JSON, and what people give instead of them. The wire format does not name types, so that a
// block or an envelope parses as a common.Config without a channel group, or with an empty one.

import { NO_BYTES } from '../../proto/bytes.js';
import { messageType, type MessageType } from '../../proto/typed.js';
import {
  CommonBlock,
  CommonBlockData,
  CommonBlockHeader,
  CommonBlockMetadata,
  CommonChannelHeader,
  CommonConfig,
  CommonConfigEnvelope,
  CommonConfigGroup,
  CommonConfigUpdate,
  CommonConfigUpdateEnvelope,
  CommonEnvelope,
  CommonHeader,
  CommonPayload,
} from '../../proto/messages.js';
import { BYTES, fieldsOnWire, VARINT, WireError, WireReader } from '../../proto/wire.js';
import { CHANNEL_NAME } from './names.js';

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

const GROUP_ENTRIES = ['groups', 'values', 'policies'] as const;
/** An entry of any of these maps. */
const ENTRY = messageType<{ key: string; value: Uint8Array }>({
  name: 'entry',
  fields: [
    { number: 1, name: 'key', kind: 'string', rule: '' },
    { number: 2, name: 'value', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ key: '', value: NO_BYTES }),
});
/** Fabric's limit is 249 bytes. */
const MAX_CHANNEL_ID = 250;
const ASCII = new TextDecoder('latin1');

/** Fields take many times the memory of their bytes. */
const MAX_FIELDS = 200_000;

/** Fields by name: those of wire type BYTES, and the low 32 bits of varints. */
interface Fields<T> {
  readonly bytes: ReadonlyMap<keyof T, readonly [Uint8Array, ...Uint8Array[]]>;
  readonly numbers: ReadonlyMap<keyof T, number>;
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
  const block = fieldsOf(message, CommonBlock);
  const header = fieldsOf(last(block, 'header'), CommonBlockHeader);
  const data = fieldsOf(last(block, 'data'), CommonBlockData);
  const metadata = fieldsOf(last(block, 'metadata'), CommonBlockMetadata);
  const [envelope] = data?.bytes.get('data') ?? [];
  if (header === undefined || metadata === undefined || envelope === undefined) return undefined;
  const type = headerTypeOf(envelope);
  if (type === undefined) return undefined;
  return {
    type: 'common.Block',
    ...(type === CONFIG_TYPE && { configPath: '.data.data[0].payload.data.config' }),
  };
}

function configEnvelopeKind(message: Uint8Array): MessageKind | undefined {
  if (isConfig(last(fieldsOf(message, CommonConfigEnvelope), 'config')))
    return { type: 'common.ConfigEnvelope', configPath: '.config' };
  return isConfigUpdate(last(fieldsOf(message, CommonConfigUpdateEnvelope), 'configUpdate'))
    ? { type: 'common.ConfigUpdateEnvelope' }
    : undefined;
}

/** A Config with something in its channel group. */
function isConfig(message: Uint8Array): boolean {
  const group = last(fieldsOf(message, CommonConfig), 'channelGroup');
  return group.length > 0 && isGroup(group);
}

function isConfigUpdate(message: Uint8Array): boolean {
  const update = fieldsOf(message, CommonConfigUpdate);
  const channel = ASCII.decode(last(update, 'channelId').subarray(0, MAX_CHANNEL_ID));
  const writeSet = last(update, 'writeSet');
  return (
    (channel === '' || CHANNEL_NAME.test(channel)) &&
    writeSet.length > 0 &&
    isGroup(writeSet) &&
    isGroup(last(update, 'readSet'))
  );
}

/** Whether this is a ConfigGroup, to the depth of the names of its elements. */
function isGroup(message: Uint8Array): boolean {
  const group = fieldsOf(message, CommonConfigGroup);
  if (group === undefined) return false;
  const entries = GROUP_ENTRIES.flatMap((name) => group.bytes.get(name) ?? []);
  return entries.every((entry) => last(fieldsOf(entry, ENTRY), 'key').length > 0);
}

/** The type in the channel header of an Envelope; undefined if the message is not an Envelope. */
function headerTypeOf(message: Uint8Array): number | undefined {
  const payload = last(fieldsOf(message, CommonEnvelope), 'payload');
  const header = last(fieldsOf(payload, CommonPayload), 'header');
  const channelHeader = fieldsOf(last(fieldsOf(header, CommonHeader), 'channelHeader'), CommonChannelHeader);
  const type = channelHeader?.numbers.get('type');
  const hasChannel = channelHeader?.bytes.has('channelId') === true;
  return type === undefined && !hasChannel ? undefined : (type ?? 0);
}

/** The last occurrence of a field; empty if there is none. */
function last<T>(fields: Fields<T> | undefined, name: keyof T): Uint8Array {
  return fields?.bytes.get(name)?.at(-1) ?? NO_BYTES;
}

/** The fields of a message; undefined if the bytes are not wire format or contain other fields than the type has. */
function fieldsOf<T>(message: Uint8Array, type: MessageType<T>): Fields<T> | undefined {
  const bytes = new Map<keyof T, [Uint8Array, ...Uint8Array[]]>();
  const numbers = new Map<keyof T, number>();
  let left = MAX_FIELDS;
  try {
    for (const { tag, value, end } of fieldsOnWire(message)) {
      const name = type.fields.find((field) => field.tag === tag)?.jsonName as keyof T | undefined;
      if (name === undefined || --left < 0) return undefined;
      const reader = new WireReader(message.subarray(value, end));
      if ((tag & 7) === VARINT) numbers.set(name, reader.uint32());
      else {
        const values = bytes.get(name);
        const content = reader.bytes();
        if (values === undefined) bytes.set(name, [content]);
        else values.push(content);
      }
    }
    return { bytes, numbers };
  } catch {
    return undefined;
  }
}

/** The format of text that was given instead of a serialized message. */
export function textFormatOf(input: Uint8Array): string | undefined {
  const start = ASCII.decode(input.subarray(0, 64));
  if (/^\s*[{[]/.test(start)) return 'JSON';
  if (start.startsWith('-----BEGIN')) return 'a PEM file';
  return /^[A-Za-z0-9+/\r\n]{64}/.test(start) ? 'base64' : undefined;
}

/** Types of JSON documents by a key that only they have at the top. */
const TYPE_BY_KEY: readonly (readonly [key: string, type: string])[] = [
  ['channel_group', 'common.Config'],
  ['config', 'common.ConfigEnvelope'],
  ['config_update', 'common.ConfigUpdateEnvelope'],
  ['write_set', 'common.ConfigUpdate'],
  ['read_set', 'common.ConfigUpdate'],
  ['payload', 'common.Envelope'],
  ['data', 'common.Block'],
];

/** The keys of a JSON object; undefined if the file is not one. */
function keysOfJson(file: Uint8Array): ReadonlySet<string> | undefined {
  if (!/^[\s\uFEFF]*\{/.test(beginning(file))) return undefined;
  try {
    return new Set(Object.keys(JSON.parse(new TextDecoder().decode(file)) as object));
  } catch {
    return undefined;
  }
}

/** The type of the message that a JSON document is; undefined if it is none of those that are recognised. */
export function typeOfJson(file: Uint8Array): string | undefined {
  const keys = keysOfJson(file);
  return TYPE_BY_KEY.find(([key]) => keys?.has(key) === true)?.[1];
}

/** The tag of the field 1 of a message, and the bits of a tag with its wire type. */
const FIRST_FIELD = 0x0a;
const WIRE_TYPE = 7;
const BEGINNING = 4096;
const beginning = (file: Uint8Array): string => ASCII.decode(file.subarray(0, BEGINNING));

/** Whether the file has only the beginning of a message such as a block or an envelope, whose fields are messages. */
function isTruncated(file: Uint8Array): boolean {
  if (file[0] !== FIRST_FIELD) return false;
  const reader = new WireReader(file);
  try {
    while (reader.pos < reader.len) {
      if ((reader.tag() & WIRE_TYPE) !== BYTES) return false;
      reader.pos = reader.end();
    }
    return false;
  } catch (error) {
    if (error instanceof WireError) return true;
    throw error;
  }
}

/** What a file is that is not recognised, for messages. */
export function describeUnknown(file: Uint8Array): string {
  if (file.length === 0) return 'an empty file';
  if (isTruncated(file)) return `a message that ends in the middle, after ${file.length} bytes`;
  const start = beginning(file);
  const pem = /-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(start)?.[1];
  if (pem !== undefined) return `a PEM file (${pem})`;
  const keys = keysOfJson(file);
  if (keys?.has('groups') === true && keys.has('policies'))
    return 'a config group in JSON, for example an organisation';
  if (keys !== undefined) return 'a JSON object of another kind';
  if (/^\s*[[{]/.test(start)) return 'text that is not a JSON object';
  return 'no block, envelope, config or config update';
}
