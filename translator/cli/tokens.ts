// Splits the arguments of the program into flags and words, and replaces `@file` by the lines of the file.

import { readGivenFile } from '../../core/common/files/regular-file.js';
import { onPath } from '../on-path.js';
import { asUsage, UsageError } from './errors.js';

/** A long flag, with its value after `=`; a short flag; or a word. */
export type Token =
  | { readonly kind: 'flag'; readonly name: string; readonly value: string | undefined }
  | { readonly kind: 'short'; readonly name: string; readonly text: string }
  | { readonly kind: 'word'; readonly text: string };

/** Maximum number of argument files; a file may name other files or itself. */
const MAX_FILES = 100;
/** Maximum size of an argument file, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** Reads the arguments one by one. */
export class Tokens {
  /** The remaining arguments, in reverse order. */
  #rest: string[];
  #peeked: Token | undefined;
  #flagsEnded = false;
  #files = 0;

  constructor(args: readonly string[]) {
    this.#rest = args.toReversed();
  }

  /**
   * The next token; undefined at the end.
   *
   * @throws UsageError if an argument file cannot be read
   */
  next(): Token | undefined {
    const token = this.#peeked ?? this.#read();
    this.#peeked = undefined;
    return token;
  }

  /** The next token if it is a word; otherwise undefined, and the token is not consumed. */
  nextWord(): string | undefined {
    this.#peeked ??= this.#read();
    if (this.#peeked?.kind !== 'word') return undefined;
    const { text } = this.#peeked;
    this.#peeked = undefined;
    return text;
  }

  #read(): Token | undefined {
    for (let text = this.#rest.pop(); text !== undefined; text = this.#rest.pop()) {
      if (this.#flagsEnded) return { kind: 'word', text };
      if (text === '--') this.#flagsEnded = true;
      else if (text.startsWith('@')) this.#expand(text.slice(1));
      else return classify(text);
    }
    return undefined;
  }

  #expand(file: string): void {
    this.#files += 1;
    if (this.#files > MAX_FILES) throw new UsageError(`more than ${MAX_FILES} argument files`);
    for (const line of asUsage(() => readLines(file)).toReversed()) this.#rest.push(line);
  }
}

function classify(text: string): Token {
  if (!text.startsWith('-')) return { kind: 'word', text };
  if (!text.startsWith('--')) return { kind: 'short', name: [...text][1] ?? '', text };
  const equals = text.indexOf('=');
  return equals < 0
    ? { kind: 'flag', name: text.slice(2), value: undefined }
    : { kind: 'flag', name: text.slice(2, equals), value: text.slice(equals + 1) };
}

/** The lines of an argument file, without comments (`#`). */
function readLines(file: string): string[] {
  const text = onPath('open', file, () => readGivenFile(file, MAX_FILE_SIZE));
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return text === '' ? [] : lines.filter((line) => !line.startsWith('#'));
}
