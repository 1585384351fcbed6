// The write-ahead logs of Raft (Fabric: orderer/consensus/etcdraft/storage.go; etcd: wal/decoder.go).

import { closeSync, constants, existsSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { NodePath, NodeValues } from '../../../config/index.js';
import { openRegularFile } from '../../common/files/regular-file.js';
import { finding, type Finding } from './cause.js';
import { accessProblem, makeProblem } from './files.js';

/** A write-ahead log of Raft; write-ahead logs of BFT have other names. */
const WAL_FILE = /^[0-9a-f]{16}-[0-9a-f]{16}\.wal$/;
const FRAME = 8;

/** Startup errors of the write-ahead logs of an orderer. @param channels the channels with Raft */
export function raftCauses(node: NodeValues, channels: readonly string[]): Finding[] {
  const [wal, snap] = [node.path('Consensus.WALDir'), node.path('Consensus.SnapDir')];
  if (wal.value === '') return [];
  const found: Finding[] = [];
  for (const channel of channels) {
    const directory = join(wal.value, channel);
    const snapshots = snap.value === '' ? undefined : makeProblem(join(snap.value, channel));
    if (snapshots !== undefined) return [unusable(snap, true, snapshots)];
    const making = existsSync(directory) ? undefined : makeProblem(directory);
    if (making !== undefined) return [unusable(wal, false, making)];
    for (const name of existsSync(directory) ? readdirSync(directory) : [])
      if (WAL_FILE.test(name)) found.push(...walCauses(join(directory, name)));
  }
  return found;
}

const unusable = ({ value, origin }: NodePath, isOfSnapshots: boolean, problem: string): Finding =>
  finding('wal-unusable', origin, { directory: value, isOfSnapshots, problem });

/** Checks the records of a log like etcd's decoder (wal/decoder.go). A length beyond the end of the file is not a torn write, which Fabric would repair. */
function walCauses(path: string): Finding[] {
  const channel = basename(dirname(path));
  const problem = accessProblem(path, constants.R_OK | constants.W_OK);
  if (problem !== undefined) return [finding('wal-unusable', path, { channel, file: path, problem })];
  const descriptor = openRegularFile(path);
  try {
    const { size } = statSync(path);
    const frame = Buffer.alloc(FRAME);
    for (let at = 0; at + FRAME <= size;) {
      readSync(descriptor, frame, 0, FRAME, at);
      const field = frame.readBigUInt64LE(0);
      if (field === 0n) return [];
      const length = Number(field & 0xff_ff_ff_ff_ff_ff_ffn);
      const padding = field >> 63n === 1n ? Number((field >> 56n) & 7n) : 0;
      if (length >= size - at - padding) return [finding('wal-cut', path, { channel, at, length, size })];
      at += FRAME + length + padding;
    }
    return [];
  } finally {
    closeSync(descriptor);
  }
}
