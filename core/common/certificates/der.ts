// DER (X.690, chapter 10): short tags, definite and minimal lengths, as Go's cryptobyte reads it.

export const BOOLEAN = 0x01;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const NULL = 0x05;
export const OID = 0x06;
export const UTC_TIME = 0x17;
export const GENERALIZED_TIME = 0x18;
export const SEQUENCE = 0x30;
export const SET = 0x31;
/** The tag of a context-specific element. */
export const context = (number: number, isConstructed: boolean): number =>
  (isConstructed ? 0xa0 : 0x80) + number;

/** The low bits of a tag that is longer than a byte. */
const LONG_TAG = 0x1f;
const LONG_LENGTH = 0x80;
const MAX_LENGTH_BYTES = 4;
/** The largest component of an object identifier, as in Go. */
const MAX_ARC = 0x7fff_ffff;

/** An element: its tag, its content, and both together with the length. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly raw: Uint8Array;
}

/** Reads the elements of a constructed element in order. Never recurses: only the code of the caller determines the depth. */
export class ElementReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The unread bytes. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  /** The first unread byte; undefined at the end. */
  get nextTag(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** The next element; undefined if it is not valid DER. */
  next(): Element | undefined {
    const start = this.#at;
    const tag = this.#bytes[start];
    if (tag === undefined || (tag & LONG_TAG) === LONG_TAG) return undefined;
    const header = lengthAt(this.#bytes, start + 1);
    if (header === undefined) return undefined;
    const end = header.contentAt + header.length;
    if (end > this.#bytes.length) return undefined;
    this.#at = end;
    return {
      tag,
      content: this.#bytes.subarray(header.contentAt, end),
      raw: this.#bytes.subarray(start, end),
    };
  }
}

function lengthAt(bytes: Uint8Array, at: number): { length: number; contentAt: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < LONG_LENGTH) return { length: first, contentAt: at + 1 };
  const count = first - LONG_LENGTH;
  if (count === 0 || count > MAX_LENGTH_BYTES || at + count >= bytes.length) return undefined;
  let length = 0;
  for (let index = 1; index <= count; index++) length = length * 256 + bytes[at + index]!;
  const isMinimal = length >= LONG_LENGTH && bytes[at + 1] !== 0;
  return isMinimal ? { length, contentAt: at + 1 + count } : undefined;
}

/** Reads all elements of a constructed element. @throws Error for bytes that are not DER */
export function readElements(bytes: Uint8Array): Element[] {
  const elements: Element[] = [];
  for (const reader = new ElementReader(bytes); !reader.isEmpty;) {
    const element = reader.next();
    if (element === undefined) throw new Error('an element is not DER');
    elements.push(element);
  }
  return elements;
}

/** A BOOLEAN; undefined if it is not DER. */
export function booleanOf(content: Uint8Array): boolean | undefined {
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) return undefined;
  return content[0] === 0xff;
}

/** An OBJECT IDENTIFIER as `1.2.840`; undefined if it is not valid. */
export function oidOf(content: Uint8Array): string | undefined {
  const arcs: number[] = [];
  let arc = 0;
  let isComplete = true;
  for (const byte of content) {
    if (isComplete && byte === 0x80) return undefined;
    arc = arc * 128 + (byte & 0x7f);
    if (arc > MAX_ARC) return undefined;
    isComplete = byte < 0x80;
    if (!isComplete) continue;
    if (arcs.length > 0) arcs.push(arc);
    else arcs.push(Math.min(2, Math.floor(arc / 40)), arc - 40 * Math.min(2, Math.floor(arc / 40)));
    arc = 0;
  }
  return isComplete && arcs.length > 0 ? arcs.join('.') : undefined;
}

/** A BIT STRING and the number of its unused bits; undefined if it is not valid. */
export function bitStringOf(content: Uint8Array): { bytes: Uint8Array; unused: number } | undefined {
  const [unused] = content;
  if (unused === undefined || unused > 7 || (content.length === 1 && unused > 0)) return undefined;
  if ((content.at(-1)! & ((1 << unused) - 1)) !== 0 && content.length > 1) return undefined;
  return { bytes: content.subarray(1), unused };
}
