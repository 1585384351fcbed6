// Reads elements like Go's encoding/asn1 (encoding/asn1/asn1.go), with its error texts: Fabric parses the signatures of identities with it.

import { INTEGER } from '../../core/common/certificates/der.js';
import { integerOf } from './der.js';

/** The error for bytes that `asn1.Unmarshal` refuses; the message is Go's text without `asn1: `. */
export class Asn1Error extends Error {
  constructor(kind: 'structure' | 'syntax', message: string) {
    super(`${kind} error: ${message}`);
  }
}

/** The output of `%+v` for the parameters of a field without tags. */
const PARAMETERS =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';
const SEQUENCE = 16;
const COMPOUND = 0x20;
/** The class of context-specific tags. */
const CONTEXT = 2;
const LONG_TAG = 0x1f;
const MAX_INT32 = 0x7fff_ffff;
/** A length from this value on cannot have another byte, as in Go. */
const MAX_SHIFTED = 0x80_0000;

interface Header {
  readonly class: number;
  readonly tag: number;
  readonly length: number;
  readonly isCompound: boolean;
}

/** Reads the fields of a struct in their order (`parseField`). */
export class Asn1Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * The content of the next element, which must have a universal tag.
   *
   * @param type the name of Go's type
   * @throws Asn1Error
   */
  read(tag: number, type: string): Uint8Array {
    if (this.isEmpty) throw new Asn1Error('syntax', 'sequence truncated');
    const header = this.#header();
    if (header.class !== 0 || header.tag !== tag || header.isCompound !== (tag === SEQUENCE))
      throw new Asn1Error(
        'structure',
        `tags don't match (${tag} vs {class:${header.class} tag:${header.tag} length:${header.length} isCompound:${header.isCompound}}) ${PARAMETERS} ${type} @${this.#at}`,
      );
    return this.#content(header.length);
  }

  /** Whether there are no more bytes. */
  get isEmpty(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next element, which must be an INTEGER (`parseBigInt`). @throws Asn1Error */
  readInteger(): bigint {
    const content = this.read(INTEGER, '');
    if (content.length === 0) throw new Asn1Error('structure', 'empty integer');
    const value = integerOf(content);
    if (value === undefined) throw new Asn1Error('structure', 'integer not minimally-encoded');
    return value;
  }

  /**
   * The content of an optional field with a universal tag in an explicit tag; undefined if the next element is another one. As in Go, the
   * length of the explicit tag does not matter.
   *
   * @throws Asn1Error
   */
  readExplicit(number: number, tag: number): Uint8Array | undefined {
    if (this.isEmpty) return undefined;
    const start = this.#at;
    const outer = this.#header();
    if (outer.class === CONTEXT && outer.tag === number && (outer.length === 0 || outer.isCompound)) {
      if (outer.length === 0)
        throw new Asn1Error('structure', 'zero length explicit tag was not an asn1.Flag');
      const inner = this.#header();
      if (inner.class === 0 && inner.tag === tag && !inner.isCompound) return this.#content(inner.length);
    }
    this.#at = start;
    return undefined;
  }

  /** The next element with its tag, of any type (`RawValue`). @throws Asn1Error */
  readAny(): Uint8Array {
    const start = this.#at;
    const { length } = this.#header();
    this.#content(length);
    return this.#bytes.subarray(start, this.#at);
  }

  #content(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Asn1Error('syntax', 'data truncated');
    const content = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return content;
  }

  /** `parseTagAndLength` */
  #header(): Header {
    const first = this.#byte('truncated tag or length');
    const isCompound = (first & COMPOUND) !== 0;
    const short = first & LONG_TAG;
    const tag = short === LONG_TAG ? this.#longTag() : short;
    return { class: first >> 6, tag, length: this.#length(), isCompound };
  }

  /** `parseBase128Int` */
  #longTag(): number {
    let tag = 0;
    for (let count = 0; ; count++) {
      if (count === 5 && this.#at < this.#bytes.length)
        throw new Asn1Error('structure', 'base 128 integer too large');
      const byte = this.#byte('truncated base 128 integer');
      if (count === 0 && byte === 0x80) throw new Asn1Error('syntax', 'integer is not minimally encoded');
      tag = tag * 0x80 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    if (tag > MAX_INT32) throw new Asn1Error('structure', 'base 128 integer too large');
    if (tag < LONG_TAG) throw new Asn1Error('syntax', 'non-minimal tag');
    return tag;
  }

  #length(): number {
    const first = this.#byte('truncated tag or length');
    if (first < 0x80) return first;
    if (first === 0x80) throw new Asn1Error('syntax', 'indefinite length found (not DER)');
    let length = 0;
    for (let count = first & 0x7f; count > 0; count--) {
      const byte = this.#byte('truncated tag or length');
      if (length >= MAX_SHIFTED) throw new Asn1Error('structure', 'length too large');
      length = length * 0x100 + byte;
      if (length === 0) throw new Asn1Error('structure', 'superfluous leading zeros in length');
    }
    if (length < 0x80) throw new Asn1Error('structure', 'non-minimal length');
    return length;
  }

  #byte(ifNone: string): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Asn1Error('syntax', ifNone);
    this.#at++;
    return byte;
  }
}
