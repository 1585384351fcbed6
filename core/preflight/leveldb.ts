// One value of a LevelDB database (Fabric's block index), read from its files while the database may be in use. Formats:
// github.com/syndtr/goleveldb, leveldb/journal and leveldb/table; the names below are names of the format.

import { closeSync, fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile } from '../common/files/regular-file.js';

/** More files than this are not searched: 4,000 tables have 8 GB. */
const MAX_FILES = 4000;
/** Largest log, and largest block of a table, in bytes. */
const MAX_SIZE = 64 * 1024 * 1024;
const LOG_BLOCK = 32_768;
const LOG_HEADER = 7;
const FOOTER = 48;
/** Type and checksum after each block of a table. */
const TRAILER = 5;

/** The value that was found, and its sequence number: the highest one is the newest. */
interface Version {
  readonly sequence: bigint;
  /** Undefined: deleted. */
  readonly value: Buffer | undefined;
}

/**
 * The newest value of a key.
 *
 * @returns null if there is none; undefined if the database does not exist, is too large or damaged
 */
export function levelDbValue(directory: string, key: string): Buffer | null | undefined {
  const name = Buffer.from(key);
  let newest: Version | undefined;
  try {
    const files = readdirSync(directory).filter((file) => /\.(?:log|ldb|sst)$/.test(file));
    if (files.length > MAX_FILES) return undefined;
    for (const file of files)
      for (const version of versionsIn(join(directory, file), name))
        if (newest === undefined || version.sequence >= newest.sequence) newest = version;
  } catch {
    return undefined;
  }
  return newest?.value ?? null;
}

function versionsIn(path: string, key: Buffer): Version[] {
  const descriptor = openRegularFile(path);
  try {
    const { size } = fstatSync(descriptor);
    const read = (start: number, length: number): Buffer => {
      if (length < 0 || length > MAX_SIZE) throw new RangeError('the file is too large');
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
    };
    return path.endsWith('.log') ? inLog(read(0, size), key) : inTable(read, size, key);
  } finally {
    closeSync(descriptor);
  }
}

function inLog(log: Buffer, key: Buffer): Version[] {
  const found: Version[] = [];
  let parts: Buffer[] = [];
  for (let at = 0; at + LOG_HEADER <= log.length;) {
    const left = LOG_BLOCK - (at % LOG_BLOCK);
    if (left < LOG_HEADER) {
      at += left;
      continue;
    }
    const length = log.readUInt16LE(at + 4);
    const type = log[at + 6]!;
    const data = log.subarray(at + LOG_HEADER, at + LOG_HEADER + length);
    at += LOG_HEADER + length;
    if (type === 0 || data.length < length) break;
    // Full, first, middle, last.
    parts = type === 1 || type === 2 ? [data] : [...parts, data];
    if (type === 1 || type === 4) found.push(...inBatch(Buffer.concat(parts), key));
  }
  return found;
}

function inBatch(batch: Buffer, key: Buffer): Version[] {
  const found: Version[] = [];
  const first = batch.readBigUInt64LE(0);
  const reader = new Reader(batch, 12);
  for (let index = 0n; !reader.isAtEnd; index++) {
    const isPut = reader.byte() === 1;
    const name = reader.bytes(reader.varint());
    const value = isPut ? reader.bytes(reader.varint()) : undefined;
    if (name.equals(key)) found.push({ sequence: first + index, value });
  }
  return found;
}

function inTable(read: (start: number, length: number) => Buffer, size: number, key: Buffer): Version[] {
  const footer = new Reader(read(size - FOOTER, FOOTER), 0);
  // The handle of the meta index, then the handle of the index.
  footer.varint();
  footer.varint();
  const index = readBlock(read, footer.varint(), footer.varint());
  const found: Version[] = [];
  for (const { name, value } of entriesOf(index)) {
    // The name is at or after the last key of its block.
    if (Buffer.compare(name.subarray(0, -8), key) < 0) continue;
    const handle = new Reader(value, 0);
    for (const entry of entriesOf(readBlock(read, handle.varint(), handle.varint()))) {
      if (!entry.name.subarray(0, -8).equals(key)) continue;
      const tag = entry.name.readBigUInt64LE(entry.name.length - 8);
      found.push({ sequence: tag >> 8n, value: (tag & 1n) === 1n ? entry.value : undefined });
    }
    if (Buffer.compare(name.subarray(0, -8), key) > 0) break;
  }
  return found;
}

function readBlock(read: (start: number, length: number) => Buffer, start: number, length: number): Buffer {
  const block = read(start, length + TRAILER);
  const data = block.subarray(0, length);
  return block[length] === 1 ? uncompressed(data) : data;
}

function entriesOf(block: Buffer): { readonly name: Buffer; readonly value: Buffer }[] {
  const restarts = block.readUInt32LE(block.length - 4);
  const reader = new Reader(block.subarray(0, block.length - 4 - 4 * restarts), 0);
  const entries: { name: Buffer; value: Buffer }[] = [];
  let before: Buffer = Buffer.alloc(0);
  while (!reader.isAtEnd) {
    const [shared, own, length] = [reader.varint(), reader.varint(), reader.varint()];
    before = Buffer.concat([before.subarray(0, shared), reader.bytes(own)]);
    entries.push({ name: before, value: reader.bytes(length) });
  }
  return entries;
}

/** Snappy (github.com/google/snappy, format_description.txt). */
function uncompressed(data: Buffer): Buffer {
  const reader = new Reader(data, 0);
  const length = reader.varint();
  if (length > MAX_SIZE) throw new RangeError('the block is too large');
  const out = Buffer.alloc(length);
  let at = 0;
  while (!reader.isAtEnd) {
    const tag = reader.byte();
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const count = (short < 60 ? short : reader.bytes(short - 59).readUIntLE(0, short - 59)) + 1;
      at += reader.bytes(count).copy(out, at);
      continue;
    }
    const count = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const width = kind === 3 ? 4 : kind;
    const offset = reader.bytes(width).readUIntLE(0, width) + (kind === 1 ? (tag >> 5) << 8 : 0);
    if (offset === 0 || offset > at) throw new RangeError('the block is damaged');
    // The copy may overlap what it copies.
    for (let left = count; left > 0 && at < length; left--, at++) out[at] = out[at - offset]!;
  }
  return out;
}

/** Reads one value after the other. */
export class Reader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError('the bytes end too early');
    return byte;
  }

  /** A number of up to 53 bits. */
  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('the number is too large');
    return value;
  }

  bytes(length: number): Buffer {
    const found = this.#bytes.subarray(this.#at, this.#at + length);
    if (found.length < length) throw new RangeError('the bytes end too early');
    this.#at += length;
    return found;
  }
}
