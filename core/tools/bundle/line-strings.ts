// Finds the strings in the lines of a text, such as JSON or logfmt.

/** Text after the end of a string. */
const AFTER_STRING = /[ \t\r]*(?:[,:}\])]|\n|$)|[ \t]+[\w.-]+=/y;

/** The strings of each line. The positions must be passed in ascending order, so that the text is read once. */
export class LineStrings {
  readonly #text: string;
  #read = 0;
  #isInString = false;
  #line = { start: 0, end: -1 };

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether a position is in a string. */
  has(at: number): boolean {
    const text = this.#text;
    for (; this.#read < at; this.#read += 1) {
      const character = text[this.#read];
      if (character === '\n') this.#isInString = false;
      else if (character === '\\' && text[this.#read + 1] !== '\n') this.#read += 1;
      else if (character === '"') this.#isInString = !this.#isInString;
    }
    return this.#isInString;
  }

  /** Whether the string around a position ends there. */
  isEnd(at: number): boolean {
    AFTER_STRING.lastIndex = at + 1;
    return this.#text[at] === '"' && AFTER_STRING.test(this.#text);
  }

  /** The end of the string around a position; outside of strings, the end of the line. */
  endOf(at: number): number {
    const lineEnd = this.lineEnd(at);
    if (!this.has(at)) return lineEnd;
    for (let index = at; index < lineEnd; index += 1) {
      if (this.#text[index] === '\\') index += 1;
      else if (this.isEnd(index)) return index;
    }
    return lineEnd;
  }

  /** The end of the line of a position. */
  lineEnd(at: number): number {
    const { start, end } = this.#line;
    if (at >= start && at <= end) return end;
    const found = this.#text.indexOf('\n', at);
    this.#line = { start: at, end: found === -1 ? this.#text.length : found };
    return this.#line.end;
  }
}
