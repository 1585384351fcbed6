// Warns about an update that is valid, but probably not intended.

import type { Config, GroupFields } from '../config/element.js';

/** A group of the write set, and the same group of both configs. */
interface Triple {
  /** The names of the groups, each followed by a slash. */
  readonly path: string;
  readonly write: GroupFields;
  readonly original: GroupFields;
  readonly updated: GroupFields;
}

type Versioned = ReadonlyMap<string, { readonly version: bigint }>;

/**
 * Warns if the update removes a group of the channel, and if the updated config is older than the original, as when the two are
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

/** Why the updated config is older than the original one; undefined if it is not. */
function olderBecause(original: Config, updated: Config, writeSet: GroupFields): string | undefined {
  if (updated.sequence !== 0n && updated.sequence < original.sequence)
    return `sequence ${updated.sequence}, original ${original.sequence}`;
  // With equal sequences both configs come from one block, and a version of 0 is that of an element written by hand.
  const ignoresZero = updated.sequence !== 0n && updated.sequence === original.sequence;
  const isOlder = (now: bigint, before: bigint): boolean => now < before && !(ignoresZero && now === 0n);
  return loweredVersion(
    { path: '', write: writeSet, original: original.channelGroup, updated: updated.channelGroup },
    isOlder,
  );
}

/** Finds an element that the update changes and whose version is lower in the updated config. Works without recursion. */
function loweredVersion(root: Triple, isOlder: (now: bigint, before: bigint) => boolean): string | undefined {
  const waiting = [root];
  for (let triple = waiting.pop(); triple !== undefined; triple = waiting.pop()) {
    const { path, write, original, updated } = triple;
    const kinds: readonly (readonly [Versioned, Versioned, Versioned])[] = [
      [write.groups, original.groups, updated.groups],
      [write.values, original.values, updated.values],
      [write.policies, original.policies, updated.policies],
    ];
    for (const [written, before, after] of kinds) {
      for (const [name, { version }] of written) {
        const [old, now] = [before.get(name)?.version, after.get(name)?.version];
        if (old === undefined || now === undefined || version === old || !isOlder(now, old)) continue;
        return `version ${now} of ${path}${name}, original ${old}`;
      }
    }
    for (const [name, group] of write.groups) {
      const [old, now] = [original.groups.get(name), updated.groups.get(name)];
      if (old !== undefined && now !== undefined)
        waiting.push({ path: `${path}${name}/`, write: group, original: old, updated: now });
    }
  }
  return undefined;
}
