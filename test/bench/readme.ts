// Puts the figures of a run into the README of the repository.

import { readFileSync, writeFileSync } from 'node:fs';

/** prettier leaves alone what is between these; nothing else in the README is. */
const BEGIN = '<!-- prettier-ignore-start -->\n';
const END = '<!-- prettier-ignore-end -->\n';

/** Replaces the figures in a document. */
export function withFigures(document: string, figures: string): string {
  const begin = document.indexOf(BEGIN) + BEGIN.length;
  const end = document.indexOf(END, begin);
  if (begin < BEGIN.length || end < 0) throw new Error(`there is no place for figures: ${BEGIN}${END}`);
  return `${document.slice(0, begin)}\n${figures}\n\n${document.slice(end)}`;
}

/** Writes figures into a file that has a place for them. */
export function writeFigures(file: string, figures: string): void {
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), figures));
}
