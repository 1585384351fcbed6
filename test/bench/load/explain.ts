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

/** A stall and how much of it is the agent's. */
export interface Judged extends Stall {
  /** Milliseconds on the clock without those of other programs: the system ran them instead, or instead of threads that collect garbage. */
  readonly own: number;
  readonly collections: readonly Collection[];
}

/** The stalls, the longest first. */
export function judge(stalls: readonly Stall[], collections: readonly Collection[]): Judged[] {
  return stalls
    .map((stall) => {
      const during = collections.filter((collection) => overlap(collection, stall) > 0);
      const collected = during.reduce((sum, collection) => sum + overlap(collection, stall), 0);
      const { length, ran, waited } = stall;
      // A thread that collects garbage sleeps while its helpers are not done.
      const slept = Math.max(0, Math.min(length - ran - waited, collected));
      return { ...stall, own: length - waited - slept, collections: during };
    })
    .sort((one, other) => other.own - one.own);
}

/** What went on in a stall, as far as it can be seen. */
export function explain(stall: Judged | undefined, { scrapes, changes }: Asked): string {
  if (stall === undefined) return 'none was long enough to be told';
  const parts = [`${stall.length.toFixed(1)} ms on the clock`, `${stall.ran.toFixed(1)} ms at work`];
  if (stall.turns > 0) parts.push(`/healthz had ${stall.turns} turns in it`);
  for (const collection of stall.collections) {
    const kind = COLLECTIONS.get(collection.kind) ?? 'other';
    parts.push(`garbage was collected (${kind}) for ${overlap(collection, stall).toFixed(1)} ms`);
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
