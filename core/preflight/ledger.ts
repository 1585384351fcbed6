// The ledger folder of a node: rights, space, lock, databases, block files, and the write-ahead logs of Raft (Fabric:
// common/ledger/blkstorage, common/ledger/util/leveldbhelper, orderer/consensus/etcdraft/storage.go). What Fabric repairs at its start, such
// as a block that was written in part, is no cause.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { channelFoldersOf, Ledger } from 'fabric-ops-agent/translator/ledger';
import { reasonOf } from '../contract/index.js';
import { goText, type Found } from './cause.js';
import { levelDbValue, Reader } from './leveldb.js';
import { lockHolder } from './locks.js';
import { ledgerPlaces, nearestDirectory, type PreflightNode } from './node.js';

/** Whether a process has the ledger of a node, and which. */
export function ledgerHolder(node: PreflightNode): number | undefined {
  return lockHolder(join(ledgerPlaces(node).databases[0]!, 'LOCK'));
}

/**
 * What the ledger folder of a node stops.
 *
 * @param isRunning the node itself has its ledger, and is not judged for it
 * @param raft the channels of an orderer with Raft
 */
export function ledgerCauses(node: PreflightNode, isRunning: boolean, raft: readonly string[]): Found[] {
  const { root, databases, chains } = ledgerPlaces(node);
  if (root.value === '')
    return [
      {
        id: 'ledger-unset',
        severity: 'warning',
        says: '',
        means:
          'no ledger folder is named: the peer writes its ledger into the directory that it is started in',
        where: root.origin,
        todo: 'set peer.fileSystemPath',
      },
    ];
  const rights = rightsCauses(node);
  if (rights.length > 0) return rights;
  return [
    ...defaultCauses(node),
    ...spaceCauses(node, root.value, root.origin),
    ...(isRunning ? [] : lockCauses(node)),
    ...databases.flatMap(databaseCauses),
    ...(node.kind === 'peer' ? formatCauses(node) : []),
    ...channelNames(node).flatMap((name) => blockCauses(node, join(chains, name), name)),
    ...(node.kind === 'orderer' ? raftCauses(node, raft) : []),
  ];
}

/** The channels in the ledger of a node; none if it has no ledger yet, or cannot be read. */
export function channelNames(node: PreflightNode): string[] {
  try {
    return readdirSync(ledgerPlaces(node).chains);
  } catch {
    return [];
  }
}

/** Where the channels with blocks are. */
export function channelFolders(node: PreflightNode): readonly string[] {
  try {
    return channelFoldersOf(ledgerPlaces(node).root.value);
  } catch {
    return [];
  }
}

function defaultCauses(node: PreflightNode): Found[] {
  const set = node.kind === 'orderer' ? node.text('FileLedger.Location') : undefined;
  if (set === undefined || set.value !== '') return [];
  return [
    {
      id: 'ledger-unset',
      severity: 'warning',
      says: '',
      means: `no ledger folder is named: the orderer uses ${ledgerPlaces(node).root.value}, and knows no channel that is elsewhere`,
      where: set.origin,
      todo: 'set FileLedger.Location',
    },
  ];
}

function rightsCauses(node: PreflightNode): Found[] {
  const { root, databases, chains } = ledgerPlaces(node);
  const make = (where: string, says: string, problem: string): Found[] => [
    {
      id: 'ledger-unusable',
      says,
      means: `the node cannot use its ledger folder: ${where}: ${problem}`,
      where: `${root.origin} (${where})`,
      todo: 'give the folder and all that it contains to the user of the node, or correct the path',
    },
  ];
  const first = node.kind === 'orderer' ? databases[0]! : join(root.value, 'ledgersData', 'fileLock');
  const problem = makeProblem(first);
  if (problem !== undefined) {
    const isFile = statSync(root.value, { throwIfNoEntry: false })?.isFile() === true;
    const says =
      node.kind === 'peer' && isFile
        ? `could not determine whether file '${join(root.value, 'lifecycle/chaincodes')}' exists`
        : `error while creating dir: ${first}: mkdir`;
    return make(nearestDirectory(first, existsSync), says, problem);
  }
  if (!existsSync(chains)) return [];
  const reading = accessProblem(chains, constants.R_OK | constants.X_OK);
  if (reading !== undefined)
    return make(
      chains,
      node.kind === 'orderer' ? `error reading dir ${chains}: open ${chains}: ${reading}` : reading,
      reading,
    );
  for (const name of channelNames(node))
    for (const file of blockFilesIn(join(chains, name)).slice(-1)) {
      const writing = accessProblem(file, constants.R_OK | constants.W_OK);
      if (writing !== undefined)
        return make(
          file,
          `error opening block file writer for file ${file}: open ${file}: ${writing}`,
          writing,
        );
    }
  return [];
}

/** Why a directory does not exist and cannot be made, or cannot be written to. */
function makeProblem(path: string): string | undefined {
  const there = nearestDirectory(path, existsSync);
  if (statSync(there, { throwIfNoEntry: false })?.isDirectory() === false) return 'not a directory';
  return accessProblem(there, constants.W_OK | constants.X_OK);
}

function accessProblem(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return goText(error);
  }
}

function spaceCauses({ kind }: PreflightNode, root: string, origin: string): Found[] {
  const there = nearestDirectory(root, existsSync);
  const { bavail } = statfsSync(there, { bigint: true });
  if (bavail > 0n) return [];
  return [
    {
      id: 'disk-full',
      says: 'no space left on device',
      means: `the file system of ${there} is full, and the ${kind} writes to its databases at the start`,
      where: origin,
      todo: 'free some space, or enlarge it; never delete files of the ledger or of the WAL',
    },
  ];
}

function lockCauses(node: PreflightNode): Found[] {
  const { root, databases } = ledgerPlaces(node);
  const holder = ledgerHolder(node);
  if (holder === undefined) return [];
  const who = holder === 0 ? 'a process that is not visible here' : `the process ${holder}`;
  return [
    {
      id: 'ledger-locked',
      says:
        node.kind === 'peer'
          ? `lock is already acquired on file ${databases[0]!}`
          : 'Error opening leveldb: resource temporarily unavailable',
      means: `${who} uses the ledger folder ${root.value}, and does not listen on the addresses of this node`,
      where: root.origin,
      todo: 'end that process; two nodes never share a ledger folder',
    },
  ];
}

/** A database without the file that names its state (goleveldb: leveldb/storage, `GetMeta`). */
function databaseCauses(directory: string): Found[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  const pointers = names.filter((name) => /^CURRENT(?:\.bak|\.\d+)?$/.test(name));
  const isUsable = pointers.some((name) => {
    const manifest = textOf(join(directory, name)).trim();
    return names.includes(manifest);
  });
  if (isUsable || !names.some((name) => /^MANIFEST-|\.(?:ldb|log)$/.test(name))) return [];
  return [
    {
      id: 'database-broken',
      says: 'Error opening leveldb: database entry point either missing or corrupted',
      means: `the database ${directory} has lost its file CURRENT, or the MANIFEST that it names`,
      where: directory,
      todo: 'restore the folder from a copy of the whole node; without one, an orderer can be joined again, and of a peer `peer node rebuild-dbs` builds the databases from its blocks',
    },
  ];
}

/** The key of the format in the databases of a peer: that of the list of channels, and those that share a database (leveldbhelper). */
const FORMAT_KEYS = [
  ['ledgerProvider', 'f'],
  ['chains/index', '_\0f'],
  ['stateLeveldb', '_\0f'],
  ['historyLeveldb', '_\0f'],
] as const;
/** Since 2.0 (Fabric: common/ledger/dataformat, `CurrentFormat`). */
const FORMAT = '2.0';

/** Data of Fabric 1.x: those of 2.x and 3.x have one format. */
function formatCauses(node: PreflightNode): Found[] {
  if (channelNames(node).length === 0) return [];
  for (const [name, key] of FORMAT_KEYS) {
    const directory = join(ledgerPlaces(node).root.value, 'ledgersData', name);
    const value = levelDbValue(directory, key);
    if (value === undefined || value?.toString() === FORMAT) continue;
    const format = value?.toString('latin1') ?? '';
    return [
      {
        id: 'data-format',
        says: `The db at path [${directory}] contains data in unexpected format. expected data format = [${FORMAT}]`,
        means: `the databases of the peer have ${format === '' ? 'the format of Fabric 1.x' : `the format ${format}`}`,
        where: directory,
        todo:
          format === ''
            ? 'copy the ledger folder, then run `peer node upgrade-dbs` with the new version before its first start'
            : 'start the peer with the version that wrote the data',
      },
    ];
  }
  return [];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function blockFilesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => /^blockfile_\d{6,}$/.test(name))
      .toSorted()
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** What the index says about the newest block file of a channel (blkstorage/blockfile_mgr.go, `blockfilesInfo`). */
interface Checkpoint {
  readonly file: string;
  readonly size: number;
}

function checkpointOf(index: string, directory: string, channel: string): Checkpoint | undefined {
  const value = levelDbValue(index, `${channel}\0blkMgrInfo`);
  if (value === undefined || value === null) return undefined;
  const reader = new Reader(value, 0);
  const number = reader.varint();
  return { file: join(directory, `blockfile_${String(number).padStart(6, '0')}`), size: reader.varint() };
}

const RESTORE =
  'restore the ledger folder from a copy of the whole node; without one, remove the node’s data and let it join the channel again';

function blockCauses(node: PreflightNode, directory: string, channel: string): Found[] {
  const { databases } = ledgerPlaces(node);
  const index =
    node.kind === 'orderer' ? databases[0]! : databases.find((each) => each.endsWith('chains/index'))!;
  const checkpoint = checkpointOf(index, directory, channel);
  if (checkpoint === undefined) return [];
  const size = statSync(checkpoint.file, { throwIfNoEntry: false })?.size;
  if (size === undefined || size < checkpoint.size)
    return [
      {
        id: 'block-file-cut',
        says:
          size === undefined
            ? 'Could not retrieve header of the last block form file'
            : `error peeking [${size - checkpoint.size}] bytes from block file: bufio: negative count`,
        means:
          size === undefined
            ? `the block file ${checkpoint.file} of the channel ${channel} is missing`
            : `the block file ${checkpoint.file} of the channel ${channel} has ${size} bytes, and the index says that blocks up to byte ${checkpoint.size} are committed`,
        where: checkpoint.file,
        todo: RESTORE,
      },
    ];
  return newestCauses(node, directory, channel, checkpoint);
}

/** The newest block is read at the start, and what follows the committed ones. */
function newestCauses(
  { kind }: PreflightNode,
  directory: string,
  channel: string,
  { file, size }: Checkpoint,
): Found[] {
  try {
    Ledger.open(directory).block('newest');
    return [];
  } catch (error) {
    const reason = reasonOf(error);
    const [, offset] = /there is no block at byte (\d+)/.exec(reason) ?? [];
    // Fabric verifies no hashes at its start, and reads no other blocks.
    if (offset === undefined) return [];
    const isTail = Number(offset) >= size;
    return [
      {
        id: isTail ? 'block-file-tail' : 'block-damaged',
        ...(isTail && kind === 'peer' && { severity: 'warning' }),
        says: isTail
          ? kind === 'orderer'
            ? `Failed getting channel ${channel}'s ledger: error decoding`
            : `Failed to load ledger ${channel}`
          : 'Could not retrieve header of the last block form file: error decoding',
        means: isTail
          ? `after the committed blocks of the channel ${channel} the file has bytes that are no block, such as zeros after a loss of power${kind === 'peer' ? ': the peer starts without the channel' : ''}`
          : `the newest block of the channel ${channel} is damaged: ${reason}`,
        where: file,
        todo: isTail
          ? `on a copy of the folder, cut the file to ${size} bytes, the end of the committed blocks; the node gets the rest from others`
          : RESTORE,
      },
    ];
  }
}

/** A write-ahead log of Raft; those of BFT have other names. */
const WAL_FILE = /^[0-9a-f]{16}-[0-9a-f]{16}\.wal$/;
const FRAME = 8;

function raftCauses(node: PreflightNode, channels: readonly string[]): Found[] {
  const [wal, snap] = [node.path('Consensus.WALDir'), node.path('Consensus.SnapDir')];
  if (wal.value === '') return [];
  const found: Found[] = [];
  for (const channel of channels) {
    const directory = join(wal.value, channel);
    const snapshots = snap.value === '' ? undefined : makeProblem(join(snap.value, channel));
    if (snapshots !== undefined) return [unusableWal(snap, 'for snapshot: mkdir', snapshots)];
    const making = existsSync(directory) ? undefined : makeProblem(directory);
    if (making !== undefined) return [unusableWal(wal, 'failed to initialize WAL: mkdir', making)];
    for (const name of existsSync(directory) ? readdirSync(directory) : [])
      if (WAL_FILE.test(name)) found.push(...walCauses(join(directory, name)));
  }
  return found;
}

const unusableWal = (
  { value, origin }: { readonly value: string; readonly origin: string },
  says: string,
  problem: string,
): Found => ({
  id: 'wal-unusable',
  says,
  means: `the orderer cannot write to ${value}: ${problem}`,
  where: origin,
  todo: 'name a directory that the user of the orderer may write to',
});

/** The records of a log, as etcd's decoder reads them (wal/decoder.go): a length beyond the end of the file is no torn write, which is repaired. */
function walCauses(path: string): Found[] {
  const where = path;
  const channel = basename(dirname(path));
  const access = accessProblem(path, constants.R_OK | constants.W_OK);
  if (access !== undefined)
    return [
      {
        id: 'wal-unusable',
        says: `failed to open WAL: ofdTryLockFile failed to open "${path}" (open ${path}: ${access})`,
        means: `the orderer cannot use the write-ahead log of the channel ${channel}: ${access}`,
        where,
        todo: 'give the WAL directory and all that it contains to the user of the orderer',
      },
    ];
  const descriptor = openSync(path, 'r');
  try {
    const { size } = statSync(path);
    const frame = Buffer.alloc(FRAME);
    for (let at = 0; at + FRAME <= size;) {
      readSync(descriptor, frame, 0, FRAME, at);
      const field = frame.readBigUInt64LE(0);
      if (field === 0n) return [];
      const length = Number(field & 0xff_ff_ff_ff_ff_ff_ffn);
      const padding = field >> 63n === 1n ? Number((field >> 56n) & 7n) : 0;
      if (length >= size - at - padding)
        return [
          {
            id: 'wal-cut',
            says: 'failed to create or read WAL: failed to read WAL and cannot repair',
            means: `the write-ahead log of the channel ${channel} is cut short or damaged: the record at byte ${at} would have ${length} bytes, and the file has ${size}`,
            where,
            todo: 'remove this orderer from the consenters of the channel, delete its data of the channel, and let it join again; never copy the WAL of another orderer',
          },
        ];
      at += FRAME + length + padding;
    }
    return [];
  } finally {
    closeSync(descriptor);
  }
}
