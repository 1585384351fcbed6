// Reads one line of the Prometheus text format 0.0.4, also in the forms that Prometheus accepts beyond it (`model/textparse/promlex.l`):
// without a blank before the value or a comma between labels, and names in quotes.

import { SourceError } from '../../contract/index.js';

/** Most labels of a series. */
export const MAX_LABELS = 64;

/** The error of an invalid line. */
export const invalid = (reason: string): SourceError => new SourceError('invalid', reason);

/** The part of a sample's line before its value. */
export interface ScannedSeries {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** Where the text of the series ends in the line. */
  readonly end: number;
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const LABEL_NAME = /[a-zA-Z_][a-zA-Z0-9_]*/y;
const WHITESPACE = /[ \t]*/y;
const HEADING =
  /^#[ \t]*(HELP|TYPE)(?![^ \t\r])[ \t]*([a-zA-Z_:][a-zA-Z0-9_:]*(?![^ \t\r])|"(?:\\.|[^\\"])+")?[ \t]*(.*)$/s;

/** A line that describes a family. */
export interface Heading {
  readonly keyword: 'HELP' | 'TYPE';
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a line that begins with `#`; undefined for a comment that is not HELP or TYPE.
 *
 * @throws SourceError
 */
export function scanHeading(line: string): Heading | undefined {
  const [, keyword, name, text = ''] = HEADING.exec(line) ?? [];
  if (keyword !== 'HELP' && keyword !== 'TYPE') return undefined;
  if (name === undefined) throw invalid(`${keyword} without a valid metric name`);
  return {
    keyword,
    name: name.startsWith('"') ? escapeName(unescape(name.slice(1, -1), LABEL_ESCAPES)) : name,
    text:
      keyword === 'HELP'
        ? unescape(text.endsWith('\r') ? text.slice(0, -1) : text, HELP_ESCAPES)
        : text.trimEnd(),
  };
}

const NAME_AT_START = /^[ \t]*(?:#[ \t]*(?:HELP|TYPE)[ \t]+)?([a-zA-Z_:][a-zA-Z0-9_:]*)/;

/** The metric name of a line that is not valid; undefined if it has none without quotes. */
export const nameIn = (line: string): string | undefined => NAME_AT_START.exec(line)?.[1];

/** Replaces the characters that only Prometheus 3 allows in names, as client libraries do for older versions (escaping `underscores`). */
function escapeName(name: string): string {
  const valid = name.replaceAll(/[^a-zA-Z0-9_:]/gu, '_');
  return /^[0-9]/.test(valid) ? `_${valid.slice(1)}` : valid;
}

/**
 * Reads the series at the start of a line.
 *
 * @throws SourceError
 */
export function scanSeries(line: string): ScannedSeries {
  const nameEnd = match(NAME, line, 0);
  const brace = match(WHITESPACE, line, nameEnd);
  if (line[brace] !== '{') {
    if (nameEnd === 0) throw invalid('it does not begin with a valid metric name');
    return { name: line.slice(0, nameEnd), labels: new Map(), end: nameEnd };
  }
  let name = nameEnd === 0 ? undefined : line.slice(0, nameEnd);
  const labels = new Map<string, string>();
  let at = match(WHITESPACE, line, brace + 1);
  while (line[at] !== '}') {
    const { text, isQuoted, end } = scanName(line, at);
    const next = match(WHITESPACE, line, end);
    if (isQuoted && (line[next] === ',' || line[next] === '}')) {
      if (name !== undefined) throw invalid('it has two metric names');
      name = escapeName(text);
      at = next;
    } else {
      at = scanLabel(line, next, isQuoted ? escapeName(text) : text, labels);
    }
    if (line[at] === ',') at = match(WHITESPACE, line, at + 1);
  }
  if (name === undefined) throw invalid('it has no metric name');
  return { name, labels, end: at + 1 };
}

/** Reads the name of a label, or a metric name in quotes. */
function scanName(line: string, start: number): { text: string; isQuoted: boolean; end: number } {
  if (line[start] === '"') {
    const end = endOfValue(line, start + 1);
    if (end <= start + 1) throw invalid('a name in quotes is empty or has no end');
    return { text: unescape(line.slice(start + 1, end), LABEL_ESCAPES), isQuoted: true, end: end + 1 };
  }
  const end = match(LABEL_NAME, line, start);
  if (end === start)
    throw invalid(start === line.length ? 'the labels have no end' : 'a label has no valid name');
  return { text: line.slice(start, end), isQuoted: false, end };
}

/** Reads the value of a label from its `=` on, and the whitespace after it; returns where it ends. */
function scanLabel(line: string, equals: number, name: string, labels: Map<string, string>): number {
  const quote = match(WHITESPACE, line, equals + 1);
  if (line[equals] !== '=' || line[quote] !== '"') throw invalid(`the label ${name} has no value in quotes`);
  const valueEnd = endOfValue(line, quote + 1);
  if (valueEnd === -1) throw invalid(`the value of the label ${name} has no end`);
  if (labels.has(name)) throw invalid(`duplicate label ${name}`);
  if (labels.size === MAX_LABELS) throw invalid(`more than ${MAX_LABELS} labels`);
  labels.set(name, unescape(line.slice(quote + 1, valueEnd), LABEL_ESCAPES));
  return match(WHITESPACE, line, valueEnd + 1);
}

const BACKSLASH = 92;

/** The index of the quote that ends a value; -1 if there is none. */
function endOfValue(line: string, start: number): number {
  for (let quote = line.indexOf('"', start); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (quote - escapes > start && line.charCodeAt(quote - escapes - 1) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote;
  }
  return -1;
}

const LABEL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\\\', '\\'],
  ['\\"', '"'],
  ['\\n', '\n'],
]);
const HELP_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\\\', '\\'],
  ['\\n', '\n'],
]);

/** Replaces escapes. Others stay as they are, as in Prometheus. */
function unescape(text: string, escapes: ReadonlyMap<string, string>): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\./gs, (escape) => escapes.get(escape) ?? escape);
}

/** Where the match of a sticky pattern ends; the start if there is none. */
function match(pattern: RegExp, line: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(line) ? pattern.lastIndex : start;
}

const ZERO = 48;
const NINE = 57;
/**
 * In upper or lower case, and NaN without a sign, as Prometheus reads them: `special` in Go's `strconv/atof.go`. prom-client writes `Nan`.
 */
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['nan', NaN],
  ...['inf', 'infinity'].flatMap((text): [string, number][] => [
    [text, Infinity],
    [`+${text}`, Infinity],
    [`-${text}`, -Infinity],
  ]),
]);
const MAX_SPECIAL_LENGTH = '-infinity'.length;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses a number; undefined if the text is not a number, or the number is too large. */
export function parseNumber(text: string): number | undefined {
  const value = Number(text);
  if (!Number.isFinite(value))
    return text.length > MAX_SPECIAL_LENGTH ? undefined : SPECIAL.get(text.toLowerCase());
  // Other texts that `Number` accepts (whitespace, `0x1`, the empty string) have no digit in one of these places.
  const isPlain =
    isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(text.length - 1)) && !(text.charCodeAt(1) > NINE);
  return isPlain || DECIMAL.test(text) ? value : undefined;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
