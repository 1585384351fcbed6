// JSON text in the form of Go's encoding/json.

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

/** A JSON string. Also escapes `<`, `>`, `&` and the line separators. */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(ALL_ESCAPES, escape)}"` : `"${text}"`;
}

/** The escapes, cached because hostile input can need them millions of times. */
const ESCAPES: ReadonlyMap<string, string> = new Map(
  [...Array.from({ length: 128 }, (_, code) => code), 0x2028, 0x2029].map((code) => {
    const character = String.fromCharCode(code);
    return [character, SHORT_ESCAPES.get(character) ?? `\\u${code.toString(16).padStart(4, '0')}`];
  }),
);

function escape(character: string): string {
  return ESCAPES.get(character)!;
}

/** Indents of usual depths. Caching all indents of hostile input would fill the memory. */
const INDENTS = Array.from({ length: 100 }, (_, depth) => `\n${'\t'.repeat(depth)}`);

/** A line break and one tab per level. */
export function newline(depth: number): string {
  return INDENTS[depth] ?? `\n${'\t'.repeat(depth)}`;
}

/** The character before a member of an object: a brace before the first member, a comma before the others. */
export type Opening = '{' | ',';

/** The text of an object member, cached with its line break and indent for each depth. */
export class Line {
  readonly #text: string;
  readonly #first: string[] = [];
  readonly #others: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  at(depth: number, opening: Opening): string {
    const cached = opening === ',' ? this.#others : this.#first;
    return cached[depth] ?? this.#make(depth, opening, cached);
  }

  #make(depth: number, opening: Opening, cached: string[]): string {
    const line = opening + newline(depth) + this.#text;
    if (depth < INDENTS.length) {
      while (cached.length < depth) cached.push(opening + newline(cached.length) + this.#text);
      cached[depth] = line;
    }
    return line;
  }
}
