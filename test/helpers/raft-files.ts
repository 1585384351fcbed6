// Write-ahead logs and snapshots of Raft as etcd writes them, and blocks that were made of an entry of the log.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32c } from '../../core/tools/preflight/crc32c.js';
import { CommonLastConfig, CommonMetadata, CommonOrdererBlockMetadata } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import type { StoredBlock } from '../../translator/ledger/stored-block.js';
import { sized, varint } from './leveldb-files.js';

/** A field of a message that is a number, or bytes. */
const field = (number: number, value: number | Uint8Array): Buffer =>
  typeof value === 'number'
    ? Buffer.concat([varint(number * 8), varint(value)])
    : Buffer.concat([varint(number * 8 + 2), sized(value)]);

/** What a log records: an entry, or what is committed; or bytes of a type. */
export type WalEntry =
  | { readonly entry: number }
  | { readonly commit: number }
  | { readonly type: number; readonly data: Uint8Array };

const ENTRY = 2;
const STATE = 3;

/** A log: its checksum, and the records. */
export const walLog = (...records: readonly WalEntry[]): Buffer => walFiles(records)[0]!;

/** The files of a log, by their records: each begins with the checksum of the files before it. */
export function walFiles(...files: readonly (readonly WalEntry[])[]): Buffer[] {
  let crc = 0;
  return files.map((records) => {
    const start = walFrame(Buffer.concat([field(1, 4), field(2, crc)]));
    const frames = framesOf(records, (data) => (crc = crc32c(data, crc)));
    return Buffer.concat([start, ...frames]);
  });
}

function framesOf(records: readonly WalEntry[], checksumOf: (data: Uint8Array) => number): Buffer[] {
  return records.map((record) => {
    const type = 'entry' in record ? ENTRY : 'commit' in record ? STATE : record.type;
    const data =
      'entry' in record
        ? Buffer.concat([field(1, 0), field(2, 1), field(3, record.entry), field(4, Buffer.from('data'))])
        : 'commit' in record
          ? Buffer.concat([field(1, 1), field(2, 1), field(3, record.commit)])
          : record.data;
    return walFrame(Buffer.concat([field(1, type), field(2, checksumOf(data)), field(3, data)]));
  });
}

/** A record: its length and its padding, and the bytes. */
export function walFrame(bytes: Uint8Array): Buffer {
  const padding = (8 - (bytes.length % 8)) % 8;
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(bytes.length) | (padding === 0 ? 0n : BigInt(0x80 | padding) << 56n));
  return Buffer.concat([head, bytes, Buffer.alloc(padding)]);
}

/** The records up to an entry, which is committed. */
export const walUpTo = (last: number, first = 1): WalEntry[] => [
  ...Array.from({ length: last - first + 1 }, (_, index) => ({ entry: first + index })),
  { commit: last },
];

/** A block with the number 1. */
const BLOCK = Buffer.from([10, 2, 8, 1]);

/** A snapshot of the entries up to an index. */
export function raftSnapshot(index: number): Buffer {
  const data = Buffer.concat([field(1, BLOCK), field(2, Buffer.concat([field(2, index), field(3, 1)]))]);
  return Buffer.concat([field(1, crc32c(data)), field(2, data)]);
}

/** Writes a file, and its directory. */
export function writeWithFolder(path: string, content: Uint8Array | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** A block that was made of an entry, in a channel with the consenters 1 to 3 whose newest config block is block 0. */
export function blockOfEntry(block: StoredBlock, index: number): StoredBlock {
  const consenterMetadata = writeMessage(CommonMetadata, {
    value: Buffer.concat([field(1, Buffer.from([1, 2, 3])), field(2, 4), field(3, index)]),
  });
  const lastConfig = writeMessage(CommonLastConfig, { index: 0n });
  const value = writeMessage(CommonOrdererBlockMetadata, { lastConfig, consenterMetadata });
  return { ...block, metadata: [writeMessage(CommonMetadata, { value }), ...block.metadata.slice(1)] };
}

/** The program of a process that locks the content of a file as etcd does (F_OFD_SETLK), or as others do (F_SETLK), until its input ends. */
const LOCKER = `import fcntl,struct,sys
f=open(sys.argv[1],'r+b')
kind=37 if sys.argv[2]=='OFDLCK' else fcntl.F_SETLK
fcntl.fcntl(f,kind,struct.pack('hhqqi4x',fcntl.F_WRLCK,0,0,0,0))
print('locked',flush=True); sys.stdin.read()`;

/** Locks the content of a file by another process. */
export async function lockContent(path: string, kind: 'OFDLCK' | 'POSIX' = 'OFDLCK'): Promise<ChildProcess> {
  const holder = spawn('python3', ['-c', LOCKER, path, kind], { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(holder.stdout, 'data');
  return holder;
}
