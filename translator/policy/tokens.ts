// Splits the text of a signature policy into tokens.

import { TranslateError } from '../../proto/errors.js';
import { onOneLine } from '../../core/common/text/one-line.js';

/** The maximum length of a policy, in characters. */
const LONGEST = 10_000_000;
/** The maximum length of a token in an error. */
const SHOWN = 60;

/** A word is a name or a number; a string is in quotes. */
export interface Token {
  readonly kind: 'word' | 'string' | '(' | ')' | ',' | 'end';
  /** A string without its quotes. */
  readonly text: string;
  /** The index of its first character. */
  readonly offset: number;
}

// White space as in Go's unicode.IsSpace.
const SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/y;
const WORD = /[A-Za-z0-9_.+-]+/y;
const MARK = /[(),]/y;
const STRING = /'[^']*'|"[^"]*"/y;

/** The error for a policy that does not parse. Positions count from 1. */
export function badPolicy(offset: number, problem: string): TranslateError {
  return new TranslateError(
    'BAD_POLICY',
    `signature policy, position ${String(offset + 1)}: ${problem}`,
    '',
    offset,
  );
}

/** A part of the text for an error, in quotes. */
export const quoted = (text: string): string =>
  `'${onOneLine(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)}'`;

/** The tokens of a text one by one. */
export class Tokens {
  readonly #text: string;
  #position = 0;
  #next: Token;

  constructor(text: string) {
    if (text.length > LONGEST)
      throw new TranslateError(
        'TOO_LARGE',
        `signature policy: ${String(text.length)} characters, allowed are ${String(LONGEST)}`,
      );
    this.#text = text;
    this.#next = this.#read();
  }

  /** The next token, without consuming it. */
  get next(): Token {
    return this.#next;
  }

  /** Consumes the next token. */
  take(): Token {
    const token = this.#next;
    this.#next = this.#read();
    return token;
  }

  #read(): Token {
    this.#match(SPACE);
    const offset = this.#position;
    if (offset === this.#text.length) return { kind: 'end', text: '', offset };
    const mark = this.#match(MARK);
    if (mark !== undefined) return { kind: mark as '(' | ')' | ',', text: mark, offset };
    const word = this.#match(WORD);
    if (word !== undefined) return { kind: 'word', text: word, offset };
    const string = this.#match(STRING);
    if (string !== undefined) return { kind: 'string', text: string.slice(1, -1), offset };
    const character = String.fromCodePoint(this.#text.codePointAt(offset)!);
    if (character === "'" || character === '"')
      throw badPolicy(offset, `the string is not closed, expected another ${character} after it`);
    throw badPolicy(offset, `unexpected ${quoted(character)}`);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0];
    this.#position += found?.length ?? 0;
    return found;
  }
}

/** Names a token in errors. */
export function describeToken({ kind, text }: Token): string {
  if (kind === 'end') return 'the end';
  return quoted(text);
}
