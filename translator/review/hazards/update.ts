// Hazards: updates that do not do what they seem to.

import type { Applied, Change } from '../../config/apply.js';
import { groupAt, lastName, parentPath } from '../../config/element-path.js';
import type { ConfigGroup } from '../../config/element.js';
import { sameContent } from '../../config/same-content.js';
import { hazard, type Finding } from '../finding.js';

export function updateHazards({ changes, config }: Applied): Finding[] {
  const lost = changes.filter((change) => isLost(change, config.channelGroup)).map(lostHazard);
  const same = changes.filter(hasNoEffect);
  if (same.length === 0) return lost;
  const isAll = same.length === changes.length;
  return [
    ...lost,
    hazard(
      'warning',
      isAll ? 'update-without-effect' : 'change-without-effect',
      same[0]!.path,
      isAll
        ? 'the update sets only what the config already has: it changes versions, nothing else'
        : `the update sets ${same.length === 1 ? 'an element' : `${same.length} elements`} to what ${same.length === 1 ? 'it already is' : 'they already are'}`,
      isAll
        ? 'compute it again: --original is the current config, --updated is the changed one; perhaps they were swapped'
        : 'leave these elements out of the update: fewer signatures may be needed',
    ),
  ];
}

const lostHazard = ({ path }: Change): Finding =>
  hazard(
    'warning',
    'change-ignored',
    path,
    'the element is new, but its group is not raised to the next version: orderers accept that and ignore it',
    'compute the update from two configs instead of writing it by hand',
  );

/** Whether the resulting config lacks an element that the update adds. */
function isLost({ kind, path, change }: Change, root: ConfigGroup): boolean {
  if (change !== 'new' || path === '/Channel') return false;
  const group = groupAt(root, parentPath(path));
  const elements = { group: group?.groups, value: group?.values, policy: group?.policies }[kind];
  return elements?.has(lastName(path)) !== true;
}

const hasNoEffect = ({ kind, element, before }: Change): boolean =>
  before !== undefined && element.modPolicy === before.modPolicy && sameContent(kind, element, before);
