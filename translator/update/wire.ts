// Reads the protobuf wire format with the leniency and the strictness of Go's protobuf library.

import { TranslateError } from '../../proto/index.js';

/** The wire types of fields that are told apart here. */
export const VARINT = 0;
export const BYTES = 2;

const FIXED64 = 1;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

const MAX_VARINT_BYTES = 10;
/** Field numbers have 29 bits in a message and 31 inside of an unknown group. */
const MAX_TAG = 2 ** 32 - 1;
const MAX_TAG_IN_GROUP = 2 ** 34 - 1;
/** How deep unknown groups nest. */
const MAX_GROUPS = 10_001;

/** Strict, and a byte order mark is a character like others. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The number before a field on the wire: field number and wire type. */
export const tagOf = (number: number, wireType: number): number => number * 8 + wireType;

/**
 * A cursor over the bytes of a message.
 *
 * All methods throw a TranslateError with the code BAD_BYTES for what is no wire format or no UTF-8.
 */
export class WireReader {
  readonly #bytes: Buffer;
  /** What the bytes are called in errors. */
  readonly #path: string;
  #position = 0;
  /** The end of the message that is being read. */
  #end: number;

  constructor(bytes: Uint8Array, path: string) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#path = path;
    this.#end = bytes.length;
  }

  /** Whether nothing is left of the message that is being read. */
  get isAtEnd(): boolean {
    return this.#position === this.#end;
  }

  /** Begins a nested message; the end of the one around it, for `leave`. */
  enter(): number {
    const length = this.#length();
    const outer = this.#end;
    this.#end = this.#position + length;
    return outer;
  }

  /** Goes back to the message around, given what `enter` answered. */
  leave(outer: number): void {
    this.#end = outer;
  }

  /** The tag of the next field; see `tagOf`. */
  tag(): number {
    const tag = this.#varint();
    if (tag < tagOf(1, 0) || tag > MAX_TAG) throw this.#malformed();
    return tag;
  }

  /** An unsigned integer of 64 bits. */
  uint64(): bigint {
    const start = this.#position;
    this.#varint();
    let value = 0n;
    for (let at = this.#position - 1; at >= start; at -= 1)
      value = (value << 7n) | BigInt((this.#bytes[at] ?? 0) & 0x7f);
    return value;
  }

  /** A signed integer of 32 bits; further bits are cut off. */
  int32(): number {
    return Number(BigInt.asIntN(32, this.uint64()));
  }

  /** A view of some bytes, not a copy. */
  bytes(): Uint8Array {
    const length = this.#length();
    const start = this.#position;
    this.#position += length;
    return this.#bytes.subarray(start, this.#position);
  }

  /** Text. */
  string(): string {
    const bytes = this.bytes();
    try {
      return UTF8.decode(bytes);
    } catch {
      throw this.fail('string field contains invalid UTF-8');
    }
  }

  /** Passes over the value of a field that is not known, a whole group if it is one; a view of what was passed over. */
  skip(tag: number): Uint8Array {
    const start = this.#position;
    const groups: number[] = [];
    let next = tag;
    this.#skipOne(next, groups);
    while (groups.length > 0) {
      next = this.#varint();
      if (next < tagOf(1, 0) || next > MAX_TAG_IN_GROUP) throw this.#malformed();
      this.#skipOne(next, groups);
    }
    return this.#bytes.subarray(start, this.#position);
  }

  /** An error about the bytes. */
  fail(message: string): TranslateError {
    return new TranslateError('BAD_BYTES', message, this.#path);
  }

  /** @param groups numbers of the unknown groups around, the innermost last */
  #skipOne(tag: number, groups: number[]): void {
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case VARINT:
        this.#varint();
        return;
      case FIXED64:
        this.#advance(8);
        return;
      case BYTES:
        this.#advance(this.#length());
        return;
      case START_GROUP:
        if (groups.push(number) > MAX_GROUPS) throw this.#malformed();
        return;
      case END_GROUP:
        if (groups.pop() !== number) throw this.#malformed();
        return;
      case FIXED32:
        this.#advance(4);
        return;
      default:
        throw this.#malformed();
    }
  }

  #advance(count: number): void {
    if (count > this.#end - this.#position) throw this.#malformed();
    this.#position += count;
  }

  /** The length of what follows, which is there. */
  #length(): number {
    const length = this.#varint();
    if (length > this.#end - this.#position) throw this.#malformed();
    return length;
  }

  /** A varint of at most 64 bits, as near as a number comes: exact up to 2^53, and no tag or length is larger. */
  #varint(): number {
    let value = 0;
    let weight = 1;
    for (let count = 1; count <= MAX_VARINT_BYTES && this.#position < this.#end; count += 1) {
      const byte = this.#bytes[this.#position] ?? 0;
      this.#position += 1;
      value += (byte & 0x7f) * weight;
      weight *= 128;
      if (byte < 0x80) {
        // The tenth byte holds the 64th bit and no more.
        if (count === MAX_VARINT_BYTES && byte > 1) throw this.#malformed();
        return value;
      }
    }
    throw this.#malformed();
  }

  #malformed(): TranslateError {
    return this.fail('proto: cannot parse invalid wire-format data');
  }
}
