// Checks whether a config contains the changes of a config update, also after later updates.

import { resultTypes } from './arguments.js';
import { requireTypes } from '../../proto/arguments.js';
import { changesOf, lostMembers, sameContent, type Change, type ElementKind } from './changes.js';
import type { Config, ConfigGroup, ConfigUpdate } from './element.js';
import { makeGroup } from './make.js';

/** The state in a config of an element that an update sets. */
export interface ElementPresence {
  /** `/Channel/Orderer/BatchSize` */
  readonly path: string;
  readonly kind: ElementKind;
  /**
   * `there`: with the content of the update, at its version or, if a later update kept it, at a higher one. `changed-since`: a higher
   * version with another content, so a later update replaced it or others were accepted instead. `other`: the version of the update with
   * another content. `older`: a lower version. `missing`: not in the config.
   */
  readonly presence: 'there' | 'changed-since' | 'other' | 'older' | 'missing';
  /** The version that the update sets. */
  readonly version: bigint;
  /** The version in the config; undefined if the element is missing. */
  readonly found: bigint | undefined;
}

/** The result of {@link verifyUpdate}. */
export interface Verification {
  /** Whether all elements are there. */
  readonly isIn: boolean;
  /** The elements that the update sets; empty for an update without effect. */
  readonly elements: readonly ElementPresence[];
}

/** Compares each element that an update sets with a config. */
export function verifyUpdate(update: ConfigUpdate, config: Config): Verification {
  requireTypes({ update, config }, { update: resultTypes.configUpdate, config: resultTypes.config });
  const elements = changesOf(update, config.channelGroup).map((change): ElementPresence => ({
    path: change.path,
    kind: change.kind,
    presence: presenceOf(change),
    version: change.element.version,
    found: change.before?.version,
  }));
  return { isIn: elements.length > 0 && elements.every(({ presence }) => presence === 'there'), elements };
}

function presenceOf({ kind, element, read, before: found }: Change): ElementPresence['presence'] {
  if (found === undefined) return 'missing';
  if (found.version < element.version) return 'older';
  const isKept =
    kind === 'group' && found.version !== element.version
      ? keepsMembers(read as ConfigGroup | undefined, element as ConfigGroup, found as ConfigGroup)
      : sameContent(kind, element, found);
  if (element.modPolicy === found.modPolicy && isKept) return 'there';
  return found.version === element.version ? 'other' : 'changed-since';
}

/**
 * Whether a later version of a group still has the members that an update added. An update does not name removed members, so a removal
 * can only be seen if the group has exactly the members of the update.
 */
function keepsMembers(read: ConfigGroup = makeGroup({}), write: ConfigGroup, found: ConfigGroup): boolean {
  const missingIn = (one: ConfigGroup, other: ConfigGroup): string[] =>
    lostMembers({ path: '', names: [] }, one, other).map(({ key }) => key);
  const added = missingIn(write, read);
  const lost = new Set(missingIn(write, found));
  const others = new Set(missingIn(found, write));
  const removed = missingIn(read, write);
  if (added.some((key) => lost.has(key)) || removed.some((key) => others.has(key))) return false;
  return others.size === 0 || added.length + removed.length > 0;
}
