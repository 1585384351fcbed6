// A LevelDB database as goleveldb writes it: CURRENT, a MANIFEST, and a log with a batch.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskedCrc32c } from '../../core/tools/preflight/crc32c.js';

/** A number in 7-bit groups, as LevelDB and protobuf write it. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0));
    if (rest < 128) return Buffer.from(bytes);
  }
}

/** Bytes after their length. */
export const sized = (bytes: Uint8Array | string): Buffer =>
  Buffer.concat([varint(bytes.length), typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes]);

/** A complete record of a log, with its checksum. */
export function logRecord(data: Uint8Array): Buffer {
  const frame = Buffer.alloc(7);
  frame.writeUInt16LE(data.length, 4);
  frame[6] = 1;
  frame.writeUInt32LE(maskedCrc32c(Buffer.concat([frame.subarray(6), data])));
  return Buffer.concat([frame, data]);
}

/** A table that belongs to a database. */
export interface ManifestTable {
  readonly number: number;
  readonly size: number;
}

/** The fields of a MANIFEST: comparer, number of the log, next number, sequence number, and the tables. */
export const manifestFields = (tables: readonly ManifestTable[] = []): Buffer[] => [
  Buffer.concat([varint(1), sized('leveldb.BytewiseComparator')]),
  Buffer.concat([varint(2), varint(2)]),
  Buffer.concat([varint(3), varint(9)]),
  Buffer.concat([varint(4), varint(0)]),
  ...tables.map(({ number, size }) =>
    Buffer.concat([varint(7), varint(0), varint(number), varint(size), sized('a'), sized('z')]),
  ),
];

export const MANIFEST = logRecord(Buffer.concat(manifestFields()));

/** Writes a database with some values; a key is in Latin-1. */
export function writeDatabase(directory: string, values: Readonly<Record<string, Uint8Array>>): void {
  const entries = Object.entries(values);
  const head = Buffer.alloc(12);
  head.writeUInt32LE(entries.length, 8);
  const puts = entries.map(([key, value]) => Buffer.concat([Buffer.from([1]), sized(key), sized(value)]));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'CURRENT'), 'MANIFEST-000001\n');
  writeFileSync(join(directory, 'MANIFEST-000001'), MANIFEST);
  writeFileSync(join(directory, '000002.log'), logRecord(Buffer.concat([head, ...puts])));
}
