// JSON text -> values, with exact numbers, all keys and the error texts of Go's encoding/json.

import { TranslateError } from './errors.js';
import { INTERMEDIATE, JsonNumber, type JsonObject, type JsonValue } from './json-value.js';
import { MAX_DEPTH, MAX_JSON_VALUES } from './limits.js';
import { byteAt } from './utf8.js';

/**
 * The first value of a text. As in Go's decoder, the rest of the text is ignored.
 *
 * @throws TranslateError BAD_JSON or TOO_LARGE
 */
export function parseJson(text: string, maxValues = MAX_JSON_VALUES): JsonValue {
  return new Parser(text, Math.min(maxValues, MAX_JSON_VALUES)).parse();
}

/**
 * The value of a text. Unlike `parseJson`, it throws an error for text after the value.
 *
 * @throws TranslateError BAD_JSON or TOO_LARGE
 */
export function parseOnlyJson(text: string): JsonValue {
  const parser = new Parser(text, MAX_JSON_VALUES);
  const value = parser.parse();
  parser.end();
  return value;
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const LITERALS: ReadonlyMap<number, readonly [string, boolean | null]> = new Map([
  [0x74, ['true', true]],
  [0x66, ['false', false]],
  [0x6e, ['null', null]],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** An open list or object. */
interface Container {
  readonly value: JsonValue[] | JsonObject;
  /** The key of the next value. */
  key: string;
}

/** A parser without recursion, so that no input overflows the stack. */
class Parser {
  readonly #text: string;
  readonly #wellFormed: boolean;
  readonly #maxValues: number;
  #position = 0;
  #values = 0;
  readonly #open: Container[] = [];

  constructor(text: string, maxValues: number) {
    this.#text = text;
    this.#maxValues = maxValues;
    this.#wellFormed = text.isWellFormed();
  }

  parse(): JsonValue {
    for (;;) {
      let value = this.#begin();
      // A list or object was opened: continue with its first value.
      if (value === undefined) continue;
      for (;;) {
        const container = this.#open.at(-1);
        if (container === undefined) return value;
        add(container, value);
        if (!this.#endsAfterValue(container)) break;
        value = this.#open.pop()!.value;
      }
    }
  }

  /** @throws TranslateError BAD_JSON if there is more text after the value */
  end(): void {
    if (!Number.isNaN(this.#next())) throw this.#unexpected('after top-level value');
  }

  /** Reads a value. For a list or object that is not empty, opens it and returns undefined. */
  #begin(): JsonValue | undefined {
    if (++this.#values > this.#maxValues) {
      throw new TranslateError('TOO_LARGE', `${INTERMEDIATE}more than ${String(this.#maxValues)} values`);
    }
    const code = this.#next();
    if (code === QUOTE) return this.#string();
    if (code === OPEN_OBJECT) return this.#enter({ value: {}, key: '' }, CLOSE_OBJECT);
    if (code === OPEN_LIST) return this.#enter({ value: [], key: '' }, CLOSE_LIST);
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number();
    const literal = LITERALS.get(code);
    if (literal === undefined) throw this.#unexpected('looking for beginning of value');
    return this.#literal(literal[0], literal[1]);
  }

  #enter(container: Container, closing: number): JsonValue | undefined {
    if (this.#open.length === MAX_DEPTH) throw this.#unexpected('exceeded max depth', 'TOO_LARGE');
    this.#position++;
    if (this.#next() === closing) {
      this.#position++;
      return container.value;
    }
    this.#open.push(container);
    if (!Array.isArray(container.value)) this.#key(container);
    return undefined;
  }

  /** Reads the comma or bracket after a value in a container; returns whether the container ends. */
  #endsAfterValue(container: Container): boolean {
    const list = Array.isArray(container.value);
    const code = this.#next();
    if (code === COMMA) {
      this.#position++;
      if (!list) this.#key(container);
      return false;
    }
    if (code !== (list ? CLOSE_LIST : CLOSE_OBJECT)) {
      throw this.#unexpected(list ? 'after array element' : 'after object key:value pair');
    }
    this.#position++;
    return true;
  }

  #key(container: Container): void {
    if (this.#next() !== QUOTE) throw this.#unexpected('looking for beginning of object key string');
    container.key = this.#string();
    if (this.#next() !== COLON) throw this.#unexpected('after object key');
    this.#position++;
  }

  /** Skips whitespace; returns the character at the new position, or NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (code !== SPACE && code !== LF && code !== TAB && code !== CR) return code;
      this.#position++;
    }
  }

  #string(): string {
    const text = this.#text;
    const start = this.#position + 1;
    for (let index = start; ; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.#position = index + 1;
        const string = text.slice(start, index);
        return this.#wellFormed ? string : string.toWellFormed();
      }
      if (code === BACKSLASH) return this.#escapedString(start, index);
      if (!(code >= SPACE)) throw this.#unexpectedAt(index, 'in string literal');
    }
  }

  #escapedString(start: number, firstEscape: number): string {
    const text = this.#text;
    let result = text.slice(start, firstEscape).toWellFormed();
    for (let index = firstEscape; ;) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.#position = index + 1;
        // An unpaired surrogate becomes U+FFFD.
        return result.toWellFormed();
      }
      if (!(code >= SPACE)) throw this.#unexpectedAt(index, 'in string literal');
      if (code === BACKSLASH) {
        const [character, next] = this.#escape(index + 1);
        result += character;
        index = next;
      } else {
        const end = plainEnd(text, index + 1);
        // The surrogate of an invalid byte must not form a pair with an escaped surrogate before it.
        result += text.slice(index, end).toWellFormed();
        index = end;
      }
    }
  }

  /** The character of an escape sequence, and the index of its end. */
  #escape(index: number): [string, number] {
    const letter = this.#text.charAt(index);
    if (letter !== 'u') {
      const character = ESCAPES.get(letter);
      if (character === undefined) throw this.#unexpectedAt(index, 'in string escape code');
      return [character, index + 1];
    }
    for (let digit = index + 1; digit <= index + 4; digit++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text.charAt(digit))) {
        throw this.#unexpectedAt(digit, String.raw`in \u hexadecimal character escape`);
      }
    }
    return [String.fromCharCode(parseInt(this.#text.slice(index + 1, index + 5), 16)), index + 5];
  }

  #number(): JsonNumber {
    const start = this.#position;
    let index = start;
    if (this.#text.charCodeAt(index) === MINUS) index++;
    if (this.#text.charCodeAt(index) === ZERO) index++;
    else index = this.#digits(index, 'in numeric literal');
    if (this.#text.charCodeAt(index) === DOT) {
      index = this.#digits(index + 1, 'after decimal point in numeric literal');
    }
    if (/^[eE]$/.test(this.#text.charAt(index))) {
      index += /^[+-]$/.test(this.#text.charAt(index + 1)) ? 2 : 1;
      index = this.#digits(index, 'in exponent of numeric literal');
    }
    this.#position = index;
    return new JsonNumber(this.#text.slice(start, index));
  }

  /** The index after one or more digits. */
  #digits(index: number, where: string): number {
    let end = index;
    for (
      let code = this.#text.charCodeAt(end);
      code >= ZERO && code <= NINE;
      code = this.#text.charCodeAt(end)
    )
      end++;
    if (end === index) throw this.#unexpectedAt(index, where);
    return end;
  }

  #literal(word: string, value: boolean | null): boolean | null {
    for (let index = 1; index < word.length; index++) {
      if (this.#text[this.#position + index] === word[index]) continue;
      throw this.#unexpectedAt(this.#position + index, `in literal ${word} (expecting '${word[index]!}')`);
    }
    this.#position += word.length;
    return value;
  }

  #unexpected(where: string, code: 'BAD_JSON' | 'TOO_LARGE' = 'BAD_JSON'): TranslateError {
    return this.#unexpectedAt(this.#position, where, code);
  }

  #unexpectedAt(index: number, where: string, code: 'BAD_JSON' | 'TOO_LARGE' = 'BAD_JSON'): TranslateError {
    const text = this.#text;
    if (index >= text.length) {
      const empty = /^[ \t\n\r]*$/.test(text);
      return new TranslateError('BAD_JSON', `${INTERMEDIATE}${empty ? 'EOF' : 'unexpected EOF'}`, '', index);
    }
    const message = `invalid character ${quoteCharacter(text, index)} ${where}`;
    return new TranslateError(code, INTERMEDIATE + message, '', index);
  }
}

function add({ value: container, key }: Container, value: JsonValue): void {
  if (Array.isArray(container)) container.push(value);
  // An assignment would set the prototype.
  else if (key === '__proto__')
    Object.defineProperty(container, key, { value, enumerable: true, writable: true, configurable: true });
  else container[key] = value;
}

/** The index of the next quote, backslash or control character. */
function plainEnd(text: string, start: number): number {
  let index = start;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code === QUOTE || code === BACKSLASH || !(code >= SPACE)) return index;
    index++;
  }
}

const GO_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["'", String.raw`\'`],
  ['\\', String.raw`\\`],
  ['\u0007', String.raw`\a`],
  ['\b', String.raw`\b`],
  ['\f', String.raw`\f`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
  ['\v', String.raw`\v`],
]);

/** A character as quoted by Go's encoding/json, which shows only the first byte of a character. */
function quoteCharacter(text: string, index: number): string {
  const byte = byteAt(text, index);
  const character = String.fromCharCode(byte);
  const escape = GO_ESCAPES.get(character);
  if (escape !== undefined) return `'${escape}'`;
  if (byte < SPACE || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  return byte >= 0x80 && (byte < 0xa1 || byte === 0xad) ? `'\\u00${byte.toString(16)}'` : `'${character}'`;
}
