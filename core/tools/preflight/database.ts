// Checks whether goleveldb would open a database, and reads the state that its MANIFEST has: which tables belong to it (goleveldb:
// leveldb/storage/file_storage.go, `GetMeta`; leveldb/session.go, `recover`; leveldb/table/reader.go). A lost or damaged log is no error:
// goleveldb skips it.

import { closeSync, fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile, readRegularBytes } from '../../common/files/regular-file.js';
import { maskedCrc32c } from './crc32c.js';
import {
  FOOTER,
  handlesIn,
  indexHandle,
  journalRecords,
  Reader,
  TRAILER,
  type BlockHandle,
} from './leveldb.js';

/** Largest file CURRENT, in bytes; it has one line. */
const MAX_POINTER = 1024;
/** Largest MANIFEST that is read, in bytes. */
const MAX_MANIFEST = 16 * 1024 * 1024;
/** Bytes of the tables of a database whose checksums are verified. */
const MAX_VERIFIED = 32 * 1024 * 1024;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
const COMPARER = 'leveldb.BytewiseComparator';
/** Files of goleveldb. */
const OWN_FILE = /^(?:MANIFEST-\d+|\d+\.(?:log|ldb|sst|tmp))$/;

/**
 * Why goleveldb would not open a database, or would not read it, in its words; undefined: no reason was found. The directory may be missing
 * or empty: then it makes a new one.
 */
export function databaseProblem(directory: string): string | undefined {
  const names = namesIn(directory);
  if (names.length === 0) return undefined;
  const pointer = currentManifest(directory, names);
  if ('problem' in pointer) return pointer.problem;
  const state = readManifest(join(directory, pointer.manifest));
  if (state === undefined) return undefined;
  const missing = missingField(state);
  if (missing !== undefined)
    return `leveldb: manifest corrupted (field '${missing}'): missing [file=${pointer.manifest}]`;
  const files = new Set(names);
  let left = MAX_VERIFIED;
  for (const { number, size } of state.tables.values()) {
    const name = ['ldb', 'sst'].map((end) => `${number}.${end}`).find((each) => files.has(each));
    if (name === undefined) return 'file missing';
    const problem = tableProblem(join(directory, name), size, left);
    if (problem !== undefined) return `leveldb/table: corruption on ${problem} [file=${name}]`;
    left -= size;
  }
  return undefined;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * The MANIFEST that goleveldb uses: the one of `CURRENT`, else of `CURRENT.bak`; or of the newest `CURRENT.<number>`, which is left if a rename
 * did not happen, if that is a newer one.
 */
function currentManifest(
  directory: string,
  names: readonly string[],
): { readonly manifest: string } | { readonly problem: string } {
  const pending = names
    .filter((name) => /^CURRENT\.\d+$/.test(name))
    .toSorted((one, other) => Number(other.slice(8)) - Number(one.slice(8)));
  let isCorrupted = false;
  const usable = (pointers: readonly string[]): string | undefined => {
    for (const pointer of pointers) {
      if (!names.includes(pointer)) continue;
      const manifest = /^(MANIFEST-\d+)\n$/.exec(textOf(join(directory, pointer)))?.[1];
      if (manifest === undefined) isCorrupted = true;
      else if (names.includes(manifest)) return manifest;
    }
    return undefined;
  };
  const numberOf = (manifest: string | undefined): number =>
    Number(manifest?.slice('MANIFEST-'.length) ?? -1);
  const [renamed, current] = [usable(pending), usable(['CURRENT', 'CURRENT.bak'])];
  const manifest = numberOf(renamed) > numberOf(current) ? renamed : current;
  if (manifest !== undefined) return { manifest };
  if (isCorrupted) return { problem: 'leveldb/storage: corrupted or incomplete CURRENT file' };
  return {
    problem: names.some((name) => OWN_FILE.test(name))
      ? 'database entry point either missing or corrupted'
      : 'file does not exist',
  };
}

function textOf(path: string): string {
  try {
    return readRegularBytes(path, MAX_POINTER).toString('latin1');
  } catch {
    return '';
  }
}

/** A table of a database. */
interface Table {
  /** In the name of its file. */
  readonly number: string;
  /** In bytes. */
  readonly size: number;
}

/** The state in a MANIFEST. */
interface State {
  /** The fields that were found, in the words of goleveldb. */
  readonly fields: ReadonlySet<string>;
  readonly tables: ReadonlyMap<string, Table>;
}

/** The fields that a MANIFEST must have, in the order in which goleveldb checks them. */
const FIELDS = ['comparer', 'next-file-num', 'journal-file-num', 'seq-num'] as const;

const missingField = ({ fields }: State): string | undefined => FIELDS.find((name) => !fields.has(name));

/** Reads a MANIFEST; undefined if it is too large or cannot be read. */
function readManifest(path: string): State | undefined {
  let bytes: Buffer;
  try {
    bytes = readRegularBytes(path, MAX_MANIFEST);
  } catch {
    return undefined;
  }
  const fields = new Set<string>();
  const tables = new Map<string, Table>();
  for (const record of journalRecords(bytes, true)) {
    const changes: (() => void)[] = [];
    try {
      readChange(new Reader(record, 0), fields, tables, changes);
    } catch {
      // Goleveldb skips a damaged record, and keeps the fields before the damage.
      continue;
    }
    for (const change of changes) change();
  }
  return { fields, tables };
}

/** Reads a record of a MANIFEST (leveldb/session_record.go, `decode`). @param changes of the tables, which only count if the record is complete */
function readChange(
  reader: Reader,
  fields: Set<string>,
  tables: Map<string, Table>,
  changes: (() => void)[],
): void {
  const bytes = (): Buffer => reader.bytes(reader.varint());
  while (!reader.isAtEnd) {
    const field = reader.varint();
    if (field === 1) {
      if (bytes().toString('latin1') === COMPARER) fields.add('comparer');
    } else if (field === 2) {
      reader.varint();
      fields.add('journal-file-num');
    } else if (field === 3) {
      reader.varint();
      fields.add('next-file-num');
    } else if (field === 4) {
      reader.varint();
      fields.add('seq-num');
    } else if (field === 5) {
      reader.varint();
      bytes();
    } else if (field === 6) {
      const key = `${reader.varint()} ${reader.varint()}`;
      changes.push(() => tables.delete(key));
    } else if (field === 7) {
      const [level, number, size] = [reader.varint(), reader.varint(), reader.varint()];
      bytes();
      bytes();
      changes.push(() => tables.set(`${level} ${number}`, { number: String(number).padStart(6, '0'), size }));
    } else if (field === 9) reader.varint();
  }
}

/**
 * What is damaged in a table, in the words of goleveldb; undefined if nothing was found.
 *
 * @param size that the MANIFEST has
 * @param limit most bytes of its blocks that are verified
 */
function tableProblem(path: string, size: number, limit: number): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openRegularFile(path);
    return problemIn(descriptor, size, limit);
  } catch {
    // Not readable for this user, which is another cause, or damaged so that its length is not known.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function problemIn(descriptor: number, size: number, limit: number): string | undefined {
  const read = (start: number, length: number): Buffer => {
    if (length > MAX_VERIFIED) throw new RangeError('the block is too large');
    const bytes = Buffer.alloc(length);
    readSync(descriptor, bytes, 0, length, start);
    return bytes;
  };
  const footer = read(Math.max(0, size - FOOTER), FOOTER);
  if (size > fstatSync(descriptor).size || !footer.subarray(FOOTER - MAGIC.length).equals(MAGIC))
    return `table-footer (pos=${size - FOOTER}): bad magic number`;
  let left = limit;
  const damage = (what: string, { start, length }: BlockHandle): string | undefined => {
    left -= length;
    if (left < 0) return undefined;
    const stored = read(start, length + TRAILER);
    // The type is before the checksum.
    return stored.readUInt32LE(length + 1) === maskedCrc32c(stored.subarray(0, length + 1))
      ? undefined
      : `${what} (pos=${start}): checksum mismatch`;
  };
  const index = indexHandle(footer);
  const found = damage('index-block', index);
  if (found !== undefined || left < 0) return found;
  for (const handle of handlesIn(read(index.start, index.length + TRAILER), (length) => length)) {
    const problem = damage('data-block', handle);
    if (problem !== undefined) return problem;
    if (left < 0) break;
  }
  return undefined;
}
