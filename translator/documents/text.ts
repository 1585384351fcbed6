// Prints documents for a terminal.

import { is, requireTypes } from '../../proto/arguments.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { table } from '../../core/common/text/table.js';
import type { Block, Cell, Document, Limit, Problem, Row, Rows, Section, Text, Tone } from './document.js';
import { firstOf } from './lists.js';
import { changeText } from './value-change.js';

/** The formats that are used, as `util.styleText` names them. */
export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Emphasises a text, or returns it as it is. */
export type Style = (format: Format, text: string) => string;

/** The output of a text: a terminal, a file or a pipe. */
export interface Display {
  readonly style: Style;
  /** Longer lines are broken at spaces, in characters; undefined: no line is broken, because it is not a terminal. */
  readonly width?: number | undefined;
}

/** A file or a pipe. */
export const PLAIN: Display = { style: (_, text) => text };

const FORMATS: Readonly<Record<Tone, Format>> = { good: 'green', open: 'yellow', bad: 'red' };
const INDENT = '  ';
const LABEL_WIDTH = 9;
/** The number of elements that are named for a problem. */
const PATHS_SHOWN = 3;
/** The maximum length of the text of an orderer, in characters. */
const MAX_ORDERER_TEXT = 400;

const DOCUMENT = is.named(
  'a document',
  is.record({
    title: is.optional(is.text),
    blocks: is.optional(is.list(is.any)),
    sections: is.optional(is.list(is.any)),
  }),
);

/** The text of a document, lines that end in a newline. Without a title, the blocks above the sections are not indented. */
export function documentText(document: Document, { style, width = Infinity }: Display = PLAIN): string {
  requireTypes({ document }, { document: DOCUMENT });
  const { title, blocks = [], sections = [] } = document;
  const lines = [
    ...(title === undefined ? [] : [style('bold', onOneLine(title))]),
    ...blocks.flatMap((block) => blockLines(block, title === undefined ? '' : INDENT, style)),
    ...sections.flatMap((section) => sectionLines(section, '', style)),
  ];
  return lines
    .flatMap((line) => wrapped(line, width))
    .map((line) => `${line}\n`)
    .join('');
}

/** The text of several documents, with an empty line between them. */
export function documentsText(documents: readonly Document[], display: Display = PLAIN): string {
  requireTypes({ documents }, { documents: is.list(DOCUMENT) });
  return documents.map((each) => documentText(each, display)).join('\n');
}

/** Escape sequences of emphasis, which have no width. */
const EMPHASIS = /\u001b\[[\d;]*m/g;
/** The least width of a column in which a line continues. */
const MIN_COLUMN = 24;
const widthOf = (text: string): number => text.replaceAll(EMPHASIS, '').length;

/** Breaks a line at spaces. The other parts begin below the last column of a table, or are indented. A longer word is not broken. */
function wrapped(line: string, width: number): string[] {
  const plain = line.replaceAll(EMPHASIS, '');
  if (plain.length <= width) return [line];
  const gaps = [...plain.slice(0, Math.max(0, width - MIN_COLUMN)).matchAll(/(?<=\S) {2,}(?=\S)/g)];
  const column = gaps.map((gap) => gap.index + gap[0].length).at(-1);
  const indent = ' '.repeat(column ?? plain.search(/\S/) + INDENT.length);
  const parts = [''];
  for (const word of line.match(/^ *\S+|\s+\S+/g) ?? []) {
    const last = parts.at(-1)!;
    if (last === '' || widthOf(last) + widthOf(word) <= width) parts[parts.length - 1] = last + word;
    else parts.push(indent + word.trimStart());
  }
  return parts;
}

function sectionLines(
  { title, state, blocks, sections = [] }: Section,
  indent: string,
  style: Style,
): string[] {
  const after = state === undefined ? '' : `: ${styled(state, style)}`;
  return [
    `${indent}${style('bold', onOneLine(title))}${after}`,
    ...blocks.flatMap((block) => blockLines(block, indent + INDENT, style)),
    ...sections.flatMap((section) => sectionLines(section, indent + INDENT, style)),
  ];
}

function blockLines(block: Block, indent: string, style: Style): string[] {
  const { limit } = block;
  const groups =
    block.kind === 'rows'
      ? rowGroups(block, indent, style)
      : block.problems.map((problem) => problemLines(problem, indent, style));
  const lines = groups.slice(0, limit?.shown).flat();
  return limit === undefined || groups.length <= limit.shown
    ? lines
    : [...lines, `${indent}${restText(groups.length - limit.shown, limit)}${limit.hint ?? ''}`];
}

/** The number of rows that are not shown at first: `and 3 more organisations`. */
export const restText = (rest: number, { noun }: Limit): string =>
  `and ${rest} more${noun === undefined ? '' : ` ${noun}`}`;

/** The lines of each row and its details. */
function rowGroups({ rows, isAligned, maxWidth }: Rows, indent: string, style: Style): string[][] {
  if (!isAligned)
    return rows.map((row) => [
      toned(row, indent + cellsOf(row, style).join(INDENT), style),
      ...table(
        (row.details ?? []).map((detail) => cellsOf(detail, style)),
        indent + INDENT,
      ),
    ]);
  const groups = rows.map((row) => [
    { row, cells: cellsOf(row, style) },
    ...(row.details ?? []).map((detail) => ({ row: detail, cells: cellsOf(detail, style, INDENT) })),
  ]);
  const lines = table(
    groups.flat().map(({ cells }) => cells),
    indent,
    maxWidth,
  ).values();
  return groups.map((group) => group.map(({ row }) => toned(row, lines.next().value!, style)));
}

const toned = ({ tone }: Row, line: string, style: Style): string =>
  tone === undefined ? line : style(FORMATS[tone], line);

const cellsOf = ({ mark, cells }: Row, style: Style, before = ''): string[] =>
  cells.map((cell, index) => {
    const text = cellText(cell, style);
    if (index > 0) return text;
    return before + (mark === undefined ? text : `${styled(mark, style)} ${text}`);
  });

const cellText = (cell: Cell, style: Style): string =>
  typeof cell === 'object' && 'items' in cell
    ? onOneLine(cell.items.map((item) => (typeof item === 'string' ? item : changeText(item))).join('; '))
    : styled(cell, style);

const styled = (text: Text, style: Style): string =>
  typeof text === 'string' ? onOneLine(text) : style(FORMATS[text.tone], onOneLine(text.text));

function problemLines(
  { label, tone, text, paths, orderer, todo }: Problem,
  indent: string,
  style: Style,
): string[] {
  const places = firstOf(paths, PATHS_SHOWN);
  const shown = onOneLine(text === '' || places === '' ? text + places : `${text} (${places})`);
  if (label === undefined) return [indent + shown, indent + style('dim', `→ ${onOneLine(todo)}`)];
  const more = [
    ...(orderer === undefined ? [] : [`orderer: ${shortened(orderer)}`]),
    `to do: ${onOneLine(todo)}`,
  ];
  const below = indent + ' '.repeat(LABEL_WIDTH + 1);
  return [
    `${indent}${style(FORMATS[tone], shown === '' ? label : label.padEnd(LABEL_WIDTH))} ${shown}`.trimEnd(),
    ...more.map((line) => below + style('dim', line)),
  ];
}

const shortened = (text: string): string =>
  onOneLine(text.length > MAX_ORDERER_TEXT ? `${text.slice(0, MAX_ORDERER_TEXT)}…` : text);
