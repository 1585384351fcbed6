// Reads a file with a config or a config update in any of their forms.

import { is, requireTypes } from '../../proto/arguments.js';
import { NO_BYTES, sameBytes } from '../../proto/bytes.js';
import { digest } from '../crypto/index.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { readMessage as read } from '../../proto/typed.js';
import { CommonBlock, CommonConfigEnvelope, CommonMetadata } from '../../proto/messages.js';
import { type Config } from './element.js';
import {
  creatorOf,
  HEADER_TYPE,
  openEnvelope,
  readEnvelope,
  readUpdate,
  readUpdateEnvelope,
  type Envelope,
} from './envelope.js';
import { describeUnknown } from './foreign.js';
import { messageKindOf, typeOfJson } from './recognise.js';
import { readConfig } from './read.js';

/** A file with a config. */
export interface ConfigFile {
  readonly kind: 'config';
  readonly form: 'block' | 'envelope' | 'config envelope' | 'config';
  /** The channel of the header; undefined for forms without a header. */
  readonly channel?: string | undefined;
  /** The number of the block. */
  readonly number?: bigint | undefined;
  /**
   * The serialized identities in the signatures of a block, which are not verified. BFT orderers sign with their ids, and the first block
   * is not signed.
   */
  readonly signers?: readonly Uint8Array[];
  /** The properties of the block that orderers check before they join a channel with it; undefined if the config is not in a block. */
  readonly block?: JoinBlock;
  readonly config: Config;
  /** The serialized `common.Envelope` of the update that led to the config; undefined if there is none. */
  readonly lastUpdate?: Uint8Array | undefined;
}

/** The properties of a block other than its config. */
export interface JoinBlock {
  readonly transactions: number;
  readonly hasMetadata: boolean;
  /** Whether the data hash in the header matches the data. */
  readonly isDataHashRight: boolean;
}

/** A recognised file. */
export type ChannelFile = ConfigFile | Envelope;

/** Converts JSON text to a serialized message of a type. */
export type EncodeJson = (type: string, json: Uint8Array) => Uint8Array;

const EITHER = 'a config block or a config update';

/**
 * Reads a file: a config block, an envelope, a config envelope, a config, a config update envelope or a config update, serialized or,
 * with `encode`, as JSON.
 *
 * @param encode undefined where JSON is not supported
 * @param needed the needed kind of file, for errors
 * @throws TranslateError WRONG_MESSAGE for any other file, with its kind; BAD_BYTES, BAD_JSON, BAD_FIELD, TOO_LARGE or
 *   NO_CHANNEL_GROUP if it cannot be read
 */
export function readChannelFile(file: Uint8Array, encode?: EncodeJson, needed = EITHER): ChannelFile {
  requireTypes({ file, encode }, { file: is.bytes, encode: is.optional(is.method) });
  const kind = messageKindOf(file);
  if (kind !== undefined) return readMessage(kind.type, file, needed);
  const type = encode === undefined ? undefined : typeOfJson(file);
  if (encode === undefined || type === undefined) throw wrong(describeUnknown(file), needed);
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

/** The kind of a file, for messages: `a config block`. */
export function nameOf({ kind, form }: ChannelFile): string {
  if (form === 'block') return 'a config block';
  if (form === 'envelope') return kind === 'config' ? 'an envelope with a config' : 'a config update';
  return `a ${form}`;
}

const wrong = (what: string, needed: string): TranslateError =>
  new TranslateError('WRONG_MESSAGE', `this is ${what}; ${needed} is needed`);

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
  const { header, data, metadata } = read(CommonBlock, file);
  const [envelope] = data?.data ?? [];
  const number = header?.number ?? 0n;
  if (envelope === undefined) throw wrong(`block ${number}, which has no data`, needed);
  const { type, channel, content } = openEnvelope(envelope);
  if (type !== HEADER_TYPE.config) throw wrong(`block ${number}, which is not a config block`, needed);
  const signers = signersOf(metadata?.metadata[SIGNATURES] ?? NO_BYTES);
  const transactions = data?.data ?? [];
  const block = {
    transactions: transactions.length,
    hasMetadata: (metadata?.metadata ?? []).length > 0,
    // protoutil/blockutils.go, `ComputeBlockDataHash`
    isDataHashRight: sameBytes(header?.dataHash ?? NO_BYTES, digest('SHA-256', transactions)),
  };
  return { kind: 'config', form: 'block', channel, number, signers, block, ...configEnvelope(content) };
}

/** `BlockMetadataIndex.SIGNATURES` */
const SIGNATURES = 0;

/** @param metadata the serialized `common.Metadata` with the signatures of a block */
const signersOf = (metadata: Uint8Array): Uint8Array[] =>
  attempt(
    () =>
      read(CommonMetadata, metadata)
        .signatures.map(({ signatureHeader }) => creatorOf(signatureHeader))
        .filter((creator) => creator.length > 0),
    () => [],
  );

function envelopeFile(file: Uint8Array, needed: string): ChannelFile {
  const { type, channel, content } = openEnvelope(file);
  if (type === HEADER_TYPE.config)
    return { kind: 'config', form: 'envelope', channel, ...configEnvelope(content) };
  if (type === HEADER_TYPE.configUpdate) return readEnvelope(file);
  throw wrong(`an envelope of type ${type ?? 0}, not a config transaction`, needed);
}
