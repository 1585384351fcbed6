// The space of the write-ahead logs of raft channels: an orderer has one for each channel, in a directory with the name of the channel
// below `Consensus.WALDir`. A segment is allocated as a whole, and the next segment before the current one is full.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { callFile } from '../../../core/kit/index.js';

/** Size of a segment in bytes: `SegmentSizeBytes` in etcd's `wal/wal.go`. */
export const WAL_SEGMENT = 64_000_000;
/** The space for a new channel, in bytes: the current segment and the next one. With less space an orderer cannot join the channel. */
export const NEW_CHANNEL_WAL = 2 * WAL_SEGMENT;

const SEGMENT = /^[0-9a-f]{16}-[0-9a-f]{16}\.wal$/;
const NEXT_SEGMENT = /^\d+\.tmp$/;

/** The WAL of a raft channel. */
export interface RaftWal {
  readonly channel: string;
  /** When the allocation of the next segment failed, in milliseconds since the epoch; undefined: it is allocated. */
  readonly failedAt?: number;
}

/**
 * Finds the WALs of the raft channels of an orderer. The WAL of a BFT channel is not included: it grows as it is written.
 *
 * If the next segment could not be allocated (`filePipeline.alloc` in etcd's `wal/file_pipeline.go`), its file is empty. etcd does not try
 * again: the orderer panics when the current segment is full, unless it is restarted before.
 *
 * @param directory `Consensus.WALDir`; empty if it does not exist yet
 * @throws FileNotResponding, or the error of the system
 */
export function readRaftWals(directory: string): Promise<readonly RaftWal[]> {
  return callFile(directory, async () => {
    const wals: RaftWal[] = [];
    // etcd creates the directory of a channel under the name <channel>.tmp.
    for (const channel of (await entriesOf(directory)).filter((name) => !name.endsWith('.tmp'))) {
      const names = await entriesOf(join(directory, channel));
      if (!names.some((name) => SEGMENT.test(name))) continue;
      const next = names.find((name) => NEXT_SEGMENT.test(name));
      const failedAt = next === undefined ? undefined : await emptySince(join(directory, channel, next));
      wals.push({ channel, ...(failedAt !== undefined && { failedAt }) });
    }
    return wals;
  });
}

/** The names in a directory; empty if the directory does not exist. */
async function entriesOf(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Since when a file is empty; undefined if it is not empty, or has been renamed meanwhile. */
async function emptySince(file: string): Promise<number | undefined> {
  try {
    const { size, mtimeMs } = await stat(file);
    return size === 0 ? mtimeMs : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
