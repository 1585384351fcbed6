// Recognises messages and their JSON by their content. The wire format contains no type names: a block or an envelope also parses as a
// common.Config without a channel group, or with an empty one. foreign.ts names other files.

import { appendTo } from '../../core/common/group-by.js';
import { joinBytes, NO_BYTES } from '../../proto/bytes.js';
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
import { fieldsOnWire, VARINT, WireReader } from '../../proto/wire.js';
import { HEADER_TYPE } from './envelope.js';
import { CHANNEL_NAME } from './names.js';

/** The recognised types. */
export const RECOGNISED_TYPES = [
  'common.Block',
  'common.Config',
  'common.ConfigEnvelope',
  'common.ConfigUpdate',
  'common.ConfigUpdateEnvelope',
  'common.Envelope',
] as const;

/** A recognised message. */
interface MessageKind {
  readonly type: (typeof RECOGNISED_TYPES)[number];
  /** The jq path of the config in the JSON of the message; undefined if the message contains no config. */
  readonly configPath?: string;
}

const GROUP_ENTRIES = ['groups', 'values', 'policies'] as const;
/** An entry of the maps in a group. */
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

/** The limit exists because fields take many times the memory of their bytes. */
const MAX_FIELDS = 200_000;

/** Fields by name: the bytes of fields with wire type BYTES, and the low 32 bits of varints. */
interface Fields<T> {
  readonly bytes: ReadonlyMap<keyof T, readonly [Uint8Array, ...Uint8Array[]]>;
  readonly numbers: ReadonlyMap<keyof T, number>;
}

/**
 * Recognises a message by its fields, down to three levels of nesting. A message must have only fields of its type and something that is
 * characteristic of the type, so that no two types match the same bytes. Other messages are recognised as an envelope if orderers would
 * read them as an envelope with a config or an update.
 *
 * @returns undefined if the message is not recognised
 */
export function messageKindOf(bytes: Uint8Array): MessageKind | undefined {
  if (isConfig(bytes)) return { type: 'common.Config', configPath: '.' };
  if (isConfigUpdate(bytes)) return { type: 'common.ConfigUpdate' };
  const envelope = headerTypeOf(bytes);
  if (envelope !== undefined) return envelopeKind(envelope);
  return blockKind(bytes) ?? configEnvelopeKind(bytes) ?? unusualEnvelopeKind(bytes);
}

const envelopeKind = (headerType: number): MessageKind => ({
  type: 'common.Envelope',
  ...(headerType === HEADER_TYPE.config && { configPath: '.payload.data.config' }),
});

/**
 * An envelope with a config or a config update that no program writes but orderers accept: with unknown fields, or with its header in
 * several parts.
 */
function unusualEnvelopeKind(message: Uint8Array): MessageKind | undefined {
  const payload = fieldsOf(last(fieldsOf(message, CommonEnvelope, 'any'), 'payload'), CommonPayload, 'any');
  const header = fieldsOf(joinBytes(payload?.bytes.get('header') ?? []), CommonHeader, 'any');
  const type = fieldsOf(last(header, 'channelHeader'), CommonChannelHeader, 'any')?.numbers.get('type');
  if (last(payload, 'data').length === 0) return undefined;
  return type === HEADER_TYPE.config || type === HEADER_TYPE.configUpdate ? envelopeKind(type) : undefined;
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
    ...(type === HEADER_TYPE.config && { configPath: '.data.data[0].payload.data.config' }),
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

/** Whether this is a ConfigGroup, down to the names of its elements. */
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

/**
 * The fields of a message; undefined if the bytes are not wire format or contain unknown fields.
 *
 * @param others `any`: unknown fields are skipped
 */
function fieldsOf<T>(
  message: Uint8Array,
  type: MessageType<T>,
  others: 'none' | 'any' = 'none',
): Fields<T> | undefined {
  const bytes = new Map<keyof T, [Uint8Array, ...Uint8Array[]]>();
  const numbers = new Map<keyof T, number>();
  let left = MAX_FIELDS;
  try {
    for (const { tag, value, end } of fieldsOnWire(message)) {
      const name = type.fields.find((field) => field.tag === tag)?.jsonName as keyof T | undefined;
      if (--left < 0 || (name === undefined && others === 'none')) return undefined;
      if (name === undefined) continue;
      const reader = new WireReader(message.subarray(value, end));
      if ((tag & 7) === VARINT) numbers.set(name, reader.uint32());
      else appendTo(bytes, name, reader.bytes());
    }
    return { bytes, numbers };
  } catch {
    return undefined;
  }
}

/** Types of JSON documents by a top-level key that is unique to the type. */
const TYPE_BY_KEY: readonly (readonly [key: string, type: string])[] = [
  ['channel_group', 'common.Config'],
  ['config', 'common.ConfigEnvelope'],
  ['config_update', 'common.ConfigUpdateEnvelope'],
  ['write_set', 'common.ConfigUpdate'],
  ['read_set', 'common.ConfigUpdate'],
  ['payload', 'common.Envelope'],
  ['data', 'common.Block'],
];

/** The maximum whitespace before a JSON document, in bytes. */
const BEGINNING = 4096;

/** The keys of a JSON object; undefined if the file is not a JSON object. */
export function keysOfJson(file: Uint8Array): ReadonlySet<string> | undefined {
  if (!/^\s*\{/.test(ASCII.decode(file.subarray(0, BEGINNING)))) return undefined;
  try {
    return new Set(Object.keys(JSON.parse(new TextDecoder().decode(file)) as object));
  } catch {
    return undefined;
  }
}

/** The message type of a JSON document; undefined if it is not recognised. */
export const typeOfJson = (file: Uint8Array): string | undefined => typeOfKeys(keysOfJson(file));

/** The message type of a JSON document, by its keys. */
export const typeOfKeys = (keys: ReadonlySet<string> | undefined): string | undefined =>
  TYPE_BY_KEY.find(([key]) => keys?.has(key) === true)?.[1];
