// Parses the Prometheus text format 0.0.4. It is strict: one bad line refuses the whole text, because a part of the families could
// look like a restart of the node. The only parser on npm takes four times as long and loses the label `__proto__`.

import { createYielder, SourceError, type SourceFamily } from '../../../core/contract/index.js';
import { quote } from '../../common/reason.js';
import { FamilyReader, type KnownFamily } from './family.js';
import { parseNumber } from './number.js';
import { invalid, scanHeading, scanSeries } from './scan.js';

/** Most lines of a text. */
export const MAX_LINES = 100_000;
/** Most lines with a sample. */
export const MAX_SAMPLES = 50_000;
/** Longest line, in UTF-16 units. */
export const MAX_LINE_LENGTH = 16_384;

/** How many lines are read between two reads of the clock. */
const LINES_PER_CHECK = 128;
const SPACE = 32;
const HASH = 35;
/** Value and timestamp. */
const VALUE = /^[ \t]+([^ \t]+)(?:[ \t]+-?\d{1,18})?[ \t]*$/;

/** Parses one text after another. Lines that the last text had as well are compared, not parsed again. */
export class ExpositionParser {
  #known: ReadonlyMap<string, KnownFamily> = new Map();
  #readings = 0;

  /**
   * Parses a text. Other code can run meanwhile. A series has the same labels object as in the text before, if that was valid.
   *
   * @param signal aborts the work
   * @throws SourceError `too_large` for too many lines, otherwise `invalid`; the message names the line
   */
  async parse(text: string, signal: AbortSignal): Promise<SourceFamily[]> {
    this.#readings += 1;
    const reader = new TextReader(text, this.#known, this.#readings);
    // What is known changes while lines are read. It is of no use when they are not valid.
    this.#known = new Map();
    const yieldIfDue = createYielder(LINES_PER_CHECK);
    while (reader.readLine()) {
      const turn = yieldIfDue();
      if (turn === undefined) continue;
      await turn;
      signal.throwIfAborted();
    }
    this.#known = reader.known;
    return reader.families;
  }
}

/** The state of one reading. */
class TextReader {
  readonly families: SourceFamily[] = [];
  readonly known = new Map<string, KnownFamily>();
  readonly #text: string;
  readonly #last: ReadonlyMap<string, KnownFamily>;
  readonly #reading: number;
  /** The names of families that have ended, and of their lines. */
  readonly #names = new Set<string>();
  #family: FamilyReader | undefined;
  #position = 0;
  #line = 0;
  #samples = 0;

  constructor(text: string, last: ReadonlyMap<string, KnownFamily>, reading: number) {
    this.#text = text;
    this.#last = last;
    this.#reading = reading;
  }

  /** Reads the next line; false at the end of the text. */
  readLine(): boolean {
    const start = this.#position;
    this.#line += 1;
    try {
      if (start === this.#text.length) {
        this.#finishFamily();
        return false;
      }
      if (this.#line > MAX_LINES) throw new SourceError('too_large', `more than ${MAX_LINES} lines`);
      const end = this.#text.indexOf('\n', start);
      this.#position = end + 1;
      if (end !== start) this.#readText(start, end);
      return true;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      throw new SourceError(error.failure, `line ${this.#line}: ${quote(error.message)}`, { cause: error });
    }
  }

  #readText(start: number, end: number): void {
    if (end === -1) throw invalid('the last line has no line end');
    if (end - start > MAX_LINE_LENGTH) throw invalid(`it is longer than ${MAX_LINE_LENGTH} characters`);
    if (this.#text.charCodeAt(start) === HASH) this.#readComment(this.#text.slice(start, end));
    else this.#readSample(start, end);
  }

  #readComment(line: string): void {
    const heading = scanHeading(line);
    if (heading === undefined) return;
    if (heading.name !== this.#family?.name) this.#startFamily(heading.name);
    this.#family?.describe(heading);
  }

  #readSample(start: number, end: number): void {
    this.#samples += 1;
    if (this.#samples > MAX_SAMPLES) throw new SourceError('too_large', `more than ${MAX_SAMPLES} samples`);
    const expected = this.#family?.expected();
    if (expected !== undefined && this.#text.startsWith(expected.text, start)) {
      const valueStart = start + expected.text.length;
      if (this.#text.charCodeAt(valueStart) === SPACE) {
        const value = parseNumber(this.#text.slice(valueStart + 1, end));
        this.#family?.addExpected(expected, value ?? valueOf(this.#text.slice(valueStart, end)));
        return;
      }
    }
    this.#scanSample(this.#text.slice(start, end));
  }

  #scanSample(line: string): void {
    const scanned = scanSeries(line);
    let part = this.#family?.partOf(scanned.name);
    if (part === undefined) {
      this.#startFamily(scanned.name);
      part = 'value';
    }
    const value = valueOf(line.slice(scanned.end));
    this.#family?.addScanned(part, scanned, line.slice(0, scanned.end), value);
  }

  #startFamily(name: string): void {
    this.#finishFamily();
    if (this.#names.has(name)) throw invalid(`${name} appears again after another family`);
    this.#family = new FamilyReader(name, this.#last.get(name), this.#reading);
  }

  #finishFamily(): void {
    const family = this.#family;
    if (family === undefined) return;
    for (const name of new Set([family.name, ...family.lineNames()])) {
      if (this.#names.has(name)) throw invalid(`${name} belongs to two families`);
      this.#names.add(name);
    }
    const finished = family.finish();
    if (finished === undefined) return;
    this.families.push(finished.family);
    this.known.set(finished.family.name, finished.known);
  }
}

/** The value at the end of a line; a timestamp after it is ignored. */
function valueOf(text: string): number {
  const [, found = ''] = VALUE.exec(text) ?? [];
  const value = parseNumber(found);
  if (value === undefined) throw invalid(`'${text.trim()}' is not a number`);
  return value;
}
