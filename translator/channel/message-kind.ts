// Recognises the messages that people mistake for a common.Config: every one of them parses as a Config without a channel group, or
// with an empty one, because the wire format does not name types.

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
  empty: () => ({ key: '', value: EMPTY }),
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

const EMPTY = new Uint8Array();

/** The last occurrence of a field; empty if there is none. */
function last<T>(fields: Fields<T> | undefined, name: keyof T): Uint8Array {
  return fields?.bytes.get(name)?.at(-1) ?? EMPTY;
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
