// One file of a ledger: blocks one after the other, each after its length.

import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegularFile } from '../../core/common/files/regular-file.js';
import { TranslateError } from '../../proto/errors.js';
import { MAX_VARINT, readLength } from './block-length.js';

/** Blocks of one file, which a node closes at 64 MB. */
const MAX_BLOCKS = 1_000_000;
/** The largest block that is read, in bytes. A message of gRPC has at most 100 MB. */
const MAX_BLOCK_SIZE = 256 * 1024 * 1024;
/** How much is read at a time to find the lengths, in bytes. Most blocks are smaller. */
const WINDOW = 64 * 1024;

/** Where the complete blocks of a file are. A block that the node is still writing is not among them. */
export interface BlockPositions {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** How many bytes after the last complete block the file has. */
  readonly rest: number;
}

/** A file with blocks. It is opened for each read, because a channel may have more files than a process may have open. */
export class BlockFile {
  readonly path: string;
  #size: number | undefined;
  #first: bigint | undefined;
  #positions: BlockPositions | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** The number of the first block; undefined if no block is complete. @throws TranslateError BAD_LEDGER, or the error of the system call */
  get first(): bigint | undefined {
    return (this.#first ??= this.#open((read, size) => {
      const head = read(0, Math.min(size, 2 * MAX_VARINT));
      const length = readLength(head, 0);
      if (length === undefined) return undefined;
      if (length.value === 0 || length.size > MAX_VARINT) throw this.#damaged(0);
      if (length.size + length.value > size) return undefined;
      const number = readLength(head, length.size);
      if (number === undefined) throw this.#damaged(0);
      return BigInt(number.value);
    }));
  }

  /** Where the blocks are, as of the first call. @throws TranslateError BAD_LEDGER, or the error of the system call */
  get positions(): BlockPositions {
    return (this.#positions ??= this.#open((read, size) => this.#scan(read, size)));
  }

  /** The bytes of a block. @param index in this file */
  read(index: number): Uint8Array {
    const { starts, ends } = this.positions;
    return this.#open((read) => read(starts[index]!, ends[index]!));
  }

  #scan(read: Read, size: number): BlockPositions {
    const starts: number[] = [];
    const ends: number[] = [];
    let window = { start: 0, bytes: read(0, Math.min(size, WINDOW)) };
    let position = 0;
    while (position < size) {
      if (position + MAX_VARINT > window.start + window.bytes.length)
        window = { start: position, bytes: read(position, Math.min(size, position + WINDOW)) };
      const length = readLength(window.bytes, position - window.start);
      if (length === undefined) break;
      const start = position + length.size;
      if (length.value === 0 || length.size > MAX_VARINT) throw this.#damaged(position);
      if (start + length.value > size) break;
      if (starts.length === MAX_BLOCKS) throw this.#damaged(position);
      starts.push(start);
      position = start + length.value;
      ends.push(position);
    }
    return { starts, ends, rest: size - position };
  }

  #damaged(position: number): TranslateError {
    return new TranslateError('BAD_LEDGER', `${this.path} has no block at byte ${position}`);
  }

  /** Opens the file for a call. What is written after the first one is not read. */
  #open<Result>(call: (read: Read, size: number) => Result): Result {
    const descriptor = openRegularFile(this.path);
    try {
      this.#size ??= fstatSync(descriptor).size;
      return call((start, end) => this.#bytes(descriptor, start, end), this.#size);
    } finally {
      closeSync(descriptor);
    }
  }

  #bytes(descriptor: number, start: number, end: number): Uint8Array {
    if (end - start > MAX_BLOCK_SIZE)
      throw new TranslateError(
        'TOO_LARGE',
        `${this.path} has a block of ${end - start} bytes, at most ${MAX_BLOCK_SIZE} are read`,
      );
    const bytes = new Uint8Array(end - start);
    for (let done = 0; done < bytes.length;) {
      const count = readSync(descriptor, bytes, done, bytes.length - done, start + done);
      if (count === 0)
        throw new TranslateError('BAD_LEDGER', `${this.path} became shorter while it was read`);
      done += count;
    }
    return bytes;
  }
}

/** Reads a part of a file. */
type Read = (start: number, end: number) => Uint8Array;
