// Reads the block files of a channel of an orderer or a peer, without the node, which may be running and writing.

import { is, requireTypes } from '../../proto/arguments.js';
import { closeSync, fstatSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describeSystemError } from '../../core/common/text/system-error.js';
import { openRegularFile } from '../../core/common/files/regular-file.js';
import { sameBytes } from '../../proto/bytes.js';
import { TranslateError, attempt, withPrefix } from '../../proto/errors.js';
import { blockPositions, firstNumber, type BlockPositions, type Read } from './block-file.js';
import {
  blockHash,
  hasItsData,
  lastConfigOf,
  isConfigBlock,
  parseStoredBlock,
  type Position,
  type StoredBlock,
} from './stored-block.js';

const BLOCK_FILE = /^blockfile_(\d{6,10})$/;
/** The maximum size of a block, in bytes. A gRPC message has at most 100 MB. */
const MAX_BLOCK_SIZE = 256 * 1024 * 1024;
/** The folders with the folders of channels, below the folder of an orderer and of a peer. */
const CHANNELS = ['chains', 'ledgersData/chains/chains'];
/** The file next to the blocks of a peer that joined with a snapshot. */
const SNAPSHOT_INFO = 'bootstrappingSnapshot.info';

/** A position in a file of a ledger. */
interface LedgerEnd {
  readonly path: string;
  /** In bytes. */
  readonly offset: number;
}

/** The blocks of a channel. Later additions to a file are not seen after its first read. */
export class Ledger {
  readonly #directory: string;
  /** The files with a complete block, in their order. */
  readonly #files: readonly BlockFile[];
  /** The file that was searched last. */
  #searched: BlockFile | undefined;
  /** The number of the first block: 0, or the first one after a snapshot. */
  readonly first: bigint;
  /** The number of the newest complete block. */
  readonly newest: bigint;

  private constructor(directory: string, files: readonly BlockFile[], isSnapshot: boolean) {
    this.#directory = directory;
    this.#files = files.slice(0, files.findLastIndex((file) => firstIn(file) !== undefined) + 1);
    const [oldest, last] = [this.#files[0], this.#files.at(-1)];
    if (oldest === undefined || last === undefined) {
      const why = isSnapshot
        ? 'the peer joined with a snapshot and has received no block since'
        : 'no block is complete';
      throw new TranslateError('BAD_LEDGER', `${directory} has no block: ${why}`);
    }
    this.first = this.#firstOf(oldest);
    this.newest = this.#firstOf(last) + BigInt(last.positions.starts.length) - 1n;
  }

  /**
   * Opens the folder of a channel. Only its last file is searched.
   *
   * @throws TranslateError BAD_LEDGER if there is no complete block, or if it cannot be read
   */
  static open(directory: string): Ledger {
    requireTypes({ directory }, { directory: is.text });
    const names = onFile(directory, () => readdirSync(directory));
    const files = names
      .filter((name) => BLOCK_FILE.test(name))
      .toSorted()
      .map((name) => new BlockFile(join(directory, name)));
    if (files.length === 0) throw notALedger(directory);
    return new Ledger(directory, files, names.includes(SNAPSHOT_INFO));
  }

  /** The position after its newest complete block. */
  get end(): LedgerEnd {
    const { path, positions } = this.#files.at(-1)!;
    return { path, offset: positions.ends.at(-1)! };
  }

  /** Reads a block. @throws TranslateError BAD_LEDGER if it does not exist, BAD_BLOCK if it is damaged */
  read(number: bigint): StoredBlock {
    if (number < this.first || number > this.newest)
      throw new TranslateError(
        'BAD_LEDGER',
        `${this.#directory} has the blocks ${this.first} to ${this.newest}, not block ${number}${this.first > 0n ? ': the peer joined with a snapshot' : ''}`,
      );
    const file = this.#fileOf(number);
    const block = onFile(file.path, () => parse(file, Number(number - this.#firstOf(file))));
    if (block.number !== number)
      throw new TranslateError(
        'BAD_LEDGER',
        `${file.path} has block ${block.number} in place of block ${number}`,
      );
    if (!hasItsData(block))
      throw this.#damaged(`block ${number} of channel ${this.#channel} does not match its hash`, number);
    return block;
  }

  /** Reads a block by number, or the newest or oldest one. @throws TranslateError BAD_LEDGER */
  block(position: Position): StoredBlock {
    if (typeof position === 'bigint') return this.read(position);
    return this.read(position === 'newest' ? this.newest : this.first);
  }

  /** The newest config block. @throws TranslateError BAD_LEDGER */
  newestConfig(): StoredBlock {
    return this.#config(this.read(this.newest));
  }

  /**
   * The config blocks, newest first, down to block 0 or to a snapshot. Each one must contain the hash of the block before it.
   *
   * @throws TranslateError BAD_BLOCK if a block is damaged, BAD_LEDGER
   */
  *configs(): Generator<StoredBlock> {
    for (let block = this.newestConfig(); ;) {
      yield block;
      if (block.number <= this.first) return;
      const before = this.read(block.number - 1n);
      if (!sameBytes(block.previousHash, blockHash(before)))
        throw this.#damaged(
          `block ${block.number} of channel ${this.#channel} does not have the hash of block ${before.number}; one of the two was changed`,
          block.number,
        );
      if (this.#lastConfig(before) < this.first) return;
      block = this.#config(before);
    }
  }

  /** The file with a block, by bisection. */
  #fileOf(number: bigint): BlockFile {
    let [low, high] = [0, this.#files.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#firstOf(this.#files[middle]!) <= number) low = middle;
      else high = middle - 1;
    }
    const [file, next] = [this.#files[low]!, this.#files[low + 1]];
    // A ledger can have a thousand files with ten thousand blocks each.
    if (this.#searched !== file && this.#searched !== this.#files.at(-1)) this.#searched?.forget();
    this.#searched = file;
    const { starts, rest } = onFile(file.path, () => file.positions);
    if (
      next !== undefined &&
      (rest > 0 || this.#firstOf(file) + BigInt(starts.length) !== this.#firstOf(next))
    )
      throw new TranslateError(
        'BAD_LEDGER',
        `${file.path} does not have all blocks before the first one of ${next.path}`,
      );
    return file;
  }

  #firstOf(file: BlockFile): bigint {
    const first = firstIn(file);
    if (first === undefined)
      throw new TranslateError(
        'BAD_LEDGER',
        `${file.path} has no complete block, although another file follows`,
      );
    return first;
  }

  /** The newest config block at or before a block. */
  #config(block: StoredBlock): StoredBlock {
    const { number } = block;
    const last = this.#lastConfig(block);
    if (last === number) return block;
    if (last < this.first)
      throw new TranslateError(
        'BAD_LEDGER',
        `${this.#directory} begins with block ${this.first}, because the peer joined with a snapshot; the newest config block is ${last}: fetch it from an orderer`,
      );
    const config = this.read(last);
    if (!isConfigBlock(config))
      throw new TranslateError(
        'BAD_LEDGER',
        `${this.#directory}: block ${last} is not a config block, although block ${number} names it as one`,
      );
    return config;
  }

  #damaged(what: string, number: bigint): TranslateError {
    return new TranslateError('BAD_BLOCK', `${what}: ${this.#fileOf(number).path} is damaged`);
  }

  get #channel(): string {
    return basename(this.#directory);
  }

  #lastConfig(block: StoredBlock): bigint {
    const last = lastConfigOf(block);
    if (last > block.number)
      throw new TranslateError(
        'BAD_LEDGER',
        `${this.#directory}: block ${block.number} names block ${last} as the config block before it`,
      );
    return last;
  }
}

/** A file with blocks. It is opened for each read, because a channel can have more files than a process may have open. */
export class BlockFile {
  readonly path: string;
  readonly #start: number;
  #size: number | undefined;
  #first: bigint | undefined;
  #positions: BlockPositions | undefined;

  /** @param start the position of the first block to find */
  constructor(path: string, start = 0) {
    this.path = path;
    this.#start = start;
  }

  /** The number of the first block; undefined if no block is complete. @throws TranslateError BAD_LEDGER, or the error of the system call */
  get first(): bigint | undefined {
    return (this.#first ??= this.#open(firstNumber));
  }

  /** The positions of the blocks at the time of the first call. @throws TranslateError BAD_LEDGER, or the error of the system call */
  get positions(): BlockPositions {
    return (this.#positions ??= this.#open((read, size) => blockPositions(read, size, this.#start)));
  }

  /** Drops the cached positions. */
  forget(): void {
    this.#positions = undefined;
  }

  /** The bytes of a block. @param index in this file */
  read(index: number): Uint8Array {
    const { starts, ends } = this.positions;
    return this.#open((read) => read(starts[index]!, ends[index]!));
  }

  /** Opens the file for a call. Data written after the first call are not read. */
  #open<Result>(call: (read: Read, size: number) => Result): Result {
    const descriptor = openRegularFile(this.path);
    try {
      const size = (this.#size ??= fstatSync(descriptor).size);
      return withPrefix(this.path, () =>
        call((start, end, buffer) => bytesOf(descriptor, start, end, buffer), size),
      );
    } finally {
      closeSync(descriptor);
    }
  }
}

function bytesOf(descriptor: number, start: number, end: number, buffer: Uint8Array | undefined): Uint8Array {
  if (end - start > MAX_BLOCK_SIZE)
    throw new TranslateError(
      'TOO_LARGE',
      `there is a block of ${end - start} bytes, at most ${MAX_BLOCK_SIZE} are read`,
    );
  const bytes = buffer?.subarray(0, end - start) ?? new Uint8Array(end - start);
  for (let done = 0; done < bytes.length;) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, start + done);
    if (count === 0) throw new TranslateError('BAD_LEDGER', 'it became shorter while it was read');
    done += count;
  }
  return bytes;
}

const firstIn = (file: BlockFile): bigint | undefined => onFile(file.path, () => file.first);

/** Reads a block of a file. @param index in `positions` @throws TranslateError BAD_BLOCK if it is damaged, BAD_LEDGER */
export function parse(file: BlockFile, index: number): StoredBlock {
  return attempt(
    () => parseStoredBlock(file.read(index)),
    (error): never => {
      if (error.code !== 'BAD_BYTES') throw error;
      const start = file.positions.starts[index]!;
      throw new TranslateError(
        'BAD_BLOCK',
        `${file.path}: there is no block at byte ${start}: ${error.message}`,
        '',
        start,
      );
    },
  );
}

/** The error for a folder without block files, with advice. */
function notALedger(directory: string): TranslateError {
  const channels = CHANNELS.flatMap((below) => channelsIn(join(directory, below)));
  const found = channels.length > 0 ? channels : channelsIn(directory);
  const advice =
    found.length === 0
      ? 'the folder of a channel has the file blockfile_000000'
      : `name one channel: ${found.slice(0, 20).join(', ')}${found.length > 20 ? ` and ${found.length - 20} more` : ''}`;
  return new TranslateError('BAD_LEDGER', `${directory} is not the ledger of a channel; ${advice}`);
}

function channelsIn(directory: string): string[] {
  try {
    return channelFolders(directory);
  } catch {
    return [];
  }
}

/** The folders of channels in a directory, sorted. @throws the error of the system call */
function channelFolders(directory: string): string[] {
  return readdirSync(directory)
    .toSorted()
    .map((name) => join(directory, name))
    .filter((path) => statSync(join(path, 'blockfile_000000'), { throwIfNoEntry: false }) !== undefined);
}

/**
 * The folders of the channels of a node, sorted; each has the name of its channel.
 *
 * @param directory `FileLedger.Location` of an orderer, or `peer.fileSystemPath`
 * @throws TranslateError BAD_LEDGER if there is no ledger, or if it cannot be read
 */
export function channelFoldersOf(directory: string): readonly string[] {
  requireTypes({ directory }, { directory: is.text });
  for (const below of CHANNELS) {
    const path = join(directory, below);
    if (onFile(path, () => statSync(path, { throwIfNoEntry: false })) !== undefined)
      return onFile(path, () => channelFolders(path));
  }
  throw new TranslateError(
    'BAD_LEDGER',
    `${directory} is not the ledger folder of a node: it has none of ${CHANNELS.join(', ')}`,
  );
}

/** Runs a system call; the error of a missing permission names the owner of the file. @throws TranslateError BAD_LEDGER */
export function onFile<Result>(path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (error instanceof TranslateError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new TranslateError(
      'BAD_LEDGER',
      `open ${path}: ${describeSystemError(error)}${code === 'EACCES' ? ownerOf(path) : ''}`,
    );
  }
}

const MODE_BITS = 0o7777;

function ownerOf(path: string): string {
  try {
    const { uid, gid, mode } = statSync(path);
    const rights = (mode & MODE_BITS).toString(8).padStart(4, '0');
    return `; it belongs to user ${uid} and group ${gid}, and its mode is ${rights}: run this as that user, or in its group`;
  } catch {
    return '; run this as the user of the node, or in its group';
  }
}
