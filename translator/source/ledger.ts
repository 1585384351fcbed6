// A channel's folder of blocks of an orderer or a peer, read without the node, which may run and write meanwhile.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeSystemError } from '../../core/common/text/system-error.js';
import { TranslateError } from '../../proto/errors.js';
import { BlockFile } from './block-file.js';
import {
  hasItsData,
  lastConfigOf,
  isConfigBlock,
  parseStoredBlock,
  type StoredBlock,
} from './stored-block.js';

const BLOCK_FILE = /^blockfile_(\d{6,10})$/;
/** Where the folders of channels are below the folder of an orderer, and of a peer. */
const CHANNELS = ['chains', 'ledgersData/chains/chains'];
/** A peer that joined with a snapshot has this file beside its blocks. */
const SNAPSHOT_INFO = 'bootstrappingSnapshotInfo';

/** The blocks of a channel. */
export class Ledger {
  readonly #directory: string;
  readonly #files: readonly BlockFile[];
  /** The numbers of the first blocks of the files. */
  readonly #firsts: readonly bigint[];

  private constructor(directory: string, files: readonly BlockFile[], firsts: readonly bigint[]) {
    this.#directory = directory;
    this.#files = files;
    this.#firsts = firsts;
  }

  /**
   * Opens the folder of a channel, as of now. Call `close` at the end.
   *
   * @throws TranslateError BAD_LEDGER if there is no complete block, or if it cannot be read
   */
  static open(directory: string): Ledger {
    const names = onFile(directory, () => readdirSync(directory));
    const paths = names
      .filter((name) => BLOCK_FILE.test(name))
      .toSorted()
      .map((name) => join(directory, name));
    if (paths.length === 0) throw notALedger(directory);
    const files: BlockFile[] = [];
    try {
      for (const path of paths) files.push(onFile(path, () => new BlockFile(path)));
      const [used, firsts] = withBlocks(directory, files, names.includes(SNAPSHOT_INFO));
      return new Ledger(directory, used, firsts);
    } catch (error) {
      for (const file of files) file.close();
      throw error;
    }
  }

  /** The number of the first block: 0, or that after a snapshot. */
  get first(): bigint {
    return this.#firsts[0]!;
  }

  /** The number of the newest complete block. */
  get newest(): bigint {
    return this.#firsts.at(-1)! + BigInt(this.#files.at(-1)!.positions.starts.length) - 1n;
  }

  /** Reads a block. @throws TranslateError BAD_LEDGER if it is not there, or damaged */
  read(number: bigint): StoredBlock {
    const at = this.#firsts.findLastIndex((first) => first <= number);
    const file = this.#files[at];
    const index = at === -1 ? -1 : Number(number - this.#firsts[at]!);
    if (file === undefined || index >= file.positions.starts.length)
      throw new TranslateError(
        'BAD_LEDGER',
        `${this.#directory} has the blocks ${this.first} to ${this.newest}, not block ${number}${this.first > 0n ? ': the peer joined with a snapshot' : ''}`,
      );
    const block = parse(file, index);
    if (block.number !== number)
      throw new TranslateError(
        'BAD_LEDGER',
        `${file.path} has block ${block.number} in place of block ${number}`,
      );
    if (!hasItsData(block))
      throw new TranslateError(
        'BAD_LEDGER',
        `${file.path}: the data of block ${number} are not those that its header has the hash of`,
      );
    return block;
  }

  /** The newest config block. @throws TranslateError BAD_LEDGER */
  newestConfig(): StoredBlock {
    return this.#config(this.newest);
  }

  /**
   * The config blocks, newest first, up to the first one or to the snapshot.
   *
   * @throws TranslateError BAD_LEDGER
   */
  *configs(): Generator<StoredBlock> {
    for (let block = this.newestConfig(); ; block = this.#config(block.number - 1n)) {
      yield block;
      if (block.number <= this.first) return;
      const last = this.#lastConfig(this.read(block.number - 1n));
      if (last < this.first) return;
    }
  }

  close(): void {
    for (const file of this.#files) file.close();
  }

  /** The newest config block at or before a block. */
  #config(number: bigint): StoredBlock {
    const block = this.read(number);
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
        `${this.#directory}: block ${last} is not a config block, although block ${number} says so`,
      );
    return config;
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

/** The files that have a complete block, with the numbers of their first ones. Closes the others. */
function withBlocks(
  directory: string,
  files: readonly BlockFile[],
  isSnapshot: boolean,
): readonly [BlockFile[], bigint[]] {
  const last = files.findLastIndex((file) => file.positions.starts.length > 0);
  if (last === -1) {
    const why = isSnapshot
      ? 'the peer joined with a snapshot, and has got no block since'
      : 'no block is complete';
    throw new TranslateError('BAD_LEDGER', `${directory} has no block: ${why}`);
  }
  const used = files.slice(0, last + 1);
  const damaged = used
    .slice(0, -1)
    .find((file) => file.positions.rest > 0 || file.positions.starts.length === 0);
  if (damaged !== undefined)
    throw new TranslateError(
      'BAD_LEDGER',
      `${damaged.path} ends in the middle of a block, although another file follows`,
    );
  for (const file of files.slice(last + 1)) file.close();
  return [used, used.map((file) => parse(file, 0).number)];
}

function parse(file: BlockFile, index: number): StoredBlock {
  try {
    return parseStoredBlock(file.read(index));
  } catch (error) {
    if (error instanceof TranslateError && error.code === 'BAD_BYTES')
      throw new TranslateError(
        'BAD_LEDGER',
        `${file.path} has no block at byte ${file.positions.starts[index]!}: ${error.message}`,
      );
    throw error;
  }
}

/** The error for a folder without block files: what it is instead. */
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
    return readdirSync(directory)
      .toSorted()
      .map((name) => join(directory, name))
      .filter((path) => statSync(join(path, 'blockfile_000000'), { throwIfNoEntry: false }) !== undefined);
  } catch {
    return [];
  }
}

/** Runs a system call; a refused one says whose the file is. @throws TranslateError BAD_LEDGER */
function onFile<Result>(path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
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
