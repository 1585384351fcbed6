// What differs between two configs of a channel, in words.

import type { Config } from '../config/element.js';
import { applyUpdate } from '../config/apply.js';
import { readConfigUpdate } from '../config/read.js';
import { writeUpdate } from '../config/write.js';
import { describeChanges } from '../describe/changes.js';
import { createPolicies } from '../policy/policies.js';
import { compareGroups } from '../update/compare.js';

/** An element that differs. */
export interface ElementDifference {
  /** `/Channel/Orderer/BatchSize` */
  readonly element: string;
  readonly kind: 'group' | 'value' | 'policy';
  readonly change: 'new' | 'modified' | 'removed';
  /** Short texts, as in a review: `maxMessageCount 10 → 20`. */
  readonly words: readonly string[];
}

/** Compares two configs. Elements that differ only in their version are equal. */
export function describeDifference(before: Config, after: Config): ElementDifference[] {
  const { changed, read, write } = compareGroups(before.channelGroup, after.channelGroup);
  if (!changed) return [];
  const update = readConfigUpdate(writeUpdate({ channelId: '', readSet: read, writeSet: write }));
  const [old, now] = [before, after].map((config) => ({
    config,
    policies: createPolicies(config.channelGroup),
  }));
  return describeChanges(applyUpdate(before, update), old!, now!).map(({ placed, change, words }) => ({
    element: placed.path,
    kind: placed.kind,
    change,
    words,
  }));
}
