// Parses, serializes and hashes blocks as nodes store (Fabric: common/ledger/blkstorage/block_serialization.go) and send them.

import { is, requireTypes } from '../../proto/arguments.js';
import { OCTET_STRING, SEQUENCE } from '../../core/common/certificates/der.js';
import { concatBytes, sameBytes, NO_BYTES } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import {
  CommonBlock,
  CommonChannelHeader,
  CommonEnvelope,
  CommonLastConfig,
  CommonMetadata,
  CommonOrdererBlockMetadata,
  CommonPayload,
} from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import { badBytes, int64ToBigint, WireReader } from '../../proto/wire.js';
import { digest } from '../crypto/index.js';
import { derHeader, derInteger } from '../msp/index.js';

/** A block of a ledger. */
export interface StoredBlock {
  readonly number: bigint;
  readonly dataHash: Uint8Array;
  readonly previousHash: Uint8Array;
  /** Serialized envelopes. */
  readonly data: readonly Uint8Array[];
  /** Serialized `common.Metadata` by the index of `common.BlockMetadataIndex`. */
  readonly metadata: readonly Uint8Array[];
}

/** The position of a block. */
export type Position = 'newest' | 'oldest' | bigint;

/**
 * The blocks of a channel, in the ledger of a node or at its orderers. All functions throw a TranslateError if a block cannot be read or is
 * not valid.
 */
export interface Blocks {
  block(position: Position): StoredBlock | Promise<StoredBlock>;
  /** The newest config block. */
  newestConfig(): StoredBlock | Promise<StoredBlock>;
  /** The known config blocks, newest first. */
  configs(): Iterable<StoredBlock> | AsyncIterable<StoredBlock>;
}

/** The maximum number of transactions of a block. The default of MaxMessageCount is 500. */
const MAX_ENTRIES = 1_000_000;
/** The header type of a config transaction. */
const CONFIG = 1;
/** Indices of `common.BlockMetadataIndex`. */
const SIGNATURES = 0;
const LAST_CONFIG = 1;

/** Parses a block. @throws TranslateError BAD_BYTES or TOO_LARGE */
export function parseStoredBlock(bytes: Uint8Array): StoredBlock {
  const reader = new WireReader(bytes);
  try {
    const number = int64ToBigint(reader.varint64());
    const [dataHash, previousHash] = [reader.bytes(), reader.bytes()];
    const [data, metadata] = [readList(reader), readList(reader)];
    if (reader.pos !== reader.len)
      throw new TranslateError('BAD_BYTES', 'the block has more bytes than its fields');
    return { number, dataHash, previousHash, data, metadata };
  } catch (error) {
    throw badBytes(error);
  }
}

function readList(reader: WireReader): Uint8Array[] {
  const count = int64ToBigint(reader.varint64());
  if (count > MAX_ENTRIES)
    throw new TranslateError('TOO_LARGE', `the block has ${count} entries, at most ${MAX_ENTRIES} are read`);
  return Array.from({ length: Number(count) }, () => reader.bytes());
}

const BLOCK = is.named(
  'a block of a ledger or of an orderer',
  is.record({ number: is.bigint, data: is.any }),
);

/** The serialized `common.Block`, as a node delivers it. */
export function blockBytes(block: StoredBlock): Uint8Array {
  requireTypes({ block }, { block: BLOCK });
  const { number, dataHash, previousHash, data, metadata } = block;
  const header = { number, dataHash, previousHash };
  return writeMessage(CommonBlock, { header, data: { data }, metadata: { metadata } });
}

/** Parses a serialized `common.Block`. @throws TranslateError BAD_BYTES */
export function parseBlock(bytes: Uint8Array): StoredBlock {
  const { header, data, metadata } = readMessage(CommonBlock, bytes);
  return {
    number: header?.number ?? 0n,
    dataHash: header?.dataHash ?? NO_BYTES,
    previousHash: header?.previousHash ?? NO_BYTES,
    data: data?.data ?? [],
    metadata: metadata?.metadata ?? [],
  };
}

/** Whether the data of a block match the hash in its header. */
export const hasItsData = ({ data, dataHash }: StoredBlock): boolean =>
  sameBytes(digest('SHA-256', data), dataHash);

/**
 * The header in its hashed and signed form: an ASN.1 sequence of the number, the previous hash and the data hash (Fabric:
 * protoutil/blockutils.go, `BlockHeaderBytes`).
 */
export function headerBytes({ number, previousHash, dataHash }: StoredBlock): Uint8Array {
  const octets = (bytes: Uint8Array): Uint8Array => concatBytes(derHeader(OCTET_STRING, bytes.length), bytes);
  const content = concatBytes(derInteger(number), concatBytes(octets(previousHash), octets(dataHash)));
  return concatBytes(derHeader(SEQUENCE, content.length), content);
}

/** The hash of a block: SHA-256 of its header (Fabric: `BlockHeaderHash`). The next block contains it as `previous_hash`. */
export const blockHash = (block: StoredBlock): Uint8Array => digest('SHA-256', [headerBytes(block)]);

/** Whether a block is a config block: its first envelope is a config transaction. @throws TranslateError BAD_BYTES */
export const isConfigBlock = (block: StoredBlock): boolean => channelHeaderOf(block)?.type === CONFIG;

/** The channel in the header of the first envelope of a block; empty without one. @throws TranslateError BAD_BYTES */
export const channelNameOf = (block: StoredBlock): string => channelHeaderOf(block)?.channelId ?? '';

function channelHeaderOf({ data: [envelope] }: StoredBlock): CommonChannelHeader | undefined {
  if (envelope === undefined) return undefined;
  const { header } = readMessage(CommonPayload, readMessage(CommonEnvelope, envelope).payload);
  return readMessage(CommonChannelHeader, header?.channelHeader ?? NO_BYTES);
}

/**
 * The number of the newest config block when a block was made; for a config block its own number. Since 2.0 it is in the metadata of the
 * signatures, in older blocks in the metadata of the last config, which is empty for block 0.
 *
 * @throws TranslateError BAD_BYTES
 */
export function lastConfigOf(block: StoredBlock): bigint {
  if (isConfigBlock(block)) return block.number;
  const valueAt = (index: number): Uint8Array =>
    readMessage(CommonMetadata, block.metadata[index] ?? NO_BYTES).value;
  const { lastConfig } = readMessage(CommonOrdererBlockMetadata, valueAt(SIGNATURES));
  return (lastConfig ?? readMessage(CommonLastConfig, valueAt(LAST_CONFIG))).index;
}
