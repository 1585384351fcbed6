// Checks the write-ahead log and the snapshots of each channel with Raft (Fabric: orderer/consensus/etcdraft/storage.go, `CreateStorage`).
// The log has to have everything that the orderer confirmed to the leader: the leader tells each consenter what is committed, and Raft ends
// the program if its log does not have it (etcd: raft/log.go, `commitTo`). Each block names the entry that it was made of.

import { constants } from 'node:fs';
import { join } from 'node:path';
import { Ledger, type StoredBlock } from 'fabric-ops-agent/translator/node';
import type { NodePath, NodeValues } from '../../../config/index.js';
import { finding, type Finding } from './cause.js';
import type { ProgramDecoders } from './decoders.js';
import { accessProblem, isDirectory, lockHolder, makeProblem } from './files.js';
import { fieldsOf, newestSnapshot, openedFiles, readLog, walFiles } from './wal.js';

/** A channel with Raft of which the orderer is a consenter; a follower has no log. */
export interface RaftChannel {
  readonly name: string;
  /** The folder of its blocks. */
  readonly folder: string;
  readonly consenters: number;
}

/**
 * Startup errors of the write-ahead logs of an orderer.
 *
 * @param isRunning whether the orderer runs; then the content of its logs changes and is not checked
 */
export function raftCauses(
  node: NodeValues<ProgramDecoders>,
  channels: readonly RaftChannel[],
  isRunning: boolean,
): Finding[] {
  const [wal, snap] = [folderOf(node, 'Consensus.WALDir'), folderOf(node, 'Consensus.SnapDir')];
  const found: Finding[] = [];
  for (const channel of channels) {
    const directory = join(wal.value, channel.name);
    const snapshots = join(snap.value, channel.name);
    const problem = snapshotProblem(snapshots);
    if (problem !== undefined) return [unusable(snap, problem)];
    const { files, exists } = walFiles(directory);
    const making = exists ? undefined : madeProblem(directory);
    if (making !== undefined) return [unusable(wal, { text: making, prints: 'failed to initialize WAL: ' })];
    if (isRunning) continue;
    found.push(
      ...logCauses(node, channel, { directory, files, exists, wal, index: newestSnapshot(snapshots) }),
    );
  }
  return found;
}

/** A folder of Raft; without a value it is the directory that the orderer is started in. */
function folderOf(node: NodeValues, key: string): NodePath {
  const path = node.path(key);
  return path.value === '' ? { ...path, value: node.cwd } : path;
}

/** Why a new log cannot be made: etcd makes it beside its place, and renames it. */
const madeProblem = (directory: string): string | undefined =>
  (isDirectory(directory) ? accessProblem(directory, constants.R_OK | constants.X_OK) : undefined) ??
  makeProblem(join(directory, '..'));

/** Why a folder cannot be used, in plain words, and a part of the message of the program. */
interface FolderProblem {
  readonly text: string;
  readonly prints: string;
}

function snapshotProblem(directory: string): FolderProblem | undefined {
  const reading = isDirectory(directory)
    ? accessProblem(directory, constants.R_OK | constants.X_OK)
    : undefined;
  if (reading !== undefined) return { text: reading, prints: `failed to load snapshot: open ${directory}` };
  const making = makeProblem(directory);
  return making === undefined ? undefined : { text: making, prints: 'for snapshot: mkdir' };
}

const unusable = ({ value, origin }: NodePath, { text, prints }: FolderProblem): Finding =>
  finding('wal-unusable', origin, { directory: value, problem: text, prints });

/** The log of a channel. */
interface Log extends ReturnType<typeof walFiles> {
  readonly directory: string;
  readonly wal: NodePath;
  /** Of the newest snapshot. */
  readonly index: bigint;
}

function logCauses(
  node: NodeValues<ProgramDecoders>,
  channel: RaftChannel,
  { directory, files, exists, wal, index }: Log,
): Finding[] {
  const { name } = channel;
  if (!exists) return behind(channel, directory, `${wal.origin} (${directory})`, index, true);
  const opened = openedFiles(files, index);
  if (typeof opened === 'string')
    return [finding('wal-files', directory, { channel: name, directory, index, message: opened })];
  for (const { path } of opened) {
    const problem =
      accessProblem(path, constants.R_OK | constants.W_OK) ??
      (isDirectory(path) ? 'is a directory' : undefined);
    if (problem !== undefined) return [finding('wal-unusable', path, { channel: name, file: path, problem })];
    const holder = lockHolder(path, 'record');
    if (holder !== undefined) return [finding('wal-locked', path, { channel: name, file: path, holder })];
  }
  const state = readLog(opened, index, !node.decoders.isRecent);
  if ('problem' in state) return [finding('wal-cut', state.file, { channel: name, problem: state.problem })];
  const last = state.last > index ? state.last : index;
  const { commit } = state;
  if (commit !== undefined && commit > 0n && (commit < index || commit > last))
    return [finding('wal-contradiction', directory, { channel: name, commit, index, last })];
  return behind(channel, directory, directory, last, false);
}

/** A warning if the log does not have the entry of the newest block. @param last the newest entry of the log or of a snapshot */
function behind(
  { name, folder, consenters }: RaftChannel,
  directory: string,
  where: string,
  last: bigint,
  isMissing: boolean,
): Finding[] {
  const index = newestIndex(folder);
  return last >= index
    ? []
    : [finding('wal-behind', where, { channel: name, directory, last, index, isMissing, consenters })];
}

/** The index of the entry of the newest block (Fabric: protoutil, `GetConsenterMetadataFromBlock`; etcdraft.BlockMetadata); 0 if it is unknown. */
function newestIndex(folder: string): bigint {
  try {
    return BigInt(fieldsOf(consenterMetadata(Ledger.open(folder).block('newest')))?.number(3) ?? 0);
  } catch {
    return 0n;
  }
}

/** With the signatures; before 1.4.1 on its own. */
function consenterMetadata({ metadata }: StoredBlock): Buffer {
  const valueOf = (message: Uint8Array = NONE): Buffer => fieldsOf(Buffer.from(message))?.bytes(1) ?? NONE;
  const [signatures, , , own] = metadata;
  const signed = valueOf(signatures);
  return signed.length === 0 ? valueOf(own) : valueOf(fieldsOf(signed)?.bytes(2));
}

const NONE = Buffer.alloc(0);
