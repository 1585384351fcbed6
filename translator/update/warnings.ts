// Warns about updates that are valid but probably not intended.

import { walk, type Config, type GroupFields } from '../channel/index.js';

/**
 * Warns if the update removes a group of the channel, or if the updated config is older than the original, for example because they are
 * swapped.
 *
 * @param writeSet the write set of the update
 * @returns one sentence for each warning, without a period
 */
export function warningsAbout(original: Config, updated: Config, writeSet: GroupFields): readonly string[] {
  const { channelGroup: before } = original;
  const { channelGroup: after } = updated;
  const warnings: string[] = [];
  const removed = [...before.groups.keys()].filter((name) => !after.groups.has(name));
  if (removed.length > 0)
    warnings.push(
      `the update removes ${removed.length === 1 ? 'the group' : 'the groups'} ${removed.join(', ')} from the channel, with everything in it`,
    );
  const older = olderBecause(original, updated, writeSet);
  if (older !== undefined)
    warnings.push(
      `the updated config is older than the original one (${older}), so the update reverts changes: are the two swapped?`,
    );
  return warnings;
}

/** Shows that the updated config is older than the original; undefined if it is not. */
function olderBecause(original: Config, updated: Config, writeSet: GroupFields): string | undefined {
  if (updated.sequence !== 0n && updated.sequence < original.sequence)
    return `sequence ${updated.sequence}, original ${original.sequence}`;
  // Configs with equal sequences come from the same block, and an element with version 0 was written by hand.
  const ignoresZero = updated.sequence !== 0n && updated.sequence === original.sequence;
  const isOlder = (now: bigint, before: bigint): boolean => now < before && !(ignoresZero && now === 0n);
  for (const { names, element, others } of walk<GroupFields>(writeSet, [
    original.channelGroup,
    updated.channelGroup,
  ])) {
    const [old, now] = others.map((each) => each?.version);
    if (names.length === 0 || old === undefined || now === undefined) continue;
    if (element.version !== old && isOlder(now, old))
      return `version ${now} of ${names.join('/')}, original ${old}`;
  }
  return undefined;
}
