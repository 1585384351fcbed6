// Names what went on in a stall.

import { constants } from 'node:perf_hooks';
import type { Asked } from './clients.js';
import type { Collection, Stall, Stretch } from './watch.js';

const COLLECTIONS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'full'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'young'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak callbacks'],
]);

/**
 * The stall in which the agent had a processor for longest. When it had none, it had nothing to do, or the system ran other programs
 * instead, or instead of threads that help to collect garbage.
 */
export function worstOf(stalls: readonly Stall[]): Stall | undefined {
  return stalls.toSorted((one, other) => other.ran - one.ran)[0];
}

/** What went on in a stall, as far as it can be seen. */
export function explain(
  stall: Stall | undefined,
  { scrapes, changes }: Asked,
  collections: readonly Collection[],
): string {
  if (stall === undefined) return 'none was long enough to be told';
  const parts = [`${stall.length.toFixed(1)} ms on the clock`];
  if (stall.waited >= 1) parts.push(`other programs ran for ${stall.waited.toFixed(1)} ms of them`);
  if (stall.turns > 0) parts.push(`/healthz had ${stall.turns} turns in it`);
  for (const collection of collections) {
    const length = overlap(collection, stall);
    const kind = COLLECTIONS.get(collection.kind) ?? 'other';
    if (length > 0) parts.push(`garbage was collected (${kind}) for ${length.toFixed(1)} ms`);
  }
  if (scrapes.some((scrape) => overlap(scrape, stall) > 0)) parts.push('a scrape was under way');
  if (changes.some((change) => overlap(change, stall) > 0))
    parts.push('a change of the log specification was under way');
  return parts.join(', ');
}

/** How long two stretches have in common, in milliseconds. */
export function overlap(one: Stretch, other: Stretch): number {
  return Math.min(one.at + one.length, other.at + other.length) - Math.max(one.at, other.at);
}
