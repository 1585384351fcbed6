// The differences that we state: recorded exchanges that the service answers in another way, on purpose.

import { readFileSync } from 'node:fs';

/** Some exchanges that are answered in another way for one reason. */
export interface Difference {
  /** Which decision of the design it is, and what it means here. */
  readonly reason: string;
  /** What we answer. */
  readonly status: number;
  /** Exact ids. */
  readonly ids: readonly string[];
}

/** Reads a list of differences: the difference of each id. */
export function readDifferences(file: string): ReadonlyMap<string, Difference> {
  const list = JSON.parse(readFileSync(file, 'utf8')) as readonly Difference[];
  return new Map(list.flatMap((difference) => difference.ids.map((id) => [id, difference] as const)));
}
