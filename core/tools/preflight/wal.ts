// The write-ahead logs of Raft (Fabric: orderer/consensus/etcdraft/storage.go; etcd: wal/decoder.go).

import { closeSync, constants, existsSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openRegularFile } from '../../common/files/regular-file.js';
import type { Found } from './cause.js';
import { accessProblem, makeProblem } from './files.js';
import type { PreflightNode } from './node.js';

/** A write-ahead log of Raft; write-ahead logs of BFT have other names. */
const WAL_FILE = /^[0-9a-f]{16}-[0-9a-f]{16}\.wal$/;
const FRAME = 8;

/** Startup errors of the write-ahead logs of an orderer. @param channels the channels with Raft */
export function raftCauses(node: PreflightNode, channels: readonly string[]): Found[] {
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

/** Checks the records of a log like etcd's decoder (wal/decoder.go). A length beyond the end of the file is not a torn write, which Fabric would repair. */
function walCauses(path: string): Found[] {
  const where = path;
  const channel = basename(dirname(path));
  const access = accessProblem(path, constants.R_OK | constants.W_OK);
  if (access !== undefined)
    return [
      {
        id: 'wal-unusable',
        says: `ofdTryLockFile failed to open "${path}" (open ${path}: ${access})`,
        means: `the orderer cannot use the write-ahead log of the channel ${channel}: ${access}`,
        where,
        todo: 'make the user of the orderer the owner of the WAL directory and its content',
      },
    ];
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
      if (length >= size - at - padding)
        return [
          {
            id: 'wal-cut',
            says: 'failed to create or read WAL: failed to read WAL and cannot repair',
            means: `the write-ahead log of the channel ${channel} is truncated or damaged: the record at byte ${at} would have ${length} bytes, but the file has ${size}`,
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
