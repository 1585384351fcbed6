// A channel's folder of a node's ledger, with the blocks of a made-up history.

import { NO_BYTES } from '../../proto/bytes.js';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import {
  CommonConfigEnvelope,
  CommonEnvelope,
  CommonLastConfig,
  CommonMetadata,
  CommonOrdererBlockMetadata,
  CommonPayload,
  CommonChannelHeader,
  CommonSignatureHeader,
} from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import { applyUpdate, readConfigFile, readUpdateFile, type Config } from '../../translator/channel/index.js';
import { writeConfig } from '../../translator/channel/write.js';
import { blockHash, type StoredBlock } from '../../translator/ledger/index.js';
import { setAcl, unsignedUpdate } from '../../translator/edit/index.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import { writeSerializedIdentity } from '../../translator/msp/identity.js';
import { makeSignature, readEnvelope, writePayload } from '../../translator/channel/envelope.js';
import { makeCertificate } from './made-certificates.js';
import { temporaryFolder } from './folder.js';
import { networkBlock } from './network-block.js';

const CHANNEL = 'mychannel';
/** ACLs that the config blocks set, one each. */
const RESOURCES = ['qscc/GetChainInfo', 'qscc/GetBlockByNumber', 'qscc/GetTransactionByID'];
const CONFIG = 1;
const TRANSACTION = 3;
/** The time of block 1, in seconds since 1970; each block is a minute later. */
const START = 1_790_000_000n;

const admin = makeCertificate({ commonName: 'Admin@org1.example.com' });
const creator = writeSerializedIdentity('Org1MSP', decodePem(admin.pem)!.bytes);

/** Signs an update as a submitter does. The signatures are not verified. */
function signed(update: Uint8Array, index: number): Uint8Array {
  const header = writeMessage(CommonSignatureHeader, { creator, nonce: Buffer.alloc(24, index) });
  const signature = Buffer.from('signature');
  const content = {
    channel: CHANNEL,
    update: readEnvelope(update).update.bytes,
    signatures: [makeSignature(header, signature)],
  };
  const now = new Date(Number(START + BigInt(index) * 60n) * 1000);
  const payload = writePayload(content, { signatureHeader: header, now });
  return writeMessage(CommonEnvelope, { payload, signature });
}

/** A block, before its place in the chain is known. */
interface Content {
  readonly data: readonly Uint8Array[];
  readonly lastConfig: bigint;
}

/** Where the metadata name the newest config block: since 2.0, or before. */
export type MetadataForm = 'v2' | 'v1';

function envelope(type: number, index: number, data: Uint8Array): Uint8Array {
  const timestamp = { seconds: START + BigInt(index) * 60n, nanos: 0 };
  const channelHeader = writeMessage(CommonChannelHeader, { type, channelId: CHANNEL, timestamp });
  return writeMessage(CommonEnvelope, {
    payload: writeMessage(CommonPayload, { header: { channelHeader }, data }),
  });
}

/**
 * The contents of a channel: block 0 of a real network, then config blocks at the numbers given, which set an ACL each, and transactions
 * in between.
 */
function contentsOf(blocks: number, configs: ReadonlySet<number>, transaction: Uint8Array): Content[] {
  let config: Config = readConfigFile(networkBlock()).config;
  let lastConfig = 0n;
  let resource = -1;
  return Array.from({ length: blocks }, (_, index): Content => {
    if (index > 0 && !configs.has(index))
      return { data: [envelope(TRANSACTION, index, transaction)], lastConfig };
    lastConfig = BigInt(index);
    if (index === 0)
      return {
        data: [envelope(CONFIG, 0, writeMessage(CommonConfigEnvelope, { config: writeConfig(config) }))],
        lastConfig,
      };
    resource += 1;
    const edited = setAcl(
      config,
      RESOURCES[resource % RESOURCES.length]!,
      resource % (2 * RESOURCES.length) < RESOURCES.length ? 'Readers' : 'Writers',
    ).config;
    const update = signed(unsignedUpdate(config, edited, CHANNEL).bytes, index);
    config = applyUpdate(config, readUpdateFile(update).update).config;
    const content = writeMessage(CommonConfigEnvelope, { config: writeConfig(config), lastUpdate: update });
    return { data: [envelope(CONFIG, index, content)], lastConfig };
  });
}

const varint = (value: number | bigint): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
};
const delimited = (bytes: Uint8Array): Buffer => Buffer.concat([varint(bytes.length), bytes]);
const listOf = (entries: readonly Uint8Array[]): Buffer =>
  Buffer.concat([varint(entries.length), ...entries.map(delimited)]);

/** A block of a history, without its place in the chain. */
function storedBlock(
  number: number,
  { data, lastConfig }: Content,
  form: MetadataForm = 'v2',
  previousHash: Uint8Array = NO_BYTES,
): StoredBlock {
  const index = writeMessage(CommonLastConfig, { index: lastConfig });
  const value = form === 'v2' ? writeMessage(CommonOrdererBlockMetadata, { lastConfig: index }) : NO_BYTES;
  const metadata = [
    writeMessage(CommonMetadata, { value }),
    form === 'v2' ? NO_BYTES : writeMessage(CommonMetadata, { value: index }),
    NO_BYTES,
  ];
  const hash = createHash('sha256');
  for (const each of data) hash.update(each);
  return { number: BigInt(number), dataHash: hash.digest(), previousHash, data, metadata };
}

const bytesOf = ({ number, dataHash, previousHash, data, metadata }: StoredBlock): Buffer =>
  Buffer.concat([
    varint(number),
    delimited(dataHash),
    delimited(previousHash),
    listOf(data),
    listOf(metadata),
  ]);

/** A block without data, in a channel whose newest config block is block 0. */
export const emptyBlock = (number: bigint): StoredBlock => ({
  number,
  dataHash: createHash('sha256').digest(),
  previousHash: Buffer.alloc(32, 1),
  data: [],
  metadata: [],
});

/** The ledger folder of a peer. */
export interface PeerLedgers {
  readonly directory: string;
  /** Adds blocks to a channel, which it creates. */
  readonly append: (channel: string, ...blocks: readonly StoredBlock[]) => void;
  readonly remove: (channel: string) => void;
}

/** Adds blocks to the folder of a channel, which it creates. */
export function writeStoredBlocks(directory: string, blocks: readonly StoredBlock[]): void {
  mkdirSync(directory, { recursive: true });
  for (const block of blocks) appendFileSync(join(directory, 'blockfile_000000'), delimited(bytesOf(block)));
}

/** Creates the ledger folder of a peer without channels. */
export function peerLedgers(t: Pick<ExecutionContext, 'teardown'>): PeerLedgers {
  const directory = temporaryFolder(t);
  const chains = join(directory, 'ledgersData/chains/chains');
  mkdirSync(chains, { recursive: true });
  return {
    directory,
    append: (channel, ...blocks) => writeStoredBlocks(join(chains, channel), blocks),
    remove: (channel) => rmSync(join(chains, channel), { recursive: true }),
  };
}

/** What a ledger is like. */
export interface StoredLedgerOptions {
  readonly blocks: number;
  /** The numbers of the config blocks besides block 0. */
  readonly configs: readonly number[];
  /** The numbers of the blocks that begin another file. */
  readonly files?: readonly number[];
  /** The first block, after a snapshot. */
  readonly first?: number;
  readonly form?: MetadataForm;
  /** The size of a transaction, in bytes. */
  readonly size?: number;
}

/** The blocks of a ledger as the node stores them, with the length before each. */
export function storedBlocks({ blocks, configs, form, size = 10 }: StoredLedgerOptions): Buffer[] {
  let previousHash: Uint8Array = NO_BYTES;
  return contentsOf(blocks, new Set(configs), Buffer.alloc(size, 7)).map((content, number) => {
    const block = storedBlock(number, content, form, previousHash);
    previousHash = blockHash(block);
    return delimited(bytesOf(block));
  });
}

/** Writes the folder of a channel; returns its path. */
export function writeLedger(t: ExecutionContext, options: StoredLedgerOptions): string {
  const directory = join(temporaryFolder(t), 'mychannel');
  mkdirSync(directory);
  const blocks = storedBlocks(options);
  const starts = [options.first ?? 0, ...(options.files ?? [])];
  for (const [index, start] of starts.entries())
    writeFileSync(
      join(directory, `blockfile_${String(index).padStart(6, '0')}`),
      Buffer.concat(blocks.slice(start, starts[index + 1])),
    );
  return directory;
}
