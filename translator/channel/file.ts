// Recognises a file with a config or a config update by its content.

import { BYTES, WireError, WireReader } from '../../proto/wire.js';
import { TranslateError } from '../../proto/errors.js';
import { readMessage as read } from '../../proto/typed.js';
import { CommonBlock, CommonConfigEnvelope } from '../../proto/messages.js';
import { NO_BYTES, type Config } from './element.js';
import {
  HEADER_TYPE,
  openEnvelope,
  readEnvelope,
  readUpdate,
  readUpdateEnvelope,
  type Envelope,
} from './envelope.js';
import { messageKindOf } from './message-kind.js';
import { readConfig } from './read.js';

/** A file with a config. */
export interface ConfigFile {
  readonly kind: 'config';
  readonly form: 'block' | 'envelope' | 'config envelope' | 'config';
  /** The channel of the header; undefined for forms without a header. */
  readonly channel?: string | undefined;
  /** The number of the block. */
  readonly number?: bigint | undefined;
  readonly config: Config;
  /** The serialized `common.Envelope` of the update that made the config; undefined if there is none. */
  readonly lastUpdate?: Uint8Array | undefined;
}

/** A file that is recognised. */
export type ChannelFile = ConfigFile | Envelope;

/** Converts JSON text to a serialized message of a type, as `encode` of the translator does. */
export type EncodeJson = (type: string, json: Uint8Array) => Uint8Array;

const EITHER = 'a config block or a config update';

/**
 * Reads a file: a config block, an envelope, a config envelope, a config, a config update envelope or a config update, serialized or,
 * with `encode`, as JSON.
 *
 * @param encode undefined where JSON is not supported
 * @param needed what an error says is needed
 * @throws TranslateError WRONG_MESSAGE for any other file, with what it is; BAD_BYTES, BAD_JSON, BAD_FIELD, TOO_LARGE or
 *   NO_CHANNEL_GROUP if it cannot be read
 */
export function readChannelFile(file: Uint8Array, encode?: EncodeJson, needed = EITHER): ChannelFile {
  const kind = messageKindOf(file);
  if (kind !== undefined) return readMessage(kind.type, file, needed);
  const type = encode === undefined ? undefined : typeOfJson(file);
  if (encode === undefined || type === undefined) throw wrong(describe(file), needed);
  return readMessage(type, encode(type, file), needed);
}

/** Reads a file with a config. @throws TranslateError as {@link readChannelFile}, also for an update */
export function readConfigFile(file: Uint8Array, encode?: EncodeJson): ConfigFile {
  const needed = 'a config block';
  const found = readChannelFile(file, encode, needed);
  if (found.kind === 'config') return found;
  throw wrong(nameOf(found), needed);
}

/** Reads a file with a config update. @throws TranslateError as {@link readChannelFile}, also for a config */
export function readUpdateFile(file: Uint8Array, encode?: EncodeJson): Envelope {
  const needed = 'a config update';
  const found = readChannelFile(file, encode, needed);
  if (found.kind === 'update') return found;
  throw wrong(nameOf(found), needed);
}

/** What a file is, for messages: `a config block`. */
export function nameOf({ kind, form }: ChannelFile): string {
  if (form === 'block') return 'a config block';
  if (form === 'envelope') return kind === 'config' ? 'an envelope with a config' : 'a config update';
  return `a ${form}`;
}

const wrong = (what: string, needed: string): TranslateError =>
  new TranslateError('WRONG_MESSAGE', `this is ${what}, ${needed} is needed`);

function readMessage(type: string, file: Uint8Array, needed: string): ChannelFile {
  switch (type) {
    case 'common.Config':
      return { kind: 'config', form: 'config', config: readConfig(file) };
    case 'common.ConfigEnvelope':
      return { kind: 'config', form: 'config envelope', ...configEnvelope(file) };
    case 'common.ConfigUpdate':
      return readUpdate(file);
    case 'common.ConfigUpdateEnvelope':
      return readUpdateEnvelope(file);
    case 'common.Block':
      return blockFile(file, needed);
    default:
      return envelopeFile(file, needed);
  }
}

function configEnvelope(file: Uint8Array): Pick<ConfigFile, 'config' | 'lastUpdate'> {
  const { config, lastUpdate } = read(CommonConfigEnvelope, file, ['config', 'lastUpdate']);
  return { config: readConfig(config ?? NO_BYTES), lastUpdate };
}

function blockFile(file: Uint8Array, needed: string): ConfigFile {
  const { header, data } = read(CommonBlock, file);
  const [envelope] = data?.data ?? [];
  const number = header?.number ?? 0n;
  if (envelope === undefined) throw wrong(`block ${number}, which has no data`, needed);
  const { type, channel, content } = openEnvelope(envelope);
  if (type !== HEADER_TYPE.config) throw wrong(`block ${number}, which is not a config block`, needed);
  return { kind: 'config', form: 'block', channel, number, ...configEnvelope(content) };
}

function envelopeFile(file: Uint8Array, needed: string): ChannelFile {
  const { type, channel, content } = openEnvelope(file);
  if (type === HEADER_TYPE.config)
    return { kind: 'config', form: 'envelope', channel, ...configEnvelope(content) };
  if (type === HEADER_TYPE.configUpdate) return readEnvelope(file);
  throw wrong(`an envelope of type ${type ?? 0}, not a config transaction`, needed);
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

function typeOfJson(file: Uint8Array): string | undefined {
  const keys = keysOfJson(file);
  return TYPE_BY_KEY.find(([key]) => keys?.has(key) === true)?.[1];
}

/** The tag of the field 1 of a message, and the bits of a tag with its wire type. */
const FIRST_FIELD = 0x0a;
const WIRE_TYPE = 7;
const BEGINNING = 4096;
const ASCII = new TextDecoder('latin1');
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

/** What a file is that is not recognised. */
function describe(file: Uint8Array): string {
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
