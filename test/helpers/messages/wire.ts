// Writes the wire format for the generator of messages: each thing twice, in Fabric's order and in another one.

import { varint } from './canonical.js';

/** One message twice. */
export interface Written {
  /** Fields by number, maps by key, in opaque bytes too. */
  readonly tidy: Buffer;
  /** Fields and entries in any order; elements of lists keep theirs. */
  readonly untidy: Buffer;
}

/** A field, an entry of a map or a list, with where it stands in either order. */
export interface Piece extends Written {
  readonly number: number;
  readonly key: Buffer;
  readonly rank: number;
}

export const VARINT = 0;
export const LENGTH_DELIMITED = 2;
export const NO_BYTES = Buffer.alloc(0);

/** Something that is written in one way only. */
export const same = (bytes: Buffer): Written => ({ tidy: bytes, untidy: bytes });

const both = ({ tidy, untidy }: Written, change: (bytes: Buffer) => Buffer): Written => ({
  tidy: change(tidy),
  untidy: change(untidy),
});

/** A field: tag, length where there is one, content. */
export const tagged = (number: number, wireType: number, content: Buffer): Buffer =>
  Buffer.concat([
    varint(number * 8 + wireType),
    ...(wireType === LENGTH_DELIMITED ? [varint(content.length)] : []),
    content,
  ]);

/** A varint of 64 bits; a negative number takes ten bytes. */
export function longVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 128n; rest /= 128n) bytes.push(Number(rest % 128n) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** Bytes that sort as the number does. */
export const bigEndian = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
};

/** A field as pieces; rank and key say where they stand. */
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

/** A message of its fields. */
export function assemble(pieces: readonly Piece[]): Written {
  const tidy = pieces.toSorted((a, b) => a.number - b.number || Buffer.compare(a.key, b.key));
  const untidy = pieces.toSorted((a, b) => a.rank - b.rank);
  return {
    tidy: Buffer.concat(tidy.map((piece) => piece.tidy)),
    untidy: Buffer.concat(untidy.map((piece) => piece.untidy)),
  };
}
