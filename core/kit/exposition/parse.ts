// Reads the Prometheus text format 0.0.4.

import { isUtf8 } from 'node:buffer';
import { isStartTime } from '../../common/text/time.js';
import { createYielder, SourceError, type SourceFamily, type SourceReading } from '../../contract/index.js';
import type { SkippedPart } from '../../contract/metric-source.js';
import { quote } from '../reason.js';
import { copyOf, FamilyReader, type FinishedFamily, type KnownFamily } from './family.js';
import { invalid, nameIn, parseNumber, scanHeading, scanSeries } from './scan.js';

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
const CARRIAGE_RETURN = 13;
const TAB = 9;
/** Most parts of a text that are reported because they are not valid. */
const MAX_SKIPPED = 100;
/** Most lines that are not valid: a text with more is refused, because each error takes time. */
export const MAX_INVALID_LINES = 1000;
/** Value, timestamp (in OpenMetrics with a fraction) and exemplar. */
const VALUE = /^[ \t]*([^ \t\r]+)(?:[ \t]+-?\d{1,18}(?:\.\d*)?)?(?:[ \t]+#[ \t]*\{.*)?[ \t\r]*$/;
/** The endings of line names of histograms and summaries. */
const ENDINGS = ['_bucket', '_sum', '_count'];

/** The families of a text, and its parts that are not valid. */
export type Exposition = Pick<SourceReading, 'families' | 'skipped'>;

/** Parses one text after another. Lines that were also in the last text are compared, not parsed again. */
export class ExpositionParser {
  #known: ReadonlyMap<string, KnownFamily> = new Map();
  #readings = 0;

  /**
   * Parses a text in UTF-8. Other code can run meanwhile. A series has the same labels object as in the last text.
   *
   * A family with a line that is not valid is skipped.
   *
   * @param signal aborts the work
   * @param shown changes what errors quote from the text
   * @throws SourceError `too_large` for too many lines; `invalid` if too many lines are not valid, or no family is valid. The message names the line
   */
  async parse(
    text: Uint8Array,
    signal: AbortSignal,
    shown: (reason: string) => string = (reason) => reason,
  ): Promise<Exposition> {
    this.#readings += 1;
    const reader = new TextReader(text, this.#known, this.#readings, shown);
    // The known families change while lines are read. They cannot be used when the work is aborted.
    this.#known = new Map();
    const yieldAfterLines = createYielder(LINES_PER_CHECK);
    const yieldIfDue = createYielder(1);
    while (reader.readLine()) {
      // A piece can have fewer lines, which are long.
      const turn = reader.isPieceRead ? yieldIfDue() : yieldAfterLines();
      if (turn === undefined) continue;
      await turn;
      signal.throwIfAborted();
    }
    for (const _ of reader.finishFamilies()) {
      const turn = yieldIfDue();
      if (turn === undefined) continue;
      await turn;
      signal.throwIfAborted();
    }
    const { families, skipped } = reader;
    const [problem] = skipped;
    if (families.length === 0 && problem !== undefined) throw invalid(problem.reason);
    this.#known = reader.known;
    return { families, ...(problem !== undefined && { skipped }) };
  }
}

/** The state of one reading. */
class TextReader {
  readonly families: SourceFamily[] = [];
  readonly skipped: SkippedPart[] = [];
  readonly known = new Map<string, KnownFamily>();
  readonly #bytes: Buffer;
  readonly #last: ReadonlyMap<string, KnownFamily>;
  readonly #reading: number;
  readonly #shown: (reason: string) => string;
  /** In the order of their first lines. */
  readonly #readers = new Map<string, FamilyReader>();
  /** The names of families that have ended. */
  readonly #names = new Set<string>();
  /** The family of the last line. */
  #family: FamilyReader | undefined;
  /** The start of the bytes that are not decoded yet. */
  #rest = 0;
  /** The piece that was decoded last, and the position in it. */
  #text = '';
  #position = 0;
  #line = 0;
  #samples = 0;
  #invalidLines = 0;

  constructor(
    bytes: Uint8Array,
    last: ReadonlyMap<string, KnownFamily>,
    reading: number,
    shown: (reason: string) => string,
  ) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#last = last;
    this.#reading = reading;
    this.#shown = shown;
  }

  /** Reads the next line; false at the end of the text. @throws SourceError `too_large`, or `invalid` for too many lines that are not valid */
  readLine(): boolean {
    this.#line += 1;
    if (this.#position === this.#text.length && !this.#decodeNext()) return false;
    if (this.#line > MAX_LINES) throw this.#tooLarge(`more than ${MAX_LINES} lines`);
    const start = this.#position;
    const lineEnd = this.#text.indexOf('\n', start);
    const end = lineEnd === -1 ? this.#text.length : lineEnd;
    this.#position = lineEnd === -1 ? end : end + 1;
    if (end === start) return true;
    try {
      this.#readText(start, end);
    } catch (error) {
      if (!(error instanceof SourceError) || error.failure !== 'invalid') throw error;
      this.#invalidLines += 1;
      if (this.#invalidLines > MAX_INVALID_LINES)
        throw invalid(
          `line ${this.#line}: more than ${MAX_INVALID_LINES} lines are not valid; ${this.skipped[0]?.reason}`,
        );
      this.#skipFamily(nameIn(this.#text.slice(start, Math.min(end, start + MAX_LINE_LENGTH))), error);
    }
    return true;
  }

  /** Whether the last line of a piece was read. */
  get isPieceRead(): boolean {
    return this.#position === this.#text.length;
  }

  /** Ends all families, and yields after each and within large ones. */
  *finishFamilies(): Generator<void> {
    for (const reader of this.#readers.values()) {
      const finished = yield* reader.finish();
      if (finished !== undefined) this.#finishFamily(reader, finished);
      yield;
    }
  }

  #finishFamily(reader: FamilyReader, { families, known }: FinishedFamily): void {
    for (const name of known.lineNames) {
      if (this.#names.has(name))
        return this.#skip(
          `family ${reader.name}`,
          `line ${reader.line}: another family has lines of the name ${name}`,
        );
      this.#names.add(name);
    }
    for (const family of families) this.families.push(family);
    this.known.set(reader.name, known);
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
    if (end - start > MAX_LINE_LENGTH) throw invalid(`it is longer than ${MAX_LINE_LENGTH} characters`);
    const first = this.#text.charCodeAt(start);
    if (first > HASH) {
      this.#readSample(start, end);
    } else if (first === HASH) {
      this.#readComment(this.#text.slice(start, end));
    } else if (first === SPACE || first === TAB || first === CARRIAGE_RETURN) {
      const line = this.#text.slice(start, end).trimStart();
      if (line !== '') this.#readText(end - line.length, end);
    } else {
      throw invalid('it does not begin with a valid metric name');
    }
  }

  #readComment(line: string): void {
    const heading = scanHeading(line);
    if (heading === undefined) return;
    if (heading.name !== this.#family?.name) this.#family = this.#familyNamed(heading.name);
    this.#family?.describe(heading);
  }

  #readSample(start: number, end: number): void {
    this.#samples += 1;
    if (this.#samples > MAX_SAMPLES) throw this.#tooLarge(`more than ${MAX_SAMPLES} samples`);
    const family = this.#family;
    const expected = family?.expected();
    if (family !== undefined && expected !== undefined && this.#text.startsWith(expected.text, start)) {
      const valueStart = start + expected.text.length;
      if (this.#text.charCodeAt(valueStart) === SPACE) {
        const value =
          parseNumber(this.#text.slice(valueStart + 1, end)) ?? valueOf(this.#text.slice(valueStart, end));
        if (!family.addExpected(expected, value)) this.#skipDuplicate(family);
        return;
      }
    }
    this.#scanSample(this.#text.slice(start, end));
  }

  #scanSample(line: string): void {
    const scanned = scanSeries(line);
    let part = this.#family?.partOf(scanned.name);
    if (part === undefined) {
      this.#family = this.#familyOfLine(scanned.name);
      part = this.#family.partOf(scanned.name);
    }
    const value = valueOf(line.slice(scanned.end));
    const family = this.#family;
    if (family === undefined || part === undefined) return;
    if (!family.addScanned(part, scanned, line.slice(0, scanned.end), value)) this.#skipDuplicate(family);
  }

  /** The family with a name, which may have lines already. */
  #familyNamed(name: string): FamilyReader {
    const existing = this.#readers.get(name);
    if (existing !== undefined) return existing;
    const last = this.#last.get(name);
    const family = new FamilyReader(last?.name ?? copyOf(name), this.#line, last, this.#reading);
    this.#readers.set(family.name, family);
    return family;
  }

  /** The family of a line with a name. */
  #familyOfLine(name: string): FamilyReader {
    const ending = ENDINGS.find((each) => name.endsWith(each)) ?? '';
    const family = this.#readers.has(name) ? undefined : this.#readers.get(name.slice(0, -ending.length));
    if (family?.partOf(name) !== undefined) return family;
    const described = this.#family;
    const named = this.#familyNamed(name);
    if (described?.describesCounter(name) === true) named.adoptHeadings(described);
    return named;
  }

  /** Skips the family of a line that is not valid. @param name undefined if the line has none */
  #skipFamily(name: string | undefined, { message }: SourceError): void {
    const reason = `line ${this.#line}: ${quote(this.#shown(message))}`;
    if (name === undefined) return this.#skip('a line', reason);
    const family = this.#familyOfLine(name);
    if (family.isBroken) return;
    family.isBroken = true;
    this.#skip(`family ${family.name}`, reason);
  }

  #skipDuplicate({ name }: FamilyReader): void {
    this.#skip(`a series of ${name}`, `line ${this.#line}: duplicate series`);
  }

  #skip(what: string, reason: string): void {
    const part = { what: quote(this.#shown(what)), reason };
    if (this.skipped.length < MAX_SKIPPED && !this.skipped.some((other) => other.what === part.what))
      this.skipped.push(part);
  }

  #tooLarge(reason: string): SourceError {
    return new SourceError('too_large', `line ${this.#line}: ${reason}`);
  }
}

/** The value at the end of a line; a timestamp and an exemplar after it are ignored. */
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
    const exposition = await parser.parse(text, signal, shown);
    const startTime = startTimeIn(exposition.families);
    return { ...exposition, ...(startTime !== undefined && { startTime }) };
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
