// Writes the results of a run into the documents: the most important rows into README.md, all rows into test/bench/README.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { table, type Row } from './report.js';

/** The formatter ignores what is between these two lines; a document uses them for nothing else. */
const BEGIN = '<!-- prettier-ignore-start -->\n';
const END = '<!-- prettier-ignore-end -->\n';

/** The rows of the short table, by the beginning of their name. */
const HEADLINES = [
  '/healthz, 3 instant checks',
  '/metrics, 10,000 series over HTTP, ',
  'agent with docker and prometheus',
  'relay of 2,000 lines, one round: CPU',
  'statsd flush of 10,000 metrics over UDP: CPU against node-statsd',
  'load: errors',
  'decode of a block of 20 KB',
  'update of two configs of 239 KB',
  'configtxlator proto_decode',
  'idle configtxlator',
];

/** Replaces the results in a document. */
export function withResults(document: string, results: string): string {
  const begin = document.indexOf(BEGIN) + BEGIN.length;
  const end = document.indexOf(END, begin);
  if (begin < BEGIN.length || end < 0)
    throw new Error(`the document has no place for results: ${BEGIN}${END}`);
  return `${document.slice(0, begin)}\n${results}\n\n${document.slice(end)}`;
}

/**
 * The rows of the short table.
 *
 * @throws Error when a headline names no row
 */
export function headlines(rows: readonly Row[]): Row[] {
  return HEADLINES.map((name) => {
    const found = rows.find(({ what }) => what.startsWith(name));
    if (found === undefined) throw new Error(`no row begins with '${name}'`);
    return found;
  });
}

/** Writes results into both documents. */
export function writeResults(rows: readonly Row[], machine: string): void {
  const write = (file: string, chosen: readonly Row[]): void =>
    writeFileSync(file, withResults(readFileSync(file, 'utf8'), `${machine}:\n\n${table(chosen)}`));
  write('README.md', headlines(rows));
  write('test/bench/README.md', rows);
}
