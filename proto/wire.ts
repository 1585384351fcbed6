// A reader of the protobuf wire format, with the rules of Go's runtime.

import { isUtf8 } from 'node:buffer';
import { TranslateError } from './errors.js';

/** Unknown groups may nest this deep, as in Go's runtime. */
const MAX_GROUP_DEPTH = 10_001;

/** Set in every byte of a varint but the last one. */
const CONTINUED = 0x80;
/** The longest varint, in bytes. */
const MAX_VARINT = 10;
/** Of its last byte, which carries one bit. */
const LAST_SHIFT = 63;

/** Wire types of a tag's lowest three bits. */
export const VARINT = 0;
const FIXED64 = 1;
export const BYTES = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

/** The two halves of a 64-bit integer. */
export interface Halves {
  readonly low: number;
  readonly high: number;
}

interface Tag {
  readonly number: number;
  readonly type: number;
}

/** Thrown where bytes are not the wire format; the caller knows what was being read. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Thrown on text that is not UTF-8. */
export class TextError extends Error {
  override readonly name = 'TextError';
}

/**
 * The error of bytes that could not be read, as the caller of an operation gets it.
 *
 * @param path what the bytes are called
 */
export function badBytes(error: unknown, path = ''): Error {
  if (error instanceof TextError)
    return new TranslateError('BAD_BYTES', 'string field contains invalid UTF-8', path);
  if (error instanceof WireError) {
    return new TranslateError('BAD_BYTES', 'proto: cannot parse invalid wire-format data', path);
  }
  return error as Error;
}

/**
 * Reads from `pos` up to `len`, which a caller narrows to the message it reads.
 *
 * This is no protobufjs reader: that one refuses over-long tags and lengths, which Go accepts, accepts tags and
 * varints beyond 64 bits, which Go refuses (specification section 4, "wire-level leniency"), and loading it takes a
 * fifth of the time in which the command line is to decode a block.
 */
export class WireReader {
  readonly buf: Buffer;
  pos = 0;
  len: number;

  constructor(bytes: Buffer) {
    this.buf = bytes;
    this.len = bytes.length;
  }

  /** The next tag: field number and wire type. @throws WireError on a number outside 1 to 2^29 - 1 */
  tag(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : CONTINUED;
    if (first < CONTINUED) {
      this.pos++;
      if (first < 8) throw new WireError('field number 0');
      return first;
    }
    const { low, high } = this.halves();
    if (high !== 0 || low >>> 3 === 0) throw new WireError('field number out of range');
    return low >>> 0;
  }

  /** A varint as two halves. */
  halves(): Halves {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 7 * MAX_VARINT; shift += 7) {
      if (this.pos >= this.len) throw new WireError('varint longer than its message');
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

  /** The low 32 bits of a varint of any length. */
  low(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : CONTINUED;
    if (first >= CONTINUED) return this.halves().low >>> 0;
    this.pos++;
    return first;
  }

  /** Whether a varint of any length is not zero. */
  truth(): boolean {
    const { low, high } = this.halves();
    return low !== 0 || high !== 0;
  }

  /** The end of a length-delimited value; the reader stands at its beginning. */
  end(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : CONTINUED;
    if (first < CONTINUED) {
      this.pos++;
      return this.#within(this.pos + first);
    }
    const { low, high } = this.halves();
    if (high !== 0) throw new WireError('length out of range');
    return this.#within(this.pos + (low >>> 0));
  }

  /** Some bytes, as a view of those that are read. */
  slice(): Buffer {
    const end = this.end();
    const start = this.pos;
    this.pos = end;
    return this.buf.subarray(start, end);
  }

  /** Text. @throws TextError when it is not UTF-8; the position is then at its beginning */
  text(): string {
    const end = this.end();
    const start = this.pos;
    const bytes = this.buf;
    this.pos = end;
    // Most texts are short and ASCII, which is UTF-8 and quicker to see here than by a call.
    for (let index = start; index < end; index++) {
      if (bytes[index]! < 0x80) continue;
      if (isUtf8(bytes.subarray(start, end))) return bytes.toString('utf8', start, end);
      this.pos = start;
      throw new TextError();
    }
    return bytes.toString('latin1', start, end);
  }

  /** Passes over the value that a tag announced. */
  pass(tag: number): void {
    const groups: number[] = [];
    for (let next: Tag = { number: tag >>> 3, type: tag & 7 }; ;) {
      const { number, type } = next;
      if (type === START_GROUP) {
        if (groups.push(number) > MAX_GROUP_DEPTH) throw new WireError('groups nested too deep');
      } else if (type === END_GROUP) {
        if (groups.pop() !== number) throw new WireError('unbalanced group');
      } else {
        this.#passValue(type);
      }
      if (groups.length === 0) return;
      next = this.#tagInGroup();
    }
  }

  /** Inside of unknown groups field numbers have 31 bits. */
  #tagInGroup(): Tag {
    const { low, high } = this.halves();
    const number = ((low >>> 3) | (high << 29)) >>> 0;
    if (high >>> 2 !== 0 || number === 0) throw new WireError('field number out of range');
    return { number, type: low & 7 };
  }

  #passValue(type: number): void {
    if (type === VARINT) this.halves();
    else if (type === BYTES) this.pos = this.end();
    else if (type === FIXED64) this.pos = this.#within(this.pos + 8);
    else if (type === FIXED32) this.pos = this.#within(this.pos + 4);
    else throw new WireError(`wire type ${String(type)}`);
  }

  #within(end: number): number {
    if (end > this.len) throw new WireError('value longer than its message');
    return end;
  }
}

/** A 64-bit integer as decimal text. */
export function decimal({ low, high }: Halves, signed: boolean): string {
  if (high === 0) return String(low >>> 0);
  const bits = bigintOf({ low, high });
  return String(signed ? BigInt.asIntN(64, bits) : bits);
}

/** An unsigned 64-bit integer. */
export function bigintOf({ low, high }: Halves): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Decimal text as the two halves of a 64-bit integer; the text is known to fit. */
export function halves(text: string): Halves {
  if (text.length < 16 && !text.startsWith('-')) {
    const value = Number(text);
    return { low: value | 0, high: Math.floor(value / 2 ** 32) };
  }
  const bits = BigInt.asUintN(64, BigInt(text));
  return { low: Number(bits & 0xffff_ffffn) | 0, high: Number(bits >> 32n) | 0 };
}

/** How many bytes a varint of up to 64 bits takes. */
export function varintSize({ low, high }: Halves): number {
  return high === 0 ? uint32Size(low) : Math.ceil((64 - Math.clz32(high)) / 7);
}

/** How many bytes a varint of up to 32 bits takes. */
export function uint32Size(value: number): number {
  const bits = value >>> 0;
  if (bits < 0x80) return 1;
  if (bits < 0x4000) return 2;
  if (bits < 0x20_0000) return 3;
  return bits < 0x1000_0000 ? 4 : 5;
}
