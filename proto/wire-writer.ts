// Writes the protobuf wire format from the end to the beginning.

import { uint32Size, varintSize, type Int64 } from './wire.js';

const INITIAL_SIZE = 4096;
const CONTINUED = 0x80;
/** Strings up to this length are usually ASCII, and a loop is faster for them than a call of Buffer.write. */
const SHORT_STRING = 40;

/** Browsers have no Buffer; in Node it is faster than Uint8Array. */
const HAS_BUFFER = typeof Buffer !== 'undefined';

/** In a browser, nothing but the methods of Uint8Array is used. */
const allocate = (size: number): Buffer =>
  HAS_BUFFER ? Buffer.allocUnsafe(size) : (new Uint8Array(size) as Buffer);

/**
 * Writes values in front of those already written: a caller writes the last field of a message first, and the tag of a field after its
 * value.
 *
 * The length of a message is known when it has to be written, so no length is computed in advance and no bytes are moved, however deep
 * messages are nested. protobufjs's writer moves the bytes of a message when its length is written: quadratic time for nested messages.
 */
export class WireWriter {
  #buffer: Buffer;
  #start: number;

  /** @param size the number of bytes to begin with; the buffer grows as needed */
  constructor(size = INITIAL_SIZE) {
    this.#buffer = allocate(size);
    this.#start = size;
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** A view of the bytes written so far. */
  get written(): Buffer {
    return this.#buffer.subarray(this.#start);
  }

  /** A varint of up to 32 bits. Also writes tags and lengths. */
  uint32(value: number): void {
    if (value < CONTINUED) {
      this.#reserve(1);
      this.#buffer[this.#start] = value;
      return;
    }
    this.#reserve(uint32Size(value));
    this.#varint32(this.#start, value);
  }

  /** A signed 32-bit integer. Negative ones take ten bytes, as protobuf requires. */
  int32(value: number): void {
    if (value < 0) this.varint64({ low: value, high: -1 });
    else this.uint32(value);
  }

  /** A varint of up to 64 bits. */
  varint64(value: Int64): void {
    this.#reserve(varintSize(value));
    let low = value.low >>> 0;
    let high = value.high >>> 0;
    let at = this.#start;
    while (high > 0) {
      this.#buffer[at++] = (low & 0x7f) | CONTINUED;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.#varint32(at, low);
  }

  /** A string with its length. */
  string(text: string): void {
    const size = this.#ascii(text) ? text.length : this.#utf8(text);
    this.uint32(size);
  }

  /** Bytes with their length. */
  bytes(bytes: Uint8Array): void {
    this.raw(bytes);
    this.uint32(bytes.length);
  }

  /** Bytes without a length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#start);
  }

  /** Makes a length-delimited field of all bytes written since `length` was `start`. */
  delimit(start: number, tag: number): void {
    this.uint32(this.length - start);
    this.uint32(tag);
  }

  /** Writes a short ASCII string; otherwise returns false and writes nothing. */
  #ascii(text: string): boolean {
    const { length } = text;
    if (length > SHORT_STRING) return false;
    this.#reserve(length);
    const buffer = this.#buffer;
    const start = this.#start;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) {
        this.#start += length;
        return false;
      }
      buffer[start + index] = code;
    }
    return true;
  }

  #utf8(text: string): number {
    if (!HAS_BUFFER) {
      const bytes = new TextEncoder().encode(text);
      this.raw(bytes);
      return bytes.length;
    }
    const size = Buffer.byteLength(text);
    this.#reserve(size);
    this.#buffer.write(text, this.#start);
    return size;
  }

  #varint32(position: number, value: number): void {
    const buffer = this.#buffer;
    let at = position;
    let rest = value;
    while (rest >= CONTINUED) {
      buffer[at++] = (rest & 0x7f) | CONTINUED;
      rest >>>= 7;
    }
    buffer[at] = rest;
  }

  /** Grows the buffer at its start. */
  #reserve(count: number): void {
    if (count > this.#start) this.#grow(count);
    this.#start -= count;
  }

  #grow(count: number): void {
    const grown = allocate(Math.max(2 * this.#buffer.length, this.length + count));
    grown.set(this.written, grown.length - this.length);
    this.#start += grown.length - this.#buffer.length;
    this.#buffer = grown;
  }
}
