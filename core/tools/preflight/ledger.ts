// Checks the ledger folder of a node: permissions, space, lock and databases; blocks.ts and wal.ts check its blocks and write-ahead logs
// (Fabric: common/ledger/blkstorage, common/ledger/util/leveldbhelper). Faults that Fabric repairs at its start, such as a partially written
// block, are not causes.

import { constants, existsSync, readdirSync, statfsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { channelFoldersOf } from 'fabric-ops-agent/translator/node';
import type { NodeValues } from '../../../config/index.js';
import { blockCauses, blockFilesIn } from './blocks.js';
import { finding, type Finding } from './cause.js';
import { databaseProblem } from './database.js';
import { accessProblem, isDirectory, lockHolder, makeProblem, nearestDirectory } from './files.js';
import { levelDbEntries, levelDbValue } from './leveldb.js';
import type { ProgramDecoders } from './decoders.js';
import { ledgerPlaces } from './node.js';
import { channelNames, heightCauses, lostChannels, openedChannels } from './heights.js';
import { raftCauses, type RaftChannel } from './raft.js';

/** The process that uses the ledger of a node, as {@link lockHolder} returns it. */
export function ledgerHolder(node: NodeValues): number | undefined {
  return lockHolder(join(ledgerPlaces(node).databases[0]!, 'LOCK'), 'file');
}

/**
 * Startup errors of the ledger folder of a node.
 *
 * @param isRunning whether the node itself runs and uses its ledger; then the lock and files that change are not checked
 * @param raft the channels of an orderer with Raft
 */
export function ledgerCauses(
  node: NodeValues<ProgramDecoders>,
  isRunning: boolean,
  raft: readonly RaftChannel[],
): Finding[] {
  const { root, databases, chains } = ledgerPlaces(node);
  if (root.value === '') return [finding('ledger-unset', root.origin, { root: undefined })];
  const rights = rightsCauses(node);
  if (rights.length > 0) return rights;
  return [
    ...defaultCauses(node),
    ...spaceCauses(node, root.value, root.origin),
    ...(isRunning
      ? []
      : [...lockCauses(node), ...databases.flatMap((each) => databaseCauses(node.kind, each))]),
    ...(node.kind === 'peer' ? formatCauses(node) : []),
    ...openedChannels(node).flatMap((name) => {
      const damage = blockCauses(node, join(chains, name), name);
      return damage.length > 0 || isRunning ? damage : heightCauses(node, name);
    }),
    ...(isRunning ? [] : lostChannels(node)),
    ...(node.kind === 'orderer' ? raftCauses(node, raft, isRunning) : []),
  ];
}

/** The folders of the channels with blocks. */
export function channelFolders(node: NodeValues): readonly string[] {
  try {
    return channelFoldersOf(ledgerPlaces(node).root.value);
  } catch {
    return [];
  }
}

function defaultCauses(node: NodeValues): Finding[] {
  const set = node.kind === 'orderer' ? node.text('FileLedger.Location') : undefined;
  return set === undefined || set.value !== ''
    ? []
    : [finding('ledger-unset', set.origin, { root: ledgerPlaces(node).root.value })];
}

function rightsCauses(node: NodeValues): Finding[] {
  const { root, databases, chains } = ledgerPlaces(node);
  const make = ({ place, problem, message }: MissingRight): Finding[] => [
    finding('ledger-unusable', `${root.origin} (${place})`, { place, problem, message }),
  ];
  const made =
    node.kind === 'orderer'
      ? [databases[0]!, join(root.value, 'pendingops/remove')]
      : [join(root.value, 'ledgersData', 'fileLock'), ...databases];
  const [missing] = [
    ...(node.kind === 'peer' ? chaincodeRights(join(root.value, 'lifecycle/chaincodes')) : []),
    ...made.flatMap(madeRight),
    ...databases.flatMap(databaseRights),
  ];
  if (missing !== undefined) return make(missing);
  if (!existsSync(chains)) return [];
  const reading = isDirectory(chains)
    ? accessProblem(chains, constants.R_OK | constants.X_OK)
    : 'not a directory';
  if (reading !== undefined)
    return make({
      place: chains,
      problem: reading,
      message: node.kind === 'orderer' ? `error reading dir ${chains}: open ${chains}: ${reading}` : reading,
    });
  for (const name of channelNames(node)) {
    const [folder] = rightOf(join(chains, name), constants.R_OK | constants.X_OK);
    if (folder !== undefined) return make(folder);
    for (const file of blockFilesIn(join(chains, name)).slice(-1)) {
      const message = `error opening block file writer for file ${file}: open ${file}`;
      const [writing] = rightOf(file, constants.R_OK | constants.W_OK, message);
      if (writing !== undefined) return make(writing);
    }
  }
  return [];
}

/** A directory that does not exist, and cannot be made. */
function madeRight(directory: string): MissingRight[] {
  const problem = isDirectory(directory) ? undefined : makeProblem(directory);
  return problem === undefined
    ? []
    : [
        {
          place: nearestDirectory(directory),
          problem,
          message: `error while creating dir: ${directory}: mkdir`,
        },
      ];
}

/** The directory of installed chaincode, which a peer opens first (Fabric: core/chaincode/persistence/persistence.go). */
function chaincodeRights(directory: string): MissingRight[] {
  const place = nearestDirectory(directory);
  const problem = accessProblem(directory, constants.F_OK);
  if (problem === undefined) return rightOf(directory, constants.R_OK | constants.X_OK);
  if (problem !== 'no such file or directory')
    return [{ place, problem, message: `could not determine whether file '${directory}' exists` }];
  const making = makeProblem(directory);
  return making === undefined ? [] : [{ place, problem: making, message: `mkdir ${place}/` }];
}

/** What this user may not do with a file or a directory. */
interface MissingRight {
  readonly place: string;
  /** A part of the message of the program. */
  readonly message: string;
  readonly problem: string;
}

function rightOf(place: string, mode: number, message = `open ${place}`): MissingRight[] {
  const problem = accessProblem(place, mode);
  return problem === undefined || problem === 'no such file or directory'
    ? []
    : [{ place, problem, message: `${message}${message.endsWith('/') ? '' : `: ${problem}`}` }];
}

/** A database reads all of its files, writes to two of them, and makes new ones (goleveldb: leveldb/storage/file_storage.go, `OpenFile`). */
function databaseRights(directory: string): MissingRight[] {
  const own = [
    ...rightOf(directory, constants.R_OK | constants.X_OK),
    ...rightOf(directory, constants.W_OK, `open ${directory}/`),
  ];
  if (own.length > 0 || !isDirectory(directory)) return own;
  return readdirSync(directory).flatMap((name) =>
    /^LO(?:CK|G)$/.test(name)
      ? rightOf(join(directory, name), constants.R_OK | constants.W_OK)
      : rightOf(join(directory, name), constants.R_OK),
  );
}

function spaceCauses({ kind }: NodeValues, root: string, origin: string): Finding[] {
  const there = nearestDirectory(root);
  const { bavail } = statfsSync(there, { bigint: true });
  return bavail > 0n ? [] : [finding('disk-full', origin, { kind, place: there })];
}

function lockCauses(node: NodeValues): Finding[] {
  const { root, databases } = ledgerPlaces(node);
  const holder = ledgerHolder(node);
  if (holder === undefined) return [];
  const { kind } = node;
  return [finding('ledger-locked', root.origin, { kind, root: root.value, lock: databases[0]!, holder })];
}

/** A database that the program cannot open. */
function databaseCauses(kind: NodeValues['kind'], directory: string): Finding[] {
  const problem = databaseProblem(directory);
  return problem === undefined
    ? []
    : [finding('database-broken', directory, { kind, directory, name: basename(directory), problem })];
}

/** The keys with the format of the databases of a peer: the list of channels, and databases that several ledgers share (leveldbhelper). */
const FORMAT_KEYS = [
  ['ledgerProvider', 'f'],
  ['chains/index', '_\0f'],
  ['stateLeveldb', '_\0f'],
  ['historyLeveldb', '_\0f'],
] as const;
/** Since 2.0 (Fabric: common/ledger/dataformat, `CurrentFormat`). */
const FORMAT = '2.0';

/** Data of Fabric 1.x: 2.x and 3.x have the same format. */
function formatCauses(node: NodeValues): Finding[] {
  if (channelNames(node).length === 0) return [];
  for (const [name, key] of FORMAT_KEYS) {
    const directory = join(ledgerPlaces(node).root.value, 'ledgersData', name);
    const value = levelDbValue(directory, key);
    if (value === undefined || value?.toString() === FORMAT) continue;
    // An empty database gets the format.
    if (value === null && levelDbEntries(directory, { prefix: '' })?.size === 0) continue;
    const format = value?.toString('latin1') ?? '';
    return [finding('data-format', directory, { directory, format, expected: FORMAT })];
  }
  return [];
}
