// Serialized message -> JSON text.

import { is, requireTypes } from './arguments.js';
import { compareUtf8 } from './utf8.js';
import { descriptorOf, isJsonString } from './descriptor.js';
import { TranslateError } from './errors.js';
import { newline, quote, type Opening } from './json-text.js';
import { INTERMEDIATE } from './json-value.js';
import { MAX_DEPTH, MAX_TEXT, maxValuesOf, ValueLimit, type Bounds, BOUNDS } from './limits.js';
import { Message, type Field, type Value } from './message.js';
import { open, openSlot, readMessage } from './open.js';
import { resolveName } from './registry.js';
import { timestampProblem, timestampText } from './timestamp.js';
import { TIMESTAMP } from './type.js';

/** The approximate length of the pieces of text, in characters. */
const PIECE_SIZE = 65_536;

/**
 * The JSON text of a serialized message.
 *
 * It is indented with tabs, keys are sorted by their UTF-8 bytes, and it ends with a line feed. Opaque bytes are opened if their type is
 * known; otherwise, or if the bytes are not a message of this type, they are base64. Unknown fields are omitted.
 *
 * @throws TranslateError UNKNOWN_TYPE, BAD_BYTES, BAD_FIELD (a timestamp without a text form), TOO_LARGE
 */
export function decode(type: string, bytes: Uint8Array, bounds?: Bounds): string {
  requireTypes({ type, bytes, bounds }, { type: is.text, bytes: is.bytes, bounds: BOUNDS });
  const pieces: string[] = [];
  print(type, bytes, bounds, (piece) => {
    pieces.push(piece);
    return Buffer.byteLength(piece);
  });
  return pieces.join('');
}

/**
 * As {@link decode}, but returns UTF-8 in pieces, so that a large text is never in memory as a whole string.
 *
 * @param onUnknown is called with the number of unknown fields that the text lacks, if there are any
 * @throws TranslateError as `decode`
 */
export function decodeToPieces(
  type: string,
  bytes: Uint8Array,
  bounds?: Bounds,
  onUnknown?: (fields: number) => void,
): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const unknown = print(
    type,
    bytes,
    bounds,
    (piece) => pieces.push(Buffer.from(piece)) && pieces.at(-1)!.length,
  );
  if (unknown > 0) onUnknown?.(unknown);
  return pieces;
}

/** Receives a piece of the text and returns its length in bytes. */
type Sink = (piece: string) => number;

/** @returns the number of unknown fields, which are omitted */
function print(type: string, bytes: Uint8Array, bounds: Bounds | undefined, sink: Sink): number {
  const descriptor = descriptorOf(resolveName(type));
  const { name, goType } = descriptor;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const limit = bounds && new ValueLimit(maxValuesOf(bounds, 'message', bytes.length));
  const message = readMessage(descriptor, buffer, undefined, limit);
  const problem = name === TIMESTAMP ? timestampProblem(message) : undefined;
  if (problem !== undefined) throw new TranslateError('BAD_FIELD', `${goType}: proto: ${problem}`);
  if (isJsonString(descriptor)) {
    const text = `${INTERMEDIATE}json: cannot unmarshal string into Go value of type map[string]interface {}`;
    throw new TranslateError('BAD_FIELD', `${goType}: ${text}`);
  }
  const printer = new Printer(goType, Math.min(bounds?.maxOutput ?? MAX_TEXT, MAX_TEXT), sink);
  printer.print(message);
  return printer.unknown;
}

/** An open object or list. */
interface Frame {
  /** Prints up to the next nested object or list and enters it, or to the end and leaves. */
  step(printer: Printer): void;
}

/** Prints JSON without recursion, so that no input overflows the stack. */
class Printer {
  /** The text that was not passed on yet. */
  text = '';
  /** The number of unknown fields in the printed messages. */
  unknown = 0;
  readonly #frames: Frame[] = [];
  readonly #goType: string;
  readonly #maxSize: number;
  readonly #sink: Sink;
  #size = 0;

  /** @param maxSize maximum size of the text, in bytes */
  constructor(goType: string, maxSize: number, sink: Sink) {
    this.#goType = goType;
    this.#maxSize = maxSize;
    this.#sink = sink;
  }

  print(root: Message): void {
    this.message(root);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) frame.step(this);
    this.text += '\n';
    this.#flush();
  }

  /** The nesting depth at the current position. */
  get depth(): number {
    return this.#frames.length;
  }

  enter(frame: Frame, opening: string): void {
    if (this.#frames.push(frame) > MAX_DEPTH) {
      const text = `${INTERMEDIATE}invalid character '${opening}' exceeded max depth`;
      throw new TranslateError('TOO_LARGE', `${this.#goType}: ${text}`);
    }
  }

  leave(): void {
    this.#frames.pop();
  }

  /** Prints a value, list element or map value of a field; enters it if it is a message. */
  value(value: Value, field: Field): void {
    if (this.text.length >= PIECE_SIZE) this.#flush();
    if (value instanceof Message) this.message(value);
    else if (typeof value === 'string' && value.length >= PIECE_SIZE) this.#longString(value, field);
    else this.text += scalarText(value, field);
  }

  /** Prints a long string in pieces: escapes can make it six times as long, and replacing many of them at once takes much memory. */
  #longString(value: string, field: Field): void {
    this.text += '"';
    for (let start = 0, end; start < value.length; start = end) {
      end = start + PIECE_SIZE;
      // The two halves of a character must stay together.
      if (/[\ud800-\udbff]/.test(value.charAt(end - 1))) end -= 1;
      this.text += scalarText(value.slice(start, end), field).slice(1, -1);
      this.#flush();
    }
    this.text += '"';
  }

  /** Passes the text on to the sink. */
  #flush(): void {
    this.#size += this.#sink(this.text);
    this.text = '';
    if (this.#size > this.#maxSize)
      throw new TranslateError('TOO_LARGE', `the JSON of this message has more than ${this.#maxSize} bytes`);
  }

  message(message: Message): void {
    this.unknown += message.unknownCount;
    if (message.descriptor.name === TIMESTAMP) this.text += `"${timestampText(message)}"`;
    else this.enter(new MessageFrame(message), '{');
  }
}

class MessageFrame implements Frame {
  readonly #message: Message;
  #index = 0;
  #opening: Opening = '{';

  constructor(message: Message) {
    this.#message = message;
  }

  step(printer: Printer): void {
    const message = this.#message;
    const { sortedFields } = message.descriptor;
    const { depth } = printer;
    while (this.#index < sortedFields.length) {
      const field = sortedFields[this.#index++]!;
      const value = valueOf(message, field);
      if (value === undefined) {
        if (field.absent === undefined) continue;
        printer.text += field.absent.at(depth, this.#opening);
      } else {
        printer.text += field.label.at(depth, this.#opening);
        if (field.rule === 'list') printer.enter(new ListFrame(message, field, value as Value[]), '[');
        else if (field.rule === 'map')
          printer.enter(new MapFrame(message, field, value as Map<string, Value>), '{');
        else printer.value(value, field);
      }
      this.#opening = ',';
      if (printer.depth !== depth) return;
    }
    printer.text += this.#opening === '{' ? '{}' : `${newline(depth - 1)}}`;
    printer.leave();
  }
}

/** The value to print, with bytes opened. */
function valueOf(message: Message, field: Field): Value | undefined {
  if (field.content !== undefined && field.rule === '') return openSlot(message, field);
  return message.slots[field.slot];
}

class ListFrame implements Frame {
  readonly #message: Message;
  readonly #field: Field;
  readonly #values: readonly Value[];
  #index = 0;

  constructor(message: Message, field: Field, values: readonly Value[]) {
    this.#message = message;
    this.#field = field;
    this.#values = values;
  }

  step(printer: Printer): void {
    const field = this.#field;
    const { depth } = printer;
    const separator = newline(depth);
    while (this.#index < this.#values.length) {
      printer.text += (this.#index === 0 ? '[' : ',') + separator;
      const value = this.#values[this.#index++]!;
      printer.value(opened(value, field, this.#message, ''), field);
      if (printer.depth !== depth) return;
    }
    printer.text += `${newline(depth - 1)}]`;
    printer.leave();
  }
}

class MapFrame implements Frame {
  readonly #message: Message;
  readonly #field: Field;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #keys: readonly string[];
  #index = 0;

  constructor(message: Message, field: Field, values: ReadonlyMap<string, Value>) {
    this.#message = message;
    this.#field = field;
    this.#values = values;
    this.#keys = [...values.keys()].toSorted(compareUtf8);
  }

  step(printer: Printer): void {
    const field = this.#field;
    const { depth } = printer;
    const separator = newline(depth);
    while (this.#index < this.#keys.length) {
      const key = this.#keys[this.#index]!;
      printer.text += `${this.#index === 0 ? '{' : ','}${separator}${quote(key)}: `;
      this.#index++;
      printer.value(opened(this.#values.get(key)!, field, this.#message, key), field);
      if (printer.depth !== depth) return;
    }
    printer.text += `${newline(depth - 1)}}`;
    printer.leave();
  }
}

function opened(value: Value, field: Field, parent: Message, key: string): Value {
  return field.content !== undefined && value instanceof Buffer ? open(value, field, parent, key) : value;
}

function scalarText(value: Value, field: Field): string {
  if (typeof value === 'string') return field.kind === 'string' ? quote(value) : `"${value}"`;
  if (value instanceof Buffer) return `"${value.toString('base64')}"`;
  if (field.kind === 'enum') {
    const name = field.enum!.names.get(value as number);
    if (name !== undefined) return `"${name}"`;
  }
  return (value as number | boolean).toString();
}
