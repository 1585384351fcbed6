// The document that a command prints and the page shows: a title, sections, rows, and problems with their solutions.

import type { ValueChange } from './value-change.js';

/** A verdict on a text; printers show it as a colour. */
export type Tone = 'good' | 'open' | 'bad';

/** A text on one line. Printers escape it with `onOneLine`. */
export type Text = string | { readonly text: string; readonly tone: Tone };

/** The content of a cell: a text, or several short ones. */
export type Cell = Text | { readonly items: readonly (string | ValueChange)[] };

/** A row of cells. */
export interface Row {
  /** Only the last cell may have a tone. */
  readonly cells: readonly Cell[];
  /** The tone of the whole row. */
  readonly tone?: Tone;
  /** A sign before the first cell, for rows that are not aligned. */
  readonly mark?: Text;
  /** Rows that belong to this one, below it. */
  readonly details?: readonly Row[];
}

/** The number of rows that are shown at first. */
export interface Limit {
  readonly shown: number;
  /** The name of the rows: `organisations`. */
  readonly noun?: string;
  /** For the terminal: where the other rows are. */
  readonly hint?: string;
}

/** Rows of a table or a list. */
export interface Rows {
  readonly kind: 'rows';
  readonly rows: readonly Row[];
  /** The titles of the columns, for printers with a head. */
  readonly columns?: readonly string[];
  /** Whether the terminal aligns the cells of a column, with the cells of details. Otherwise only the details of a row are aligned. */
  readonly isAligned: boolean;
  /** The maximum width of an aligned column, in characters; by default 44. */
  readonly maxWidth?: number;
  readonly limit?: Limit;
}

/** A problem, and its solution. */
export interface Problem {
  /** The kind of problem, for programs. */
  readonly id: string;
  readonly tone: Tone;
  /** The severity, in a word; absent for problems without severities. */
  readonly label?: string;
  readonly text: string;
  /** The text in few words, if it is long. */
  readonly short?: string;
  /** The title of the document states the problem. */
  readonly isStated?: true;
  /** The elements with the problem. */
  readonly paths: readonly string[];
  /** The text of the orderer. */
  readonly orderer?: string;
  readonly todo: string;
}

/** Problems, the worst first. */
export interface Problems {
  readonly kind: 'problems';
  readonly problems: readonly Problem[];
  readonly limit?: Limit;
}

/** A part of a section. */
export type Block = Rows | Problems;

/** A section. */
export interface Section {
  /** The key of the section for programs. */
  readonly id: string;
  readonly title: string;
  /** Shown after the title. */
  readonly state?: Text;
  readonly blocks: readonly Block[];
  readonly sections?: readonly Section[];
}

/** A document. */
export interface Document {
  readonly title?: string;
  /** Above the sections. */
  readonly blocks?: readonly Block[];
  readonly sections?: readonly Section[];
}

/** `channel ch1, block 5`; empty if both are unknown. */
export const placeText = (channel: string | null, block: string | null): string =>
  [...(channel === null ? [] : [`channel ${channel}`]), ...(block === null ? [] : [`block ${block}`])].join(
    ', ',
  );

/** The layout of rows. */
export type Layout = Omit<Rows, 'kind' | 'rows' | 'isAligned'>;

/** Rows with aligned columns. */
export const tableOf = (rows: readonly (Row | readonly Cell[])[], layout: Layout = {}): Rows => ({
  kind: 'rows',
  rows: rows.map(rowOf),
  isAligned: true,
  ...layout,
});

/** Rows that are not aligned. A text is a row with one cell. */
export const listOf = (rows: readonly (Row | readonly Cell[] | string)[], layout: Layout = {}): Rows => ({
  kind: 'rows',
  rows: rows.map((row) => rowOf(typeof row === 'string' ? [row] : row)),
  isAligned: false,
  ...layout,
});

const rowOf = (row: Row | readonly Cell[]): Row => ('cells' in row ? row : { cells: row });

/** A section with the id as its title, or none if the blocks are empty. */
export function sectionOf(id: string, blocks: readonly Block[], title = id): readonly Section[] {
  const isEmpty = blocks.every((block) => (block.kind === 'rows' ? block.rows : block.problems).length === 0);
  return isEmpty ? [] : [{ id, title, blocks }];
}
