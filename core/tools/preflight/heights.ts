// Compares what the stores of a ledger have of each channel: the list of channels, the block files and their index, the state, the history and
// the private data of a peer, and the write-ahead logs of an orderer (Fabric: core/ledger/kvledger, `recoverDBs`;
// orderer/common/multichannel/registrar.go, `discoverLedgers`). A store that is behind the blocks is filled again from them.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ledger } from 'fabric-ops-agent/translator/node';
import type { NodeValues } from '../../../config/index.js';
import { blockFilesIn } from './blocks.js';
import { finding, type Finding } from './cause.js';
import { levelDbEntries, levelDbValue, Reader } from './leveldb.js';
import { ledgerPlaces } from './node.js';
import { fieldsOf, walFiles } from './wal.js';

/** The end of the key with the newest block file of a channel in an index. */
const CHECKPOINT = '\0blkMgrInfo';

/** The channels of a node with a folder for blocks, and for a peer also those in its list, which it opens. */
export function openedChannels(node: NodeValues): string[] {
  const names = channelNames(node);
  return node.kind === 'orderer' ? names : [...new Set([...names, ...(listedChannels(node) ?? [])])];
}

/** The channels in the ledger of a node; none if it has no ledger yet, or cannot be read. */
export function channelNames(node: NodeValues): string[] {
  try {
    return readdirSync(ledgerPlaces(node).chains);
  } catch {
    return [];
  }
}

/**
 * The channels that a peer opens (kvledger/msgs, `LedgerMetadata`: ACTIVE is 0). A missing list is made anew.
 *
 * @returns undefined if the list cannot be read, or has the format of Fabric 1.x
 */
function listedChannels(node: NodeValues): readonly string[] | undefined {
  const list = databaseOf(node, 'ledgerProvider');
  const entries = existsSync(list) ? levelDbEntries(list, { prefix: '' }) : new Map<string, Buffer>();
  if (entries === undefined || (entries.size > 0 && !entries.has('f'))) return undefined;
  return [...entries].flatMap(([key, value]) =>
    key.startsWith('s') && fieldsOf(value)?.number(1) === 0 ? [key.slice(1)] : [],
  );
}

/** The value of a key; null also if the database does not exist, which is made anew. */
const valueIn = (database: string, key: string): Buffer | null | undefined =>
  existsSync(database) ? levelDbValue(database, key) : null;

const databaseOf = (node: NodeValues, name: string): string =>
  ledgerPlaces(node).databases.find((each) => each.endsWith(`/${name}`))!;

/** Channels that a node would start without, because one of its stores has lost them. */
export const lostChannels = (node: NodeValues): Finding[] =>
  node.kind === 'peer' ? lostOfPeer(node) : lostOfOrderer(node);

function lostOfPeer(node: NodeValues): Finding[] {
  const { chains } = ledgerPlaces(node);
  const listed = listedChannels(node);
  const list = databaseOf(node, 'ledgerProvider');
  if (listed === undefined) return [];
  const hasBlocks = (channel: string): boolean => hasContent(join(chains, channel));
  const unlisted = channelNames(node).filter((channel) => hasBlocks(channel) && !listed.includes(channel));
  const empty = listed.filter(
    (channel) =>
      !hasBlocks(channel) &&
      !existsSync(join(chains, channel, 'bootstrappingSnapshot.info')) &&
      valueIn(databaseOf(node, 'index'), `${channel}${CHECKPOINT}`) === null,
  );
  return [
    ...unlisted.map((channel) => finding('channel-unlisted', list, { channel })),
    ...empty.map((channel) =>
      finding('channel-empty', join(chains, channel), {
        channel,
        hasState: stateHeight(node, channel) !== 0n,
      }),
    ),
  ];
}

function lostOfOrderer(node: NodeValues): Finding[] {
  const { root, chains, databases } = ledgerPlaces(node);
  const names = channelNames(node);
  const indexed = [...(levelDbEntries(databases[0]!, { suffix: CHECKPOINT })?.keys() ?? [])].map((key) =>
    key.slice(0, -CHECKPOINT.length),
  );
  const wal = node.path('Consensus.WALDir').value;
  const logged = namesIn(wal).filter((name) => walFiles(join(wal, name)).files.length > 0);
  const pending = (operation: string, channel: string): boolean =>
    existsSync(join(root.value, 'pendingops', operation, `${channel}.${operation}`));
  const lost = [...new Set([...indexed, ...logged])].filter(
    (channel) => !names.includes(channel) && !pending('join', channel) && !pending('remove', channel),
  );
  const empty = names.filter(
    (channel) =>
      !indexed.includes(channel) && !pending('join', channel) && !hasContent(join(chains, channel)),
  );
  return [
    ...lost.map((channel) =>
      finding('channel-lost', join(chains, channel), {
        channel,
        isFolderEmpty: false,
        other: indexed.includes(channel) ? databases[0]! : join(wal, channel),
      }),
    ),
    ...empty.map((channel) =>
      finding('channel-lost', join(chains, channel), { channel, isFolderEmpty: true, other: undefined }),
    ),
  ];
}

/** Whether the folder of a channel has a block file that is not empty. */
const hasContent = (folder: string): boolean => blockFilesIn(folder).some((file) => statSync(file).size > 0);

function namesIn(directory: string): string[] {
  try {
    return directory === '' ? [] : readdirSync(directory);
  } catch {
    return [];
  }
}

/** Channels that a peer would start without, or would end with at the next block, because a database does not fit to the blocks. */
export function heightCauses(node: NodeValues, channel: string): Finding[] {
  if (node.kind === 'orderer') return [];
  const folder = join(ledgerPlaces(node).chains, channel);
  const blocks = blocksIn(folder);
  if (blocks === undefined) return [];
  const { height, first } = blocks;
  let isBehind = false;
  // The peer reports only the first one.
  for (const [database, own] of [
    ['state', stateHeight(node, channel)],
    ['history', historyHeight(node, channel)],
  ] as const) {
    if (own === undefined) continue;
    if (own < first)
      return [finding('state-lost', folder, { channel, database, snapshot: first - 1n, next: own })];
    if (own > height) return [finding('state-ahead', folder, { channel, database, own, blocks: height })];
    isBehind ||= own < height;
  }
  const store = databaseOf(node, 'pvtdataStore');
  const value = valueIn(store, `${channel}\0\u0001`);
  const own = value === null ? 0n : heightIn(value);
  return own === undefined || own >= height
    ? []
    : [finding('private-data-behind', store, { channel, own, blocks: height, isBehind })];
}

/** The number after a block number; undefined if it cannot be read. */
function heightIn(value: Buffer | undefined): bigint | undefined {
  try {
    return value && BigInt(new Reader(value, 0).varint()) + 1n;
  } catch {
    return undefined;
  }
}

/** The number after the newest block, and the number of the first one; undefined if there is none. */
function blocksIn(folder: string): { readonly height: bigint; readonly first: bigint } | undefined {
  try {
    const { newest, first } = Ledger.open(folder);
    return { height: newest + 1n, first };
  } catch {
    return undefined;
  }
}

/** The number of the next block for the state in LevelDB; undefined if it is not known. */
const stateHeight = (node: NodeValues, channel: string): bigint | undefined =>
  node.text('ledger.state.stateDatabase').value === 'CouchDB'
    ? undefined
    : savePoint(databaseOf(node, 'stateLeveldb'), channel);

const historyHeight = (node: NodeValues, channel: string): bigint | undefined =>
  node.isTrue('ledger.history.enableHistoryDatabase')
    ? savePoint(databaseOf(node, 'historyLeveldb'), channel)
    : undefined;

/** The number after the block in a save point: its length, and its bytes without leading zeros (core/ledger/internal/version, `NewHeightFromBytes`). */
function savePoint(directory: string, channel: string): bigint | undefined {
  const value = valueIn(directory, `${channel}\0s`);
  if (value === undefined) return undefined;
  if (value === null) return 0n;
  const bytes = value.subarray(1, 1 + (value[0] ?? 0));
  return BigInt(`0x0${bytes.toString('hex')}`) + 1n;
}
