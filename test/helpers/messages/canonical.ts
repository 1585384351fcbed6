// Sorts the bytes of a message: fields by number, map entries by key. Shares no code with the codec.

import { readFileSync } from 'node:fs';
import type { FieldRow, SchemaTable } from '../../../proto/schema-table.js';

export const schema = JSON.parse(
  readFileSync(new URL('../../../proto/schema.json', import.meta.url), 'utf8'),
) as SchemaTable;

/** A serialized field. */
interface Piece {
  readonly number: number;
  readonly tag: Buffer;
  readonly wireType: number;
  /** The bytes after the tag, without the length of a length-delimited field. */
  readonly content: Buffer;
}

const LENGTH_DELIMITED = 2;

function varintEnd(bytes: Buffer, start: number): number {
  let end = start;
  while (bytes[end]! >= 0x80) end += 1;
  if (end >= bytes.length) throw new Error('truncated varint');
  return end + 1;
}

/** Reads a tag or a length. */
function smallVarint(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = end - 1; at >= start; at -= 1) value = value * 128 + (bytes[at]! & 0x7f);
  return value;
}

/** Writes a varint of up to 53 bits. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function pieces(bytes: Buffer): Piece[] {
  const found: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const tagEnd = varintEnd(bytes, at);
    const tag = smallVarint(bytes, at, tagEnd);
    const [start, end] = contentOf(bytes, tagEnd, tag % 8);
    if (end > bytes.length) throw new Error('truncated field');
    found.push({
      number: Math.floor(tag / 8),
      tag: bytes.subarray(at, tagEnd),
      wireType: tag % 8,
      content: bytes.subarray(start, end),
    });
    at = end;
  }
  return found;
}

function contentOf(bytes: Buffer, at: number, wireType: number): [start: number, end: number] {
  if (wireType === 0) return [at, varintEnd(bytes, at)];
  if (wireType === 1) return [at, at + 8];
  if (wireType === 5) return [at, at + 4];
  if (wireType !== LENGTH_DELIMITED) throw new Error(`unexpected wire type ${wireType}`);
  const start = varintEnd(bytes, at);
  return [start, start + smallVarint(bytes, at, start)];
}

function written({ tag, wireType, content }: Piece): Buffer {
  return Buffer.concat(
    wireType === LENGTH_DELIMITED ? [tag, varint(content.length), content] : [tag, content],
  );
}

/** Bytes in the sort order of map keys: strings by their bytes, numbers by value. */
function sortKey(key: Piece | undefined): Buffer {
  if (key === undefined) return Buffer.alloc(0);
  if (key.wireType === LENGTH_DELIMITED) return key.content;
  const digits = [...key.content]
    .toReversed()
    .reduce((value, byte) => value * 128n + BigInt(byte & 0x7f), 0n);
  const sorted = Buffer.alloc(8);
  sorted.writeBigUInt64BE(BigInt.asUintN(64, digits));
  return sorted;
}

/** A map entry with its key before its value, and the bytes to sort it by. */
function entry(bytes: Buffer, valueType: string): { key: Buffer; content: Buffer } {
  const parts = pieces(bytes).map((piece) =>
    piece.number === 2 ? { ...piece, content: canonicalValue(piece, valueType) } : piece,
  );
  return {
    key: sortKey(parts.find(({ number }) => number === 1)),
    content: Buffer.concat(parts.toSorted((a, b) => a.number - b.number).map(written)),
  };
}

function canonicalValue({ wireType, content }: Piece, type: string): Buffer {
  const isMessage = wireType === LENGTH_DELIMITED && Object.hasOwn(schema.messages, type);
  return isMessage ? canonical(type, content) : content;
}

/**
 * The same message with fields in number order and map entries in key order. Does not change bytes fields.
 *
 * Does not merge, drop or repair anything: a duplicate field is preserved.
 */
export function canonical(type: string, bytes: Buffer): Buffer {
  const rows = new Map(schema.messages[type]?.map((row): [number, FieldRow] => [row[0], row]));
  const sorted = pieces(bytes)
    .map((piece) => {
      const [, , , valueType = '', rule] = rows.get(piece.number) ?? [];
      if (rule !== 'map') return { piece, key: Buffer.alloc(0), content: canonicalValue(piece, valueType) };
      return { piece, ...entry(piece.content, valueType) };
    })
    .toSorted((a, b) => a.piece.number - b.piece.number || Buffer.compare(a.key, b.key));
  return Buffer.concat(sorted.map(({ piece, content }) => written({ ...piece, content })));
}
