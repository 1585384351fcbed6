// Reads the protobuf wire format with the rules of Go's protobuf runtime.

import { TranslateError } from './errors.js';

/** The nesting limit of unknown groups, as in Go's protowire. */
const MAX_GROUP_DEPTH = 10_001;

/** The continuation bit of a varint byte. */
const CONTINUED = 0x80;
/** The maximum length of a varint, in bytes. */
const MAX_VARINT = 10;
/** The shift of its last byte, which has one significant bit. */
const LAST_SHIFT = 63;

/** Wire types, the lowest three bits of a tag. */
export const VARINT = 0;
const FIXED64 = 1;
export const BYTES = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Browsers have no Buffer; in Node its methods are faster than those of Uint8Array and TextDecoder. */
const HAS_BUFFER = typeof Buffer !== 'undefined';

/** A view of bytes: a Buffer in Node; in a browser the bytes, of which nothing but the methods of Uint8Array is used. */
const viewOf = (bytes: Uint8Array): Buffer =>
  !HAS_BUFFER || Buffer.isBuffer(bytes)
    ? (bytes as Buffer)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A 64-bit integer as two 32-bit halves. */
export interface Int64 {
  readonly low: number;
  readonly high: number;
}

interface Tag {
  readonly number: number;
  readonly type: number;
}

/** Thrown for bytes that are not valid wire format. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Thrown for a string that is not UTF-8. */
export class StringError extends Error {
  override readonly name = 'StringError';
}

/**
 * The `TranslateError` for an error of a reader; other errors are returned as they are.
 *
 * @param path the name of the input
 */
export function badBytes(error: unknown, path = ''): Error {
  if (error instanceof StringError)
    return new TranslateError('BAD_BYTES', 'string field contains invalid UTF-8', path);
  if (error instanceof WireError) {
    return new TranslateError('BAD_BYTES', 'proto: cannot parse invalid wire-format data', path);
  }
  return error as Error;
}

/**
 * Reads from `pos` up to `len`. A caller sets both to read one message within the bytes.
 *
 * Not protobufjs's reader: that one rejects overlong tags and lengths, which Go accepts, and accepts tags and varints of more than 64
 * bits, which Go rejects.
 */
export class WireReader {
  readonly buf: Buffer;
  pos = 0;
  len: number;

  constructor(bytes: Uint8Array) {
    this.buf = viewOf(bytes);
    this.len = bytes.length;
  }

  /** The next tag: field number and wire type. @throws WireError for a number outside 1 to 2^29 - 1 */
  tag(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : CONTINUED;
    if (first < CONTINUED) {
      this.pos++;
      if (first < 8) throw new WireError('field number 0');
      return first;
    }
    const { low, high } = this.varint64();
    if (high !== 0 || low >>> 3 === 0) throw new WireError('field number out of range');
    return low >>> 0;
  }

  /** A varint of up to 64 bits. */
  varint64(): Int64 {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 7 * MAX_VARINT; shift += 7) {
      if (this.pos >= this.len) throw new WireError('varint exceeds its message');
      const byte = this.buf[this.pos++]!;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      // The fifth byte has bits of both halves.
      if (shift >= 28) high |= shift < 32 ? bits >>> 4 : bits << (shift - 32);
      if (byte >= CONTINUED) continue;
      if (shift === LAST_SHIFT && byte > 1) throw new WireError('varint overflows 64 bits');
      return { low, high };
    }
    throw new WireError('varint too long');
  }

  /** The low 32 bits of a varint. */
  uint32(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : CONTINUED;
    if (first >= CONTINUED) return this.varint64().low >>> 0;
    this.pos++;
    return first;
  }

  /** Whether a varint is not zero. */
  bool(): boolean {
    const { low, high } = this.varint64();
    return low !== 0 || high !== 0;
  }

  /** Reads the length of a length-delimited value; returns the position of its end. */
  end(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : CONTINUED;
    if (first < CONTINUED) {
      this.pos++;
      return this.#within(this.pos + first);
    }
    const { low, high } = this.varint64();
    if (high !== 0) throw new WireError('length out of range');
    return this.#within(this.pos + (low >>> 0));
  }

  /** A bytes value, as a view of the input. */
  bytes(): Buffer {
    const end = this.end();
    const start = this.pos;
    this.pos = end;
    return this.buf.subarray(start, end);
  }

  /** A string value. @throws StringError if it is not UTF-8; the position is then at its beginning */
  string(): string {
    const end = this.end();
    const start = this.pos;
    const bytes = this.buf;
    this.pos = end;
    // Most strings are short and ASCII; a loop is faster for them than a check for UTF-8.
    for (let index = start; index < end; index++) {
      if (bytes[index]! < 0x80) continue;
      try {
        return UTF8.decode(bytes.subarray(start, end));
      } catch {
        this.pos = start;
        throw new StringError();
      }
    }
    return HAS_BUFFER ? bytes.toString('latin1', start, end) : UTF8.decode(bytes.subarray(start, end));
  }

  /** Skips the value after a tag. */
  skip(tag: number): void {
    const groups: number[] = [];
    for (let next: Tag = { number: tag >>> 3, type: tag & 7 }; ;) {
      const { number, type } = next;
      if (type === START_GROUP) {
        if (groups.push(number) > MAX_GROUP_DEPTH) throw new WireError('groups nested too deep');
      } else if (type === END_GROUP) {
        if (groups.pop() !== number) throw new WireError('unbalanced group');
      } else {
        this.#skipValue(type);
      }
      if (groups.length === 0) return;
      next = this.#tagInGroup();
    }
  }

  /** Go accepts field numbers of 31 bits inside unknown groups. */
  #tagInGroup(): Tag {
    const { low, high } = this.varint64();
    const number = ((low >>> 3) | (high << 29)) >>> 0;
    if (high >>> 2 !== 0 || number === 0) throw new WireError('field number out of range');
    return { number, type: low & 7 };
  }

  #skipValue(type: number): void {
    if (type === VARINT) this.varint64();
    else if (type === BYTES) this.pos = this.end();
    else if (type === FIXED64) this.pos = this.#within(this.pos + 8);
    else if (type === FIXED32) this.pos = this.#within(this.pos + 4);
    else throw new WireError(`wire type ${String(type)}`);
  }

  #within(end: number): number {
    if (end > this.len) throw new WireError('value exceeds its message');
    return end;
  }
}

/** A 64-bit integer as a decimal string. */
export function int64ToString({ low, high }: Int64, signed: boolean): string {
  if (high === 0) return String(low >>> 0);
  const bits = int64ToBigint({ low, high });
  return String(signed ? BigInt.asIntN(64, bits) : bits);
}

/** An unsigned 64-bit integer. */
export function int64ToBigint({ low, high }: Int64): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** An integer in the range of 64-bit integers, signed or unsigned. */
export function bigintToInt64(value: bigint): Int64 {
  const bits = BigInt.asUintN(64, value);
  return { low: Number(bits & 0xffff_ffffn) | 0, high: Number(bits >> 32n) | 0 };
}

/** A decimal string, which must be in the range of 64-bit integers, as a 64-bit integer. */
export function stringToInt64(text: string): Int64 {
  if (text.length < 16 && !text.startsWith('-')) {
    const value = Number(text);
    return { low: value | 0, high: Math.floor(value / 2 ** 32) };
  }
  return bigintToInt64(BigInt(text));
}

/** The length of a varint of up to 64 bits, in bytes. */
export function varintSize({ low, high }: Int64): number {
  return high === 0 ? uint32Size(low) : Math.ceil((64 - Math.clz32(high)) / 7);
}

/** The length of a varint of up to 32 bits, in bytes. */
export function uint32Size(value: number): number {
  const bits = value >>> 0;
  if (bits < 0x80) return 1;
  if (bits < 0x4000) return 2;
  if (bits < 0x20_0000) return 3;
  return bits < 0x1000_0000 ? 4 : 5;
}
