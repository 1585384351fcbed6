// Reads the list of intended differences: recorded exchanges to which this service responds differently from Fabric's configtxlator.

import { readFileSync } from 'node:fs';

/** Exchanges whose responses differ for the same reason. */
export interface Difference {
  /** What differs, and how. */
  readonly reason: string;
  /** The HTTP status of this service. */
  readonly status: number;
  /** The ids of the exchanges. */
  readonly ids: readonly string[];
}

/** Reads a list of differences, by the id of the exchange. */
export function readDifferences(file: string): ReadonlyMap<string, Difference> {
  const list = JSON.parse(readFileSync(file, 'utf8')) as readonly Difference[];
  return new Map(list.flatMap((difference) => difference.ids.map((id) => [id, difference] as const)));
}
