// Writes the wire format for the generator of random messages: each message in Fabric's order and reordered.

import { varint } from './canonical.js';

/** The same message in two orders. */
export interface Written {
  /** Fields in number order, map entries in key order, in opaque bytes too. */
  readonly sorted: Buffer;
  /** Fields and map entries in random order; list elements in their order. */
  readonly shuffled: Buffer;
}

/** A field, map entry or list, and its position in both orders. */
export interface Piece extends Written {
  readonly number: number;
  readonly key: Buffer;
  readonly rank: number;
}

export const VARINT = 0;
export const LENGTH_DELIMITED = 2;
export const NO_BYTES = Buffer.alloc(0);

/** The same bytes in both orders. */
export const same = (bytes: Buffer): Written => ({ sorted: bytes, shuffled: bytes });

const both = ({ sorted, shuffled }: Written, change: (bytes: Buffer) => Buffer): Written => ({
  sorted: change(sorted),
  shuffled: change(shuffled),
});

/** A field: tag, length if it is length-delimited, content. */
export const tagged = (number: number, wireType: number, content: Buffer): Buffer =>
  Buffer.concat([
    varint(number * 8 + wireType),
    ...(wireType === LENGTH_DELIMITED ? [varint(content.length)] : []),
    content,
  ]);

/** A varint of 64 bits; negative numbers take ten bytes. */
export function longVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 128n; rest /= 128n) bytes.push(Number(rest % 128n) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** Bytes in the sort order of numbers. */
export const bigEndian = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
};

/** Makes a piece of a field: `number` and `key` are its position in one order, `rank` in the other. */
export function pieceOf(
  number: number,
  wireType: number,
  key = NO_BYTES as Buffer,
): (from: [Written, number]) => Piece {
  return ([written, rank]) => ({
    ...both(written, (bytes) => tagged(number, wireType, bytes)),
    number,
    key,
    rank,
  });
}

/** Assembles a message from its fields. */
export function assemble(pieces: readonly Piece[]): Written {
  const sorted = pieces.toSorted((a, b) => a.number - b.number || Buffer.compare(a.key, b.key));
  const shuffled = pieces.toSorted((a, b) => a.rank - b.rank);
  return {
    sorted: Buffer.concat(sorted.map((piece) => piece.sorted)),
    shuffled: Buffer.concat(shuffled.map((piece) => piece.shuffled)),
  };
}
