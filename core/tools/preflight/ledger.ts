// Checks the ledger folder of a node: permissions, space, lock and databases; blocks.ts and wal.ts check its blocks and write-ahead logs
// (Fabric: common/ledger/blkstorage, common/ledger/util/leveldbhelper). Faults that Fabric repairs at its start, such as a partially written
// block, are not causes.

import { constants, existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { channelFoldersOf } from 'fabric-ops-agent/translator/node';
import type { NodeValues } from '../../../config/index.js';
import { readRegularFile } from '../../common/files/regular-file.js';
import { blockCauses, blockFilesIn } from './blocks.js';
import { finding, type Finding } from './cause.js';
import { accessProblem, makeProblem, nearestDirectory } from './files.js';
import { levelDbValue } from './leveldb.js';
import { ledgerPlaces } from './node.js';
import { raftCauses } from './wal.js';

/** The process that uses the ledger of a node, as {@link lockHolder} returns it. */
export function ledgerHolder(node: NodeValues): number | undefined {
  return lockHolder(join(ledgerPlaces(node).databases[0]!, 'LOCK'));
}

/**
 * Startup errors of the ledger folder of a node.
 *
 * @param isRunning whether the node itself runs and uses its ledger; then the lock is not checked
 * @param raft the channels of an orderer with Raft
 */
export function ledgerCauses(node: NodeValues, isRunning: boolean, raft: readonly string[]): Finding[] {
  const { root, databases, chains } = ledgerPlaces(node);
  if (root.value === '') return [finding('ledger-unset', root.origin, { root: undefined })];
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
export function channelNames(node: NodeValues): string[] {
  try {
    return readdirSync(ledgerPlaces(node).chains);
  } catch {
    return [];
  }
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
  const make = (place: string, message: string, problem: string): Finding[] => [
    finding('ledger-unusable', `${root.origin} (${place})`, { place, problem, message }),
  ];
  const first = node.kind === 'orderer' ? databases[0]! : join(root.value, 'ledgersData', 'fileLock');
  const problem = makeProblem(first);
  if (problem !== undefined) {
    const isFile = statSync(root.value, { throwIfNoEntry: false })?.isFile() === true;
    const says =
      node.kind === 'peer' && isFile
        ? `could not determine whether file '${join(root.value, 'lifecycle/chaincodes')}' exists`
        : `error while creating dir: ${first}: mkdir`;
    return make(nearestDirectory(first), says, problem);
  }
  if (!existsSync(chains)) return [];
  const reading = statSync(chains).isDirectory()
    ? accessProblem(chains, constants.R_OK | constants.X_OK)
    : 'not a directory';
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

/** A database without the file that names its state (goleveldb: leveldb/storage, `GetMeta`). */
function databaseCauses(directory: string): Finding[] {
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
  return [finding('database-broken', directory, { directory })];
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
    const format = value?.toString('latin1') ?? '';
    return [finding('data-format', directory, { directory, format, expected: FORMAT })];
  }
  return [];
}

/** Largest file CURRENT, in bytes; it has one line. */
const MAX_POINTER = 1024;

function textOf(path: string): string {
  try {
    return readRegularFile(path, MAX_POINTER);
  } catch {
    return '';
  }
}

/** The id of the process that has locked a file, from Linux's list of locks; 0: a process that is not visible here. Undefined: no process. */
function lockHolder(path: string): number | undefined {
  try {
    const { ino, dev } = statSync(path, { bigint: true });
    // As Linux's `makedev` encodes them.
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
    const hex = (part: bigint): string => part.toString(16).padStart(2, '0');
    const id = `${hex(major)}:${hex(minor)}:${ino}`;
    const line = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((each) => / FLOCK +\S+ +WRITE /.test(each) && each.split(/\s+/).includes(id));
    return line === undefined ? undefined : Math.max(0, Number(/WRITE +(-?\d+)/.exec(line)?.[1] ?? 0));
  } catch {
    return undefined;
  }
}
