// Finds the blocks in one file of a ledger, `blockfile_000000` in the folder of a channel: each block follows its length. For Node.js
// and browsers.

import { TranslateError } from '../../proto/errors.js';
import { blockBytes, hasItsData, isConfigBlock, parseStoredBlock } from './stored-block.js';

/** The name of a block file. */
export const LEDGER_FILE = /(?:^|\/)blockfile_\d{6,10}$/;

/** The maximum number of blocks in one file, which a node closes at 64 MB. */
const MAX_BLOCKS = 1_000_000;
/** The maximum size of an encoded length, in bytes. */
const MAX_VARINT = 10;
/** The size of a read when lengths are searched, in bytes. Most blocks are smaller. */
const WINDOW = 64 * 1024;

/** Reads a part of a file. @param buffer its bytes may be replaced by the part, so that memory is not allocated again */
export type Read = (start: number, end: number, buffer?: Uint8Array<ArrayBuffer>) => Uint8Array;

/** The positions of the complete blocks of a file; without a block that the node is still writing. */
export interface BlockPositions {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The number of bytes after the last complete block. */
  readonly rest: number;
}

/** Finds the blocks of a file. @param start the position of the first wanted block @throws TranslateError BAD_LEDGER */
export function blockPositions(read: Read, size: number, start = 0): BlockPositions {
  const starts: number[] = [];
  const ends: number[] = [];
  const buffer = new Uint8Array(Math.min(size - start, WINDOW));
  let window = { start, bytes: read(start, Math.min(size, start + WINDOW), buffer) };
  let position = start;
  while (position < size) {
    if (position + MAX_VARINT > window.start + window.bytes.length)
      window = { start: position, bytes: read(position, Math.min(size, position + WINDOW), buffer) };
    const length = lengthAt(window.bytes, position - window.start, position);
    if (length === undefined || position + length.size + length.value > size) break;
    if (starts.length === MAX_BLOCKS) throw noBlockAt(position);
    starts.push(position + length.size);
    position += length.size + length.value;
    ends.push(position);
  }
  return { starts, ends, rest: size - position };
}

/** The number of the first block; undefined if no block is complete. @throws TranslateError BAD_LEDGER */
export function firstNumber(read: Read, size: number): bigint | undefined {
  const head = read(0, Math.min(size, 2 * MAX_VARINT));
  const length = lengthAt(head, 0, 0);
  if (length === undefined || length.size + length.value > size) return undefined;
  const number = readVarint(head, length.size);
  if (number === undefined) throw noBlockAt(0);
  return BigInt(number.value);
}

/**
 * The config blocks in a file, oldest first, as serialized `common.Block`; without a block that the node is still writing.
 *
 * @throws TranslateError BAD_LEDGER if the file is damaged
 */
export function configBlocksIn(file: Uint8Array): readonly Uint8Array[] {
  const { starts, ends } = blockPositions((start, end) => file.subarray(start, end), file.length);
  const found: Uint8Array[] = [];
  for (const [index, start] of starts.entries()) {
    const block = parseStoredBlock(file.subarray(start, ends[index]));
    if (!isConfigBlock(block)) continue;
    if (!hasItsData(block))
      throw new TranslateError(
        'BAD_LEDGER',
        `the data of block ${block.number} do not match the hash in its header`,
      );
    found.push(blockBytes(block));
  }
  return found;
}

/** The error for bytes that are not a block. */
const noBlockAt = (position: number): TranslateError =>
  new TranslateError('BAD_LEDGER', `there is no block at byte ${position}`, '', position);

interface Varint {
  readonly value: number;
  readonly size: number;
}

/** The length of a block; undefined if it is not complete. @param position in the file, for the error @throws TranslateError BAD_LEDGER */
function lengthAt(bytes: Uint8Array, at: number, position: number): Varint | undefined {
  const length = readVarint(bytes, at);
  if (length !== undefined && (length.value === 0 || length.size > MAX_VARINT)) throw noBlockAt(position);
  return length;
}

function readVarint(bytes: Uint8Array, at: number): Varint | undefined {
  let value = 0;
  for (let size = 1; at + size <= bytes.length; size += 1) {
    const byte = bytes[at + size - 1]!;
    value += (byte & 0x7f) * 2 ** (7 * (size - 1));
    if (byte < 0x80 || size > MAX_VARINT) return { value, size };
  }
  return undefined;
}
