// Describes what happened during a stall.

import { constants } from 'node:perf_hooks';
import type { Requests } from './clients.js';
import type { Collection, Stall, Interval } from './watch.js';

const COLLECTIONS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'full'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'young'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak callbacks'],
]);

/**
 * The stall with the most CPU time of the main thread. During the rest of a stall the thread was idle, the system ran other
 * programs, or the hypervisor other machines.
 */
export function worstOf(stalls: readonly Stall[]): Stall | undefined {
  return stalls.toSorted((one, other) => other.ran - one.ran)[0];
}

/** The known causes of a stall. */
export function explain(
  stall: Stall | undefined,
  { scrapes, changes }: Requests,
  collections: readonly Collection[],
): string {
  if (stall === undefined) return 'none was long enough to be reported';
  const parts = [`${stall.length.toFixed(1)} ms elapsed`];
  if (stall.waited >= 1) parts.push(`other programs ran for ${stall.waited.toFixed(1)} ms`);
  if (stall.stolen >= 1) parts.push(`the hypervisor ran other machines for ${stall.stolen.toFixed(0)} ms`);
  if (stall.turns > 0) parts.push(`/healthz was served ${stall.turns} times`);
  for (const collection of collections) {
    const length = overlap(collection, stall);
    const kind = COLLECTIONS.get(collection.kind) ?? 'other';
    if (length > 0) parts.push(`garbage collection (${kind}) for ${length.toFixed(1)} ms`);
  }
  if (scrapes.some((scrape) => overlap(scrape, stall) > 0)) parts.push('during a scrape');
  if (changes.some((change) => overlap(change, stall) > 0)) parts.push('during a change of the log spec');
  return parts.join(', ');
}

/** The length of the overlap of two intervals, in milliseconds. */
export function overlap(one: Interval, other: Interval): number {
  return Math.min(one.at + one.length, other.at + other.length) - Math.max(one.at, other.at);
}
