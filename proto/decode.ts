// Binary -> JSON text.

import { TranslateError } from './errors.js';
import { compareUtf8, newline, quote, type Opening } from './json-text.js';
import { Message, type Value } from './message.js';
import { open, openSlot } from './open.js';
import { INTERMEDIATE, MAX_DEPTH } from './json.js';
import { isText, planOf, type Field } from './plan.js';
import { readMessage } from './read.js';
import { resolveName } from './registry.js';
import { TIMESTAMP, timestampProblem, timestampText } from './timestamp.js';

/** The longest JSON text, in characters. Indents let small messages, deeply nested, make large texts. */
const MAX_TEXT = 400_000_000;

/**
 * The JSON text of a serialized message.
 *
 * Keys of every object are sorted by their UTF-8 bytes, one value stands on a line, and the text ends with a line
 * feed (specification section 4). Opaque bytes are opened wherever it is known what they hold (section 6); where it
 * is not, or where they hold something else, they are base64. Unknown fields are left out.
 *
 * @throws TranslateError UNKNOWN_TYPE, BAD_BYTES, BAD_FIELD (a timestamp without a text form), TOO_LARGE
 */
export function decode(type: string, bytes: Uint8Array): string {
  const plan = planOf(resolveName(type));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const message = readMessage(plan, buffer);
  const problem = plan.name === TIMESTAMP ? timestampProblem(message) : undefined;
  if (problem !== undefined) throw new TranslateError('BAD_FIELD', `${plan.goType}: proto: ${problem}`);
  if (isText(plan)) {
    const text = `${INTERMEDIATE}json: cannot unmarshal string into Go value of type map[string]interface {}`;
    throw new TranslateError('BAD_FIELD', `${plan.goType}: ${text}`);
  }
  return new Printer(plan.goType).print(message);
}

/** An object or list that is being printed. */
interface Frame {
  /** Prints on until a nested object or list begins, which it enters, or to the end, where it leaves. */
  step(printer: Printer): void;
}

/** Prints without recursion, so that no input overflows the stack. */
class Printer {
  text = '';
  readonly #frames: Frame[] = [];
  readonly #goType: string;

  constructor(goType: string) {
    this.#goType = goType;
  }

  print(root: Message): string {
    this.message(root);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) frame.step(this);
    return `${this.text}\n`;
  }

  /** The depth of what is printed now. */
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

  /** Prints a value of a field, or one element or entry of it; an object is entered instead. */
  value(value: Value, field: Field): void {
    if (this.text.length > MAX_TEXT) {
      const text = `the JSON of this message has more than ${String(MAX_TEXT)} characters`;
      throw new TranslateError('TOO_LARGE', text);
    }
    if (value instanceof Message) this.message(value);
    else this.text += scalarText(value, field);
  }

  message(message: Message): void {
    if (message.plan.name === TIMESTAMP) this.text += `"${timestampText(message)}"`;
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
    const { printed } = message.plan;
    const { depth } = printer;
    while (this.#index < printed.length) {
      const field = printed[this.#index++]!;
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

/** The value of a field as it is printed: opened, and absent when it is an empty list or map. */
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
