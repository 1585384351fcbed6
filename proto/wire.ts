// The protobuf wire format: protobufjs' reader with the rules of Go's protobuf runtime.

import { Reader } from 'protobufjs/minimal.js';
import { TranslateError } from './errors.js';
import { MAX_GROUP_DEPTH } from './limits.js';

/** The maximum length of a varint, in bytes. */
const MAX_VARINT = 10;

/** Wire types, the lowest three bits of a tag. */
export const VARINT = 0;
const FIXED64 = 1;
export const BYTES = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

/** A view of bytes: a Buffer in Node.js; in a browser the bytes themselves, where only methods of Uint8Array are used. */
const viewOf = (bytes: Uint8Array): Buffer =>
  typeof Buffer === 'undefined' || Buffer.isBuffer(bytes)
    ? (bytes as Buffer)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A 64-bit integer as two 32-bit halves. */
interface Int64 {
  readonly low: number;
  readonly high: number;
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
 * Differences to protobufjs' reader, as in Go (encoding/protowire/wire.go):
 *
 * - A varint of ten bytes with a last byte of 2 or more is an error, not a number with fewer bits.
 * - A tag or a length may have more than five bytes if the additional ones are zero (`8880808080808080808000` is the tag 8).
 * - Field numbers of 31 bits are allowed inside unknown groups (`f8ffffff3f`), and groups may be nested 10,001 deep.
 * - 64-bit numbers are read exactly. protobufjs needs the package `long` for that, which is not bundled.
 */
export class WireReader extends Reader {
  declare readonly buf: Buffer;
  /** Set after a number with more bytes than necessary, which no program writes. */
  hasLongNumber = false;

  constructor(bytes: Uint8Array) {
    super(viewOf(bytes));
  }

  /** The next tag: field number and wire type. @throws WireError for a number outside 1 to 2^29 - 1 */
  override tag(): number {
    const tag = this.size();
    if (tag >>> 3 === 0) throw new WireError('field number 0');
    return tag;
  }

  /** A tag or a length, which must have at most 32 bits. @throws WireError */
  override size(): number {
    const start = this.pos;
    const low = this.uint32();
    if (this.pos - start > 4 && this.#highHalf(start) !== 0) throw new WireError('more than 32 bits');
    return low;
  }

  /** The low 32 bits of a varint. @throws WireError */
  override uint32(): number {
    const start = this.pos;
    let value: number;
    try {
      value = super.uint32();
    } catch (error) {
      throw new WireError('not a varint', { cause: error });
    }
    const size = this.pos - start;
    if (size > 1) {
      const last = this.buf[this.pos - 1]!;
      if (size === MAX_VARINT && last > 1) throw new WireError('varint overflows 64 bits');
      if (last === 0) this.hasLongNumber = true;
    }
    return value;
  }

  /** A varint of up to 64 bits. @throws WireError */
  varint64(): Int64 {
    const start = this.pos;
    const low = this.uint32();
    return { low, high: this.#highHalf(start) };
  }

  /** The high 32 bits of the varint from `start` to the position. */
  #highHalf(start: number): number {
    let high = 0;
    // The fifth byte has bits of both halves.
    for (let index = start + 4; index < this.pos; index++) {
      const bits = this.buf[index]! & 0x7f;
      high |= index === start + 4 ? bits >>> 4 : bits << (7 * (index - start) - 32);
    }
    return high;
  }

  /** Reads a boolean: true if the varint is not zero. @throws WireError */
  override bool(): boolean {
    const { low, high } = this.varint64();
    return low !== 0 || high !== 0;
  }

  /** Reads the length of a length-delimited value; returns the position of its end. @throws WireError */
  end(): number {
    const length = this.size();
    if (length > this.len - this.pos) throw new WireError('value exceeds its message');
    return this.pos + length;
  }

  /** A bytes value, as a view of the input. @throws WireError */
  override bytes(): Buffer {
    const end = this.end();
    const start = this.pos;
    this.pos = end;
    return this.buf.subarray(start, end);
  }

  /** A string value. @throws WireError; StringError if it is not UTF-8 */
  override string(): string {
    try {
      return this.stringVerify();
    } catch (error) {
      if (error instanceof WireError) throw error;
      throw error instanceof RangeError
        ? new WireError('value exceeds its message', { cause: error })
        : new StringError('not UTF-8', { cause: error });
    }
  }

  /** Skips the value after a tag. @throws WireError */
  skipField(tag: number): void {
    const groups: number[] = [];
    for (let [number, type] = [tag >>> 3, tag & 7]; ; [number, type] = this.#tagInGroup()) {
      if (type === START_GROUP) {
        if (groups.push(number) > MAX_GROUP_DEPTH) throw new WireError('groups nested too deep');
      } else if (type === END_GROUP) {
        if (groups.pop() !== number) throw new WireError('unbalanced group');
      } else {
        this.#skipValue(type);
      }
      if (groups.length === 0) return;
    }
  }

  #tagInGroup(): [number: number, type: number] {
    const { low, high } = this.varint64();
    const number = ((low >>> 3) | (high << 29)) >>> 0;
    if (high >>> 2 !== 0 || number === 0) throw new WireError('field number out of range');
    return [number, low & 7];
  }

  #skipValue(type: number): void {
    if (type === VARINT) this.uint32();
    else if (type === BYTES) this.pos = this.end();
    else if (type === FIXED64) this.#skipBytes(8);
    else if (type === FIXED32) this.#skipBytes(4);
    else throw new WireError(`wire type ${type}`);
  }

  #skipBytes(count: number): void {
    if (count > this.len - this.pos) throw new WireError('value exceeds its message');
    this.skip(count);
  }
}

/** An occurrence of a field in a serialized message. */
interface WireField {
  readonly tag: number;
  /** The beginning of its tag. */
  readonly start: number;
  /** The beginning and the end of its value; a value of bytes begins with its length. */
  readonly value: number;
  readonly end: number;
}

/**
 * The fields of a message of any type, in the order of its bytes.
 *
 * @throws TranslateError BAD_BYTES
 */
export function* fieldsOnWire(message: Uint8Array): Generator<WireField> {
  const reader = new WireReader(message);
  while (reader.pos < reader.len) yield nextField(reader);
}

function nextField(reader: WireReader): WireField {
  const start = reader.pos;
  try {
    const tag = reader.tag();
    const value = reader.pos;
    reader.skipField(tag);
    return { tag, start, value, end: reader.pos };
  } catch (error) {
    throw badBytes(error);
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
function bigintToInt64(value: bigint): Int64 {
  const bits = BigInt.asUintN(64, value);
  return { low: Number(bits & 0xffff_ffffn) | 0, high: Number(bits >> 32n) | 0 };
}

/** A 64-bit integer from a decimal string, which must be in range. */
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
