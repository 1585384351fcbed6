// Suggests known names for a misspelled or shortened one.

import { distance } from 'fastest-levenshtein';

/** No suggestion is made for longer words: the time to compare two words grows with the product of their lengths. */
const MAX_LENGTH = 100;
/** Length from which a word may match the beginning or end of a longer one. */
const MIN_PART = 3;
/** Differences for matching parts; other differences are numbers of changed letters. */
const SAME_LAST_PART = 0.5;
const PART_OF_THE_OTHER = 1.5;
const MAX_SUGGESTIONS = 3;

/**
 * The candidates that come closest to a word, at most three; empty when none is close.
 *
 * Case and leading dashes are ignored. A candidate is close when it has the same last dotted part (`Block` and `common.Block`), when
 * one last part begins or ends with the other (`rootCAs` and `clientRootCAs`), or when few letters differ. Only the closest ones are
 * returned.
 *
 * @param most how many letters may differ
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  most = Math.max(2, Math.floor(lastPart(normalize(word)).length / 3)),
): string[] {
  if (word.length > MAX_LENGTH) return [];
  const wanted = normalize(word);
  let best: string[] = [];
  let smallest = most;
  for (const candidate of candidates) {
    const difference = differenceOf(wanted, normalize(candidate), smallest);
    if (difference > smallest) continue;
    if (difference < smallest) best = [];
    smallest = difference;
    best.push(candidate);
  }
  return best.slice(0, MAX_SUGGESTIONS);
}

const normalize = (name: string): string => {
  const lower = name.toLowerCase();
  return lower.startsWith('-') ? lower.replace(/^-+/, '') : lower;
};

/** The difference between two words; infinity if they differ by more letters than the limit. */
function differenceOf(word: string, candidate: string, limit: number): number {
  if (word === candidate) return 0;
  const [part, candidatePart] = [lastPart(word), lastPart(candidate)];
  const [short, long] = part.length < candidatePart.length ? [part, candidatePart] : [candidatePart, part];
  if (short.length >= MIN_PART && (long.startsWith(short) || long.endsWith(short)))
    return short === long ? SAME_LAST_PART : PART_OF_THE_OTHER;
  // The difference in length is a lower limit for the changes; counting the changes takes longer than everything else.
  if (Math.abs(word.length - candidate.length) > limit) return Number.POSITIVE_INFINITY;
  const changes = distance(word, candidate);
  // Replacing every letter turns any word into any other.
  return changes < Math.max(word.length, candidate.length) ? changes : Number.POSITIVE_INFINITY;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The end of an "unknown name" message: the closest known names, or all of them. */
export function suggestion(word: string, known: readonly string[]): string {
  // Plugins of two kinds can have the same name.
  const names = [...new Set(known)];
  const near = nearest(word, names);
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  return names.length === 0 ? 'none is allowed here' : `expected one of ${names.sort().join(', ')}`;
}
