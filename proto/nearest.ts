// The names that someone who misspelt one most likely meant.

import { distance } from 'fastest-levenshtein';

/** How many names are suggested. */
const SUGGESTIONS = 3;

/** Longer names are not compared. */
const MAX_LENGTH = 100;

/** The names that differ least from a mistaken one: the same last part first, then by letters changed. */
export function nearest(name: string, names: readonly string[]): string[] {
  if (name.length > MAX_LENGTH) return [];
  const wanted = name.toLowerCase();
  const last = lastPart(wanted);
  return names
    .map((known) => {
      const lower = known.toLowerCase();
      return { known, distance: lastPart(lower) === last ? 0 : distance(wanted, lower) };
    })
    .filter((candidate) => candidate.distance <= Math.max(2, name.length / 4))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS)
    .map(({ known }) => known);
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
