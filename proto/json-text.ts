// JSON text as Go's encoder writes it.

const NEEDS_ESCAPE = /["\\<>&\u0000-\u001f\u2028\u2029]/;
const ALL_ESCAPES = /["\\<>&\u0000-\u001f\u2028\u2029]/g;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A JSON string, with `<`, `>`, `&` and the line separators escaped (specification section 4). */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(ALL_ESCAPES, escape)}"` : `"${text}"`;
}

function escape(character: string): string {
  return SHORT_ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Indents of real documents are kept; those of hostile ones would fill the memory. */
const INDENTS = Array.from({ length: 100 }, (_, depth) => `\n${'\t'.repeat(depth)}`);

/** A line break and as many tabs. */
export function newline(depth: number): string {
  return INDENTS[depth] ?? `\n${'\t'.repeat(depth)}`;
}

/** What begins a member of an object: the brace before the first one, a comma before others. */
export type Opening = '{' | ',';

/** A text on a line of its own in an object, kept for each depth it was needed at. */
export class Line {
  readonly #text: string;
  readonly #first: string[] = [];
  readonly #others: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  at(depth: number, opening: Opening): string {
    const kept = opening === ',' ? this.#others : this.#first;
    return kept[depth] ?? this.#make(depth, opening, kept);
  }

  #make(depth: number, opening: Opening, kept: string[]): string {
    const line = opening + newline(depth) + this.#text;
    if (depth < INDENTS.length) {
      while (kept.length < depth) kept.push(opening + newline(kept.length) + this.#text);
      kept[depth] = line;
    }
    return line;
  }
}

/**
 * Compares two texts by the bytes of their UTF-8 form.
 *
 * JavaScript compares 16-bit units, among which the surrogates of U+10000 and above stand before U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
