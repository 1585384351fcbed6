// Reads the Prometheus text format 0.0.4.

import { isUtf8 } from 'node:buffer';
import { isStartTime } from '../../common/text/time.js';
import { createYielder, SourceError, type SourceFamily, type SourceReading } from '../../contract/index.js';
import { quote } from '../reason.js';
import { copyOf, FamilyReader, type KnownFamily } from './family.js';
import { invalid, parseNumber, scanHeading, scanSeries } from './scan.js';

/** Most lines of a text. */
export const MAX_LINES = 100_000;
/** Most lines with a sample. */
export const MAX_SAMPLES = 50_000;
/** Longest line, in UTF-16 units. */
export const MAX_LINE_LENGTH = 16_384;

/**
 * How much of a text is decoded at once, in bytes. V8 stores larger strings separately and frees them only in a full garbage collection,
 * which blocks the event loop for longer.
 */
const PIECE = 32 * 1024;
/** How many lines are read between two reads of the clock. */
const LINES_PER_CHECK = 128;
const LINE_END = 10;
const SPACE = 32;
const HASH = 35;
/** Value and timestamp. */
const VALUE = /^[ \t]+([^ \t]+)(?:[ \t]+-?\d{1,18})?[ \t]*$/;

/** Parses one text after another. Lines that were also in the last text are compared, not parsed again. */
export class ExpositionParser {
  #known: ReadonlyMap<string, KnownFamily> = new Map();
  #readings = 0;

  /**
   * Parses a text in UTF-8. Other code can run meanwhile. A series has the same labels object as in the last text, if that text was valid.
   *
   * @param signal aborts the work
   * @param shown changes what errors quote from the text
   * @throws SourceError `too_large` for too many lines, otherwise `invalid`; the message names the line
   */
  async parse(
    text: Uint8Array,
    signal: AbortSignal,
    shown: (reason: string) => string = (reason) => reason,
  ): Promise<SourceFamily[]> {
    this.#readings += 1;
    const reader = new TextReader(text, this.#known, this.#readings);
    // The known families change while lines are read. They cannot be used when the lines are not valid.
    this.#known = new Map();
    const yieldIfDue = createYielder(LINES_PER_CHECK);
    while (reader.readLine(shown)) {
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
  readonly #bytes: Buffer;
  readonly #last: ReadonlyMap<string, KnownFamily>;
  readonly #reading: number;
  /** The names of families that have ended, and of their lines. */
  readonly #names = new Set<string>();
  #family: FamilyReader | undefined;
  /** The start of the bytes that are not decoded yet. */
  #rest = 0;
  /** The piece that was decoded last, and the position in it. */
  #text = '';
  #position = 0;
  #line = 0;
  #samples = 0;

  constructor(bytes: Uint8Array, last: ReadonlyMap<string, KnownFamily>, reading: number) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#last = last;
    this.#reading = reading;
  }

  /** Reads the next line; false at the end of the text. @param shown changes what an error quotes */
  readLine(shown: (reason: string) => string): boolean {
    this.#line += 1;
    try {
      if (this.#position === this.#text.length && !this.#decodeNext()) {
        this.#finishFamily();
        return false;
      }
      const start = this.#position;
      if (this.#line > MAX_LINES) throw new SourceError('too_large', `more than ${MAX_LINES} lines`);
      const end = this.#text.indexOf('\n', start);
      this.#position = end + 1;
      if (end !== start) this.#readText(start, end);
      return true;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      throw new SourceError(error.failure, `line ${this.#line}: ${quote(shown(error.message))}`, {
        cause: error,
      });
    }
  }

  /** Decodes the next piece, which ends with a line if it is not the last one; false at the end of the text. */
  #decodeNext(): boolean {
    const start = this.#rest;
    if (start === this.#bytes.length) return false;
    let end = this.#bytes.length;
    if (end - start > PIECE) {
      const lastLineEnd = this.#bytes.lastIndexOf(LINE_END, start + PIECE - 1);
      const nextLineEnd = lastLineEnd < start ? this.#bytes.indexOf(LINE_END, start) : lastLineEnd;
      if (nextLineEnd !== -1) end = nextLineEnd + 1;
    }
    this.#text = this.#bytes.toString('utf8', start, end);
    this.#position = 0;
    this.#rest = end;
    return true;
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
    const last = this.#last.get(name);
    this.#family = new FamilyReader(last?.name ?? copyOf(name), last, this.#reading);
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

/**
 * Parses a text in the Prometheus format to a reading.
 *
 * @param what names the request or the command in errors
 * @param shown changes what errors quote from the text
 * @throws SourceError `too_large` or `invalid`
 */
export async function readExposition(
  parser: ExpositionParser,
  text: Uint8Array,
  what: string,
  signal: AbortSignal,
  shown: (reason: string) => string = (reason) => reason,
): Promise<SourceReading> {
  try {
    if (!isUtf8(text)) throw new SourceError('invalid', 'the text is not UTF-8');
    const families = await parser.parse(text, signal, shown);
    const startTime = startTimeIn(families);
    return { families, ...(startTime !== undefined && { startTime }) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(error.failure, `${what}: ${error.message}`, { cause: error });
  }
}

/** When the process started; undefined if the text has no start time, as on systems other than Linux, or an impossible one. */
function startTimeIn(families: readonly SourceFamily[]): number | undefined {
  const value = families.find(({ name }) => name === 'process_start_time_seconds')?.series[0]?.value;
  return isStartTime(value) && value > 0 ? value : undefined;
}
