import { distance } from 'fastest-levenshtein';

/** Longest part of a word that is looked at. */
const MAX_LENGTH = 64;
/** Shortest word that counts as a part of a longer one. */
const MIN_PART = 3;

/** The candidate that a misspelt or shortened word most likely meant, or undefined when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const given = word.slice(0, MAX_LENGTH).toLowerCase();
  let best: string | undefined;
  let bestDifference = Math.max(2, Math.floor(given.length / 2)) + 1;
  for (const candidate of candidates) {
    const difference = differenceOf(given, candidate.toLowerCase());
    if (difference < bestDifference) [best, bestDifference] = [candidate, difference];
  }
  return best;
}

function differenceOf(word: string, candidate: string): number {
  // A part left out or added: rootCAs for clientRootCAs, listenAddress for operations.listenAddress.
  const [short, long] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  if (short.length >= MIN_PART && (long.startsWith(short) || long.endsWith(short)))
    return short === long ? 0 : 1;
  const changes = distance(word, candidate);
  // As many changes as there are letters make any word of any other.
  return changes < Math.max(word.length, candidate.length) ? changes : Number.POSITIVE_INFINITY;
}

/** The end of an "unknown key" message: the nearest known key, or all that are known. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean ${near}?`;
  return known.length === 0 ? 'none is known here' : `known here: ${[...known].sort().join(', ')}`;
}
