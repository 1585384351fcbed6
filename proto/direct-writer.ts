// JSON values -> bytes, without a message in between: the fast way of `encode`.
//
// The bytes are written back to front into one buffer: the field with the highest number of each message first, the last element of each
// list, the entry with the highest key of each map. The length precedes a value on the wire, so it is known when it is written, and no
// extra pass over the values computes sizes. Base64 is decoded directly into the buffer.
//
// Only usual documents are written, such as the output of `decode`. The writer stops at an error, a camelCase name, opaque bytes of a known
// type in base64, deep nesting, or a number that JSON.parse may have rounded. Then from-json.ts puts the document into a message, which also
// reports errors. Both ways produce the same bytes.

import { isObject, type JsonObject, type JsonValue } from './json-value.js';
import { MAX_TREE_DEPTH } from './limits.js';
import { Refusal, type Descriptor, type Field, type Readable } from './message.js';
import { RoundedNumber, scalarFrom, sizeOfBase64 } from './scalar.js';
import { isInRange, parseTimestamp } from './timestamp.js';
import { compareUtf8 } from './utf8.js';
import { stringToInt64, VARINT, varintSize } from './wire.js';

/**
 * The serialized message of a JSON object; undefined if the object is unusual.
 *
 * @param expectedSize the expected number of bytes; the buffer grows if necessary
 */
export function writeDirectly(
  descriptor: Descriptor,
  object: JsonObject,
  expectedSize: number,
): Buffer | undefined {
  const writer = new DirectWriter(expectedSize);
  try {
    return writer.write(new Place(descriptor, object, '', undefined));
  } catch (error) {
    if (error instanceof Unusual || error instanceof RoundedNumber) return undefined;
    throw error;
  }
}

/** Thrown for input that the writer leaves to from-json.ts. */
class Unusual extends Error {}

/** An object of the document, read as a message. */
class Place implements Readable {
  readonly descriptor: Descriptor;
  readonly key: string;
  readonly parent: Place | undefined;
  /** The values of the object by slot. */
  readonly given: readonly (JsonValue | undefined)[];

  /** @throws Unusual for a name that is not the original name of a field */
  constructor(descriptor: Descriptor, object: JsonObject, key: string, parent: Place | undefined) {
    const given: (JsonValue | undefined)[] = descriptor.emptySlots.slice();
    const { byName } = descriptor;
    // Faster than Object.keys; JSON objects inherit no enumerable properties.
    for (const name in object) {
      const field = byName.get(name);
      if (field === undefined) throw new Unusual();
      given[field.slot] = object[name]!;
    }
    this.descriptor = descriptor;
    this.key = key;
    this.parent = parent;
    this.given = given;
  }

  /**
   * The object in a field, list element or map entry; undefined if the field has opaque bytes that are never opened.
   *
   * @param key the key of the map entry; otherwise empty
   * @throws Unusual
   */
  inner(field: Field, key: string, json: JsonValue): Place | undefined {
    const descriptor = field.content === undefined ? field.child(key) : field.content(this, key, openGiven);
    if (descriptor instanceof Refusal) return undefined;
    if (!isObject(json)) throw new Unusual();
    return new Place(descriptor, json, key, this);
  }

  get(name: string): unknown {
    const field = this.descriptor.byName.get(name)!;
    const json = this.given[field.slot] ?? null;
    if (json === null) return undefined;
    return holdsMessage(field) ? this.inner(field, '', json) : scalarOf(field, json);
  }

  int(name: string): number {
    return (this.get(name) as number | undefined) ?? 0;
  }
}

/** Opened bytes are objects in the document. */
const openGiven = (message: Readable, name: string): Readable | undefined =>
  message.get(name) as Readable | undefined;

const holdsMessage = (field: Field): boolean => field.kind === 'message' || field.content !== undefined;

/** @throws Unusual for a value that the field does not allow; RoundedNumber */
function scalarOf({ kind, enum: values }: Field, json: JsonValue): string | Buffer | boolean | number {
  const value = scalarFrom(json, kind, values);
  if (value === undefined) throw new Unusual();
  return value;
}

/** Returns true if another member of the oneof with a lower number is given. */
function isSecondOfOneof({ descriptor: { fields }, given }: Place, { oneof, slot }: Field): boolean {
  return fields.some(
    (other) => other.oneof === oneof && other.slot < slot && (given[other.slot] ?? null) !== null,
  );
}

/** Returns true if keys are sorted, as in most documents. */
function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++)
    if (compareUtf8(keys[index - 1]!, keys[index]!) > 0) return false;
  return true;
}

/**
 * A non-negative number of at most 31 bits, or of up to three digits in a string; undefined for all other values. Faster than `scalarFrom`.
 */
function smallInteger(json: JsonValue): number | undefined {
  if (typeof json === 'number') return (json | 0) === json && json >= 0 ? json : undefined;
  if (typeof json !== 'string' || json.length === 0 || json.length > 3) return undefined;
  let value = 0;
  for (let index = 0; index < json.length; index++) {
    const digit = json.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9 || (value === 0 && index > 0)) return undefined;
    value = 10 * value + digit;
  }
  return value;
}

/** For ASCII strings up to this length a loop is faster. */
const SHORT_STRING = 40;

/** Writes values back to front. Its properties are not `#`, because V8 reads those more slowly. */
class DirectWriter {
  private buffer: Buffer;
  /** The beginning of the written bytes. */
  private at: number;
  private depth = 0;

  constructor(expectedSize: number) {
    this.buffer = Buffer.allocUnsafe(expectedSize);
    this.at = expectedSize;
  }

  write(place: Place): Buffer {
    this.fields(place);
    return this.buffer.subarray(this.at);
  }

  /** The number of written bytes. */
  private size(): number {
    return this.buffer.length - this.at;
  }

  /** Reserves bytes before the beginning, in a larger buffer if necessary, and returns the new beginning. */
  private before(count: number): number {
    if (this.at < count) {
      const size = this.size();
      const larger = Buffer.allocUnsafe(2 * (size + count));
      this.buffer.copy(larger, larger.length - size, this.at);
      this.buffer = larger;
      this.at = larger.length - size;
    }
    return (this.at -= count);
  }

  private fields(place: Place): void {
    const { fields } = place.descriptor;
    if (++this.depth > MAX_TREE_DEPTH) throw new Unusual();
    for (let slot = fields.length - 1; slot >= 0; slot--) {
      const json = place.given[slot];
      if (json === undefined) continue;
      const field = fields[slot]!;
      if (json === null) {
        // Fabric's protolator does not allow null for lists and maps that it handles itself.
        if (field.traversed && (field.rule === 'list' || field.rule === 'map')) throw new Unusual();
      } else if (field.rule === 'list') this.list(place, field, json);
      else if (field.rule === 'map') this.map(place, field, json);
      else this.single(place, field, json);
    }
    this.depth--;
  }

  private single(place: Place, field: Field, json: JsonValue): void {
    const { oneof, nested } = field;
    if (oneof !== undefined && isSecondOfOneof(place, field)) throw new Unusual();
    const size = this.size();
    this.value(place, field, '', json);
    // Zero values, and empty strings and bytes, are not written.
    if (oneof === undefined && !nested && this.size() === size + 1 && this.buffer[this.at] === 0) this.at++;
    else this.varint(field.tag);
  }

  private list(place: Place, field: Field, json: JsonValue): void {
    if (!Array.isArray(json)) throw new Unusual();
    const size = this.size();
    for (let index = json.length - 1; index >= 0; index--) {
      this.value(place, field, '', json[index]!);
      if (!field.packed) this.varint(field.tag);
    }
    if (!field.packed || json.length === 0) return;
    this.varint(this.size() - size);
    this.varint(field.tag);
  }

  private map(place: Place, field: Field, json: JsonValue): void {
    if (!isObject(json)) throw new Unusual();
    const keys = Object.keys(json);
    if (!isSorted(keys)) keys.sort(compareUtf8);
    if (keys.length > 0 && field.keyKind !== 'string') throw new Unusual();
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index]!;
      const size = this.size();
      this.value(place, field, key, json[key]!);
      this.varint(field.valueTag);
      this.text(key);
      this.varint(field.keyTag);
      this.varint(this.size() - size);
      this.varint(field.tag);
    }
  }

  /** Writes a value without its tag. */
  private value(place: Place, field: Field, key: string, json: JsonValue): void {
    const { kind } = field;
    if (holdsMessage(field)) this.message(place.inner(field, key, json), json);
    else if (kind === 'string') this.text(json);
    else if (kind === 'bytes') this.bytes(json);
    else if (kind === 'timestamp') this.timestamp(json);
    else if (kind === 'bool' || kind === 'enum') this.number(scalarOf(field, json));
    else this.number(smallInteger(json) ?? scalarOf(field, json));
  }

  private message(inner: Place | undefined, json: JsonValue): void {
    if (inner === undefined) {
      this.bytes(json);
      return;
    }
    const size = this.size();
    this.fields(inner);
    this.varint(this.size() - size);
  }

  private text(text: JsonValue): void {
    if (typeof text !== 'string') throw new Unusual();
    const { length } = text;
    if (length > SHORT_STRING || !this.shortAscii(text)) {
      const size = Buffer.byteLength(text);
      const start = this.before(size);
      this.buffer.write(text, start, size, size === length ? 'latin1' : 'utf8');
      this.varint(size);
    } else this.varint(length);
  }

  /** Writes nothing and returns false if the text is not ASCII. */
  private shortAscii(text: string): boolean {
    const { length } = text;
    const start = this.before(length);
    const { buffer } = this;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) {
        this.at += length;
        return false;
      }
      buffer[start + index] = code;
    }
    return true;
  }

  private bytes(json: JsonValue): void {
    const size = typeof json === 'string' ? sizeOfBase64(json) : undefined;
    if (size === undefined) throw new Unusual();
    const start = this.before(size);
    // The decoder of Node.js skips invalid characters, and then writes fewer bytes.
    if (this.buffer.write(json as string, start, size, 'base64') !== size) throw new Unusual();
    this.varint(size);
  }

  private timestamp(json: JsonValue): void {
    const parsed = typeof json === 'string' ? parseTimestamp(json) : undefined;
    if (parsed === undefined || !isInRange(parsed.seconds)) throw new Unusual();
    const size = this.size();
    for (const [number, value] of [
      [2, parsed.nanos],
      [1, parsed.seconds],
    ] as const) {
      if (value === 0) continue;
      this.number(String(value));
      this.varint((number << 3) | VARINT);
    }
    this.varint(this.size() - size);
  }

  /** Writes a boolean, an enum or an integer; a 64-bit integer is a decimal string. */
  private number(value: string | Buffer | boolean | number): void {
    if (typeof value === 'number' && value >= 0) this.varint(value);
    else if (typeof value === 'boolean') this.varint(Number(value));
    else {
      const { low, high } = stringToInt64(String(value));
      this.varint64(low, high);
    }
  }

  private varint(value: number): void {
    if (value >= 0x80) {
      this.varint64(value, 0);
      return;
    }
    const start = this.before(1);
    this.buffer[start] = value;
  }

  private varint64(low: number, high: number): void {
    let at = this.before(varintSize({ low, high }));
    for (; high !== 0 || low >>> 0 >= 0x80; at++) {
      this.buffer[at] = (low & 0x7f) | 0x80;
      low = (low >>> 7) | (high << 25);
      high >>>= 7;
    }
    this.buffer[at] = low;
  }
}
