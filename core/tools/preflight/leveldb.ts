// Reads values of a LevelDB database, such as Fabric's block index, from its files, while the database may be in use. Formats:
// github.com/syndtr/goleveldb, leveldb/journal and leveldb/table; the names below are from the formats.

import { closeSync, fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile } from '../../common/files/regular-file.js';
import { maskedCrc32c } from './crc32c.js';

/** More files than this are not searched: 4,000 tables have 8 GB. */
const MAX_FILES = 4000;
/** Largest log, and largest block of a table, in bytes. */
const MAX_SIZE = 64 * 1024 * 1024;
/** Most bytes that are read for one value; decompressed bytes count as well. */
const MAX_READ = 128 * 1024 * 1024;
const LOG_BLOCK = 32_768;
const LOG_HEADER = 7;
export const FOOTER = 48;
/** Type and checksum after each block of a table. */
export const TRAILER = 5;
/** Sequence number and type after each key of a table. */
const TAG = 8;

/** The entries that are read: of one key, or of all keys with a beginning or an end, in Latin-1. */
type WantedKeys = { readonly key: string } | { readonly prefix: string } | { readonly suffix: string };

/**
 * The newest value of a key.
 *
 * @returns null if there is none; undefined as for {@link levelDbEntries}
 */
export function levelDbValue(directory: string, key: string): Buffer | null | undefined {
  const entries = levelDbEntries(directory, { key });
  return entries && (entries.get(key) ?? null);
}

/**
 * The newest values by key, without the deleted ones. The work is proportional to the bytes that are read, and the memory to the largest log
 * or block.
 *
 * @returns undefined if the database does not exist, is too large or damaged
 */
export function levelDbEntries(
  directory: string,
  wanted: WantedKeys,
): ReadonlyMap<string, Buffer> | undefined {
  const search = new Search(wanted);
  try {
    const files = readdirSync(directory).filter((file) => /\.(?:log|ldb|sst)$/.test(file));
    if (files.length > MAX_FILES) return undefined;
    for (const file of files) search.file(join(directory, file));
  } catch {
    return undefined;
  }
  return search.newest;
}

/** Part of the bytes of a file. */
type ReadPart = (start: number, length: number) => Buffer;

/** The search for keys in the files of a database. */
class Search {
  /** The only key; undefined: all with {@link Search.#part}. */
  readonly #key: Buffer | undefined;
  readonly #part: Buffer;
  readonly #isSuffix: boolean;
  /** The value with the highest sequence number of each key; null: it is deleted. */
  readonly #found = new Map<string, { readonly sequence: bigint; readonly value: Buffer | null }>();
  /** Bytes that may still be read. */
  #left = MAX_READ;

  constructor(wanted: WantedKeys) {
    const part = 'key' in wanted ? wanted.key : 'prefix' in wanted ? wanted.prefix : wanted.suffix;
    this.#part = Buffer.from(part, 'latin1');
    this.#key = 'key' in wanted ? this.#part : undefined;
    this.#isSuffix = 'suffix' in wanted;
  }

  get newest(): ReadonlyMap<string, Buffer> {
    return new Map([...this.#found].flatMap(([key, { value }]) => (value === null ? [] : [[key, value]])));
  }

  /** Whether the bytes of a name are wanted. */
  #isWanted(source: Buffer, start: number, end: number): boolean {
    const part = this.#part;
    if (end - start < part.length || (this.#key !== undefined && end - start > part.length)) return false;
    const from = this.#isSuffix ? end - part.length : start;
    return part.compare(source, from, from + part.length) === 0;
  }

  file(path: string): void {
    const descriptor = openRegularFile(path);
    try {
      const { size } = fstatSync(descriptor);
      const read: ReadPart = (start, length) => {
        const bytes = Buffer.alloc(this.#allow(length));
        return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
      };
      if (path.endsWith('.log')) this.#log(read(0, size));
      else this.#table(read, size);
    } finally {
      closeSync(descriptor);
    }
  }

  #allow(length: number): number {
    if (length < 0 || length > MAX_SIZE) throw new RangeError('the file is too large');
    this.#left -= length;
    if (this.#left < 0) throw new RangeError('the files are too large');
    return length;
  }

  /** @param value a part of a larger buffer, which must not be kept */
  #add(key: string, sequence: bigint, value: Buffer | null): void {
    if (sequence < (this.#found.get(key)?.sequence ?? 0n)) return;
    this.#found.set(key, { sequence, value: value === null ? null : Buffer.from(value) });
  }

  #log(log: Buffer): void {
    for (const batch of journalRecords(log)) this.#batch(batch);
  }

  #batch(batch: Buffer): void {
    const first = batch.readBigUInt64LE(0);
    const reader = new Reader(batch, 12);
    for (let index = 0; !reader.isAtEnd; index++) {
      const isPut = reader.byte() === 1;
      const length = reader.varint();
      const name = reader.skip(length);
      const isWanted = this.#isWanted(batch, name, name + length);
      const size = isPut ? reader.varint() : 0;
      const value = reader.skip(size);
      if (!isWanted) continue;
      const key = batch.toString('latin1', name, name + length);
      this.#add(key, first + BigInt(index), isPut ? batch.subarray(value, value + size) : null);
    }
  }

  #table(read: ReadPart, size: number): void {
    const index = this.#block(read, indexHandle(read(size - FOOTER, FOOTER)));
    for (const entries = new Entries(index); entries.next();) {
      // The name is at or after the last key of its block.
      const order = this.#key === undefined ? 0 : entries.compare(this.#key);
      if (order < 0) continue;
      this.#entries(this.#block(read, handleIn(new Reader(entries.value, 0))));
      if (order > 0) return;
    }
  }

  #entries(block: Buffer): void {
    for (const entries = new Entries(block); entries.next();) {
      const { name, end } = entries;
      if (!this.#isWanted(name, 0, end)) continue;
      const { tag } = entries;
      this.#add(name.toString('latin1', 0, end), tag >> 8n, (tag & 1n) === 1n ? entries.value : null);
    }
  }

  #block(read: ReadPart, { start, length }: BlockHandle): Buffer {
    return contentOf(read(start, length + TRAILER), (size) => this.#allow(size));
  }
}

/**
 * The records of a log or a MANIFEST, in order. A record of several parts is joined in the buffer of the log: each part is moved to the end
 * of the previous one. The rest of a block of 32 KiB is skipped after zeros, and, if checksums are verified, after a damaged part.
 */
export function* journalRecords(log: Buffer, isVerified = false): Generator<Buffer> {
  /** The start of the record; -1: its first part is missing. */
  let start = -1;
  let end = 0;
  for (let at = 0; at + LOG_HEADER <= log.length;) {
    const left = LOG_BLOCK - (at % LOG_BLOCK);
    const length = log.readUInt16LE(at + 4);
    // Types: full, first, middle, last.
    const type = log[at + 6]!;
    const data = at + LOG_HEADER;
    if (left < LOG_HEADER || type === 0 || (isVerified && !isIntact(log, at, data + length))) {
      at += left;
      start = left < LOG_HEADER ? start : -1;
      continue;
    }
    at = data + length;
    if (at > log.length) return;
    if (type === 1 || type === 2) [start, end] = [data, data];
    if (start < 0) continue;
    log.copyWithin(end, data, at);
    end += length;
    if (type !== 1 && type !== 4) continue;
    yield log.subarray(start, end);
    start = -1;
  }
}

/** Whether a part of a record has its checksum, which is before its length and its type. */
const isIntact = (log: Buffer, start: number, end: number): boolean =>
  log.readUInt32LE(start) === maskedCrc32c(log.subarray(start + 6, end));

/** The position and the length of a block of a table. */
export interface BlockHandle {
  readonly start: number;
  readonly length: number;
}

/** Reads a handle: two numbers. */
const handleIn = (reader: Reader): BlockHandle => ({ start: reader.varint(), length: reader.varint() });

/** The handle of the index in the footer of a table, after the handle of the meta index. */
export function indexHandle(footer: Buffer): BlockHandle {
  const reader = new Reader(footer, 0);
  handleIn(reader);
  return handleIn(reader);
}

/** The handles of the blocks in an index. @param index as stored, with its trailer @param allow checks its length */
export function* handlesIn(index: Buffer, allow: (length: number) => number): Generator<BlockHandle> {
  for (const entries = new Entries(contentOf(index, allow)); entries.next();)
    yield handleIn(new Reader(entries.value, 0));
}

/** The content of a block. @param stored with its trailer */
function contentOf(stored: Buffer, allow: (length: number) => number): Buffer {
  const data = stored.subarray(0, Math.max(0, stored.length - TRAILER));
  return stored[data.length] === 1 ? uncompressed(data, allow) : data;
}

/** The entries of a block of a table, in order. The name of an entry shares its beginning with the previous name. */
class Entries {
  readonly #reader: Reader;
  /** The key of the entry ends at {@link end}. */
  readonly name: Buffer;
  /** The length of the name, with its tag. */
  #length = 0;
  #value = { start: 0, length: 0 };

  constructor(block: Buffer) {
    const restarts = block.readUInt32LE(block.length - 4);
    const end = block.length - 4 - 4 * restarts;
    if (end < 0) throw new RangeError('the block is damaged');
    this.#reader = new Reader(block.subarray(0, end), 0);
    // No name is longer than the block.
    this.name = Buffer.alloc(end);
  }

  /** Reads the next entry, if there is one. */
  next(): boolean {
    const reader = this.#reader;
    if (reader.isAtEnd) return false;
    const [shared, own, length] = [reader.varint(), reader.varint(), reader.varint()];
    if (shared > this.#length) throw new RangeError('the block is damaged');
    const start = reader.skip(own);
    reader.source.copy(this.name, shared, start, start + own);
    this.#length = shared + own;
    this.#value = { start: reader.skip(length), length };
    return true;
  }

  /** Compares the key of the entry with another one. */
  compare(key: Buffer): number {
    return -key.compare(this.name, 0, this.end);
  }

  get end(): number {
    return Math.max(0, this.#length - TAG);
  }

  /** The sequence number and the type. */
  get tag(): bigint {
    return this.name.readBigUInt64LE(this.#length - TAG);
  }

  get value(): Buffer {
    const { start, length } = this.#value;
    return this.#reader.source.subarray(start, start + length);
  }
}

/** Snappy (github.com/google/snappy, format_description.txt). @param allow checks the length */
function uncompressed(data: Buffer, allow: (length: number) => number): Buffer {
  const reader = new Reader(data, 0);
  const length = allow(reader.varint());
  const out = Buffer.alloc(length);
  let at = 0;
  while (!reader.isAtEnd) {
    const tag = reader.byte();
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const count = (short < 60 ? short : reader.bytes(short - 59).readUIntLE(0, short - 59)) + 1;
      const from = reader.skip(count);
      at += data.copy(out, at, from, from + count);
      continue;
    }
    const count = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const width = kind === 3 ? 4 : kind;
    const offset = reader.bytes(width).readUIntLE(0, width) + (kind === 1 ? (tag >> 5) << 8 : 0);
    if (offset === 0 || offset > at) throw new RangeError('the block is damaged');
    // The source of the copy may overlap its target.
    for (let left = count; left > 0 && at < length; left--, at++) out[at] = out[at - offset]!;
  }
  return out;
}

/** Reads values in order. */
export class Reader {
  readonly source: Buffer;
  #at: number;

  constructor(source: Buffer, at: number) {
    this.source = source;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.source.length;
  }

  byte(): number {
    const byte = this.source[this.#at++];
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
    const start = this.skip(length);
    return this.source.subarray(start, start + length);
  }

  /** Skips bytes and returns their position: many small buffers would be slow. */
  skip(length: number): number {
    const start = this.#at;
    if (length > this.source.length - start) throw new RangeError('the bytes end too early');
    this.#at += length;
    return start;
  }
}
