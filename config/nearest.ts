/** Longest part of a word that is looked at. */
const MAX_LENGTH = 64;
/** Shortest word that counts as a part of a longer one. */
const MIN_PART = 3;

/** The candidate that a misspelt or shortened word most likely meant, or undefined when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const given = word.slice(0, MAX_LENGTH).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(given.length / 2)) + 1;
  for (const candidate of candidates) {
    const distance = distanceOf(given, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function distanceOf(word: string, candidate: string): number {
  // A part left out or added: rootCAs for clientRootCAs, listenAddress for operations.listenAddress.
  const [short, long] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  if (short.length >= MIN_PART && (long.startsWith(short) || long.endsWith(short)))
    return short === long ? 0 : 1;
  const distance = editDistance(word, candidate);
  // As many changes as there are letters make any word of any other.
  return distance < Math.max(word.length, candidate.length) ? distance : Number.POSITIVE_INFINITY;
}

/** How many letters must be inserted, removed or replaced to get from one word to the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The end of an "unknown key" message: the nearest known key, or all that are known. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean ${near}?`;
  return known.length === 0 ? 'none is known here' : `known here: ${[...known].sort().join(', ')}`;
}
