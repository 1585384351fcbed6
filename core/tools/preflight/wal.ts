// The write-ahead log and the snapshots of a channel with Raft, as etcd reads them (etcd: server/storage/wal, server/etcdserver/api/snap).
// Reads only. raft.ts compares them with the blocks.

import { closeSync, fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile, readRegularBytes } from '../../common/files/regular-file.js';
import { reasonOf } from '../../contract/index.js';
import { crc32c } from './crc32c.js';
import { Reader } from './leveldb.js';

/** A file of a write-ahead log: its number, and the index of its first entry. */
const WAL_FILE = /^([0-9a-f]{16})-([0-9a-f]{16})\.wal$/;
const SNAPSHOT_FILE = /\.snap$/;
const FRAME = 8;
/** Longest record and largest snapshot that are read, in bytes: a block has at most 100 MB. */
const MAX_RECORD = 256 * 1024 * 1024;
/** A part of a file that a disk writes at once. */
const SECTOR = 512;

/** A file of a write-ahead log. */
interface WalFile {
  readonly path: string;
  readonly number: bigint;
  /** The index of its first entry. */
  readonly first: bigint;
}

/** The files of a write-ahead log, and whether the directory has any file with the ending of one: then no new log is made. */
export function walFiles(directory: string): {
  readonly files: readonly WalFile[];
  readonly exists: boolean;
} {
  const names = namesIn(directory);
  const files = names.flatMap((name): WalFile[] => {
    const [, number, first] = WAL_FILE.exec(name) ?? [];
    return number === undefined
      ? []
      : [{ path: join(directory, name), number: BigInt(`0x${number}`), first: BigInt(`0x${first}`) }];
  });
  return { files, exists: names.some((name) => name.endsWith('.wal')) };
}

/**
 * The files of a log from an index on, which the orderer opens and locks; or why it does not open them, in the words of etcd.
 *
 * @param files in their order @param index of the newest snapshot; 0: there is none
 */
export function openedFiles(files: readonly WalFile[], index: bigint): readonly WalFile[] | string {
  const start = files.findLastIndex(({ first }) => index >= first);
  if (start === -1) return 'wal: file not found';
  const opened = files.slice(start);
  const isComplete = opened.every(
    ({ number }, at) => at === 0 || opened[at - 1]!.number === 0n || number === opened[at - 1]!.number + 1n,
  );
  // Before etcd 3.6: `wal: file not found`.
  return isComplete ? opened : 'wal: file';
}

/** The state in a log. */
interface WalState {
  /** The index of its newest entry; 0: it has none. */
  readonly last: bigint;
  /** The index up to which entries were committed; undefined: the log has no state. */
  readonly commit: bigint | undefined;
}

/** Why a log is not read. */
interface WalProblem {
  readonly file: string;
  /** In plain words. */
  readonly problem: string;
}

/** Reads log files as etcd does (`ReadAll`). @param index of the newest snapshot @param repairsTorn whether a partially written newest record is cut off */
export function readLog(
  files: readonly WalFile[],
  index: bigint,
  repairsTorn: boolean,
): WalState | WalProblem {
  const reading = new LogReading(index, repairsTorn);
  for (const [at, { path }] of files.entries()) {
    try {
      const problem = reading.file(path, at === files.length - 1);
      if (problem !== undefined) return problem;
    } catch (error) {
      return { file: path, problem: reasonOf(error) };
    }
  }
  return reading;
}

class LogReading implements WalState {
  last = 0n;
  commit: bigint | undefined;
  readonly #start: bigint;
  readonly #repairsTorn: boolean;
  #crc = 0;

  constructor(start: bigint, repairsTorn: boolean) {
    this.#start = start;
    this.#repairsTorn = repairsTorn;
  }

  /** Reads a file up to the zeros after its records. */
  file(path: string, isNewest: boolean): WalProblem | undefined {
    const descriptor = openRegularFile(path);
    try {
      const { size } = fstatSync(descriptor);
      const frame = Buffer.alloc(FRAME);
      for (let at = 0; readSync(descriptor, frame, 0, FRAME, at) === FRAME;) {
        const field = frame.readBigUInt64LE(0);
        if (field === 0n) return undefined;
        const length = Number(field & 0xff_ff_ff_ff_ff_ff_ffn);
        const padding = field >> 63n === 1n ? Number((field >> 56n) & 7n) : 0;
        const problem = `the record at byte ${at} would have ${length} bytes, but the file has ${size}`;
        if (length > size - at - padding || length > MAX_RECORD) return { file: path, problem };
        const data = Buffer.alloc(length + padding);
        // The end of a record that was being written; etcd cuts it off.
        if (readSync(descriptor, data, 0, data.length, at + FRAME) < data.length) return undefined;
        const damage = this.#record(data.subarray(0, length));
        if (damage !== undefined) {
          const isTorn = isNewest && hasEmptySector(data, at + FRAME);
          if (isTorn && (damage.isUnreadable || this.#repairsTorn)) return undefined;
          return { file: path, problem: `the record at byte ${at} ${damage.problem}` };
        }
        at += FRAME + length + padding;
      }
      return undefined;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Applies a record (etcd: walpb.Record). */
  #record(bytes: Buffer): { readonly problem: string; readonly isUnreadable?: boolean } | undefined {
    const record = fieldsOf(bytes);
    if (record === undefined) return { problem: 'is damaged', isUnreadable: true };
    const [type, crc, data] = [record.number(1), record.number(2) >>> 0, record.bytes(3)];
    if (type === 4) {
      if (this.#crc !== 0 && this.#crc !== crc) return { problem: 'has another checksum' };
      this.#crc = crc;
      return undefined;
    }
    this.#crc = crc32c(data, this.#crc);
    if (this.#crc !== crc) return { problem: 'has another checksum' };
    if (type !== 2 && type !== 3) return undefined;
    const content = fieldsOf(data);
    if (content === undefined) return { problem: 'is damaged' };
    if (type === 2) return this.#entry(BigInt(content.number(3)));
    // HardState: the term, the vote and the committed index.
    this.commit = BigInt(content.number(3));
    return undefined;
  }

  /** Entries follow each other; a newer one with the same index replaces the older one and those after it. */
  #entry(index: bigint): { readonly problem: string } | undefined {
    if (index <= this.#start) {
      this.last = index;
      return undefined;
    }
    const before = this.last < this.#start ? this.#start : this.last;
    if (index > before + 1n)
      return { problem: `has the entry ${index}, but the newest before it is ${before}` };
    this.last = index;
    return undefined;
  }
}

/** Whether a sector of a record has only zeros: it was not written completely (etcd: `isTornEntry`). */
function hasEmptySector(data: Buffer, offset: number): boolean {
  for (let at = 0; at < data.length;) {
    const end = Math.min(data.length, at + SECTOR - ((offset + at) % SECTOR));
    if (data.subarray(at, end).every((byte) => byte === 0)) return true;
    at = end;
  }
  return false;
}

/** The index of the newest snapshot that can be read; 0: there is none. Damaged ones are renamed by the orderer, and do not count. */
export function newestSnapshot(directory: string): bigint {
  for (const name of namesIn(directory)
    .filter((each) => SNAPSHOT_FILE.test(each))
    .toSorted()
    .toReversed()) {
    const index = snapshotIndex(join(directory, name));
    if (index !== undefined) return index;
  }
  return 0n;
}

/** The index in a snapshot (etcd: snappb.Snapshot, raftpb.Snapshot); undefined if the file is damaged. */
function snapshotIndex(path: string): bigint | undefined {
  try {
    const file = fieldsOf(readRegularBytes(path, MAX_RECORD));
    const data = file?.bytes(2) ?? Buffer.alloc(0);
    if (file === undefined || data.length === 0 || crc32c(data) !== file.number(1) >>> 0) return undefined;
    const metadata = fieldsOf(fieldsOf(data)?.bytes(2) ?? Buffer.alloc(0));
    return metadata && BigInt(metadata.number(2));
  } catch {
    return undefined;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}

/** The fields of a message of protobuf; the last value of each field counts. */
interface Fields {
  /** 0 if the field is missing. */
  readonly number: (field: number) => number;
  /** Empty if the field is missing. */
  readonly bytes: (field: number) => Buffer;
}

/** Reads a message with fields that are numbers or bytes; undefined if it is damaged. */
export function fieldsOf(message: Buffer): Fields | undefined {
  const values = new Map<number, number | Buffer>();
  try {
    for (const reader = new Reader(message, 0); !reader.isAtEnd;) {
      const key = reader.varint();
      const kind = key % 8;
      if ((kind !== 0 && kind !== 2) || key < 8) return undefined;
      values.set(Math.floor(key / 8), kind === 0 ? reader.varint() : reader.bytes(reader.varint()));
    }
  } catch {
    return undefined;
  }
  return {
    number: (field) => Number(values.get(field) ?? 0),
    bytes: (field) => {
      const value = values.get(field);
      return value instanceof Buffer ? value : Buffer.alloc(0);
    },
  };
}
