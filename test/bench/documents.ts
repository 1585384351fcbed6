// Writes the results of a run into test/bench/README.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { table, type Row } from './report.js';

/** The formatter ignores what is between these two lines; a document uses them for nothing else. */
const BEGIN = '<!-- prettier-ignore-start -->\n';
const END = '<!-- prettier-ignore-end -->\n';

/** Replaces the results in a document. */
export function withResults(document: string, results: string): string {
  const begin = document.indexOf(BEGIN) + BEGIN.length;
  const end = document.indexOf(END, begin);
  if (begin < BEGIN.length || end < 0)
    throw new Error(`the document has no place for results: ${BEGIN}${END}`);
  return `${document.slice(0, begin)}\n${results}\n\n${document.slice(end)}`;
}

/** Writes results into test/bench/README.md. */
export function writeResults(rows: readonly Row[], machine: string): void {
  const file = 'test/bench/README.md';
  writeFileSync(file, withResults(readFileSync(file, 'utf8'), `${machine}:\n\n${table(rows)}`));
}
