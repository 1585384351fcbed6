// Parts of a text, found by several searches and replaced together.

/** A part of a text: from `start` to before `end`, in UTF-16 units. */
export type Span = readonly [start: number, end: number];

/** The replacement for a secret. */
export const MASK = '********';

/** A text in which spans were replaced. */
export interface Masked {
  readonly text: string;
  /** Number of replaced parts. */
  readonly count: number;
}

/** Replaces spans by {@link MASK}. Overlapping and adjacent spans count as one; empty spans and masks do not count. */
export function maskSpans(text: string, spans: readonly Span[]): Masked {
  const parts: string[] = [];
  let [end, count] = [0, 0];
  for (const [from, to] of merged(text, spans)) {
    parts.push(text.slice(end, from), MASK);
    end = to;
    count += 1;
  }
  return { text: count === 0 ? text : parts.join('') + text.slice(end), count };
}

/** The spans in order, without overlaps. */
function merged(text: string, spans: readonly Span[]): Span[] {
  const result: [number, number][] = [];
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (end <= start || (end - start === MASK.length && text.startsWith(MASK, start))) continue;
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
