// Changes of majorities and quorums, in words.

import { groupBy } from '../../core/common/group-by.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import type { MajorityChange, Share } from '../state/index.js';
import { shortPath } from './changes.js';
import { shortList } from './lists.js';

/** `Application/Admins, Application/Endorsement: 2 of 2 becomes 2 of 3`, one line for each distinct change. */
export function majorityLines(changes: readonly MajorityChange[]): string[] {
  return [...groupBy(changes, changeText)].map(([text, same]) => `${shortList(same.map(nameOf))}: ${text}`);
}

const nameOf = ({ path, rule }: MajorityChange): string =>
  rule === 'quorum' ? 'quorum of the consenters' : onOneLine(shortPath(path));

const shareText = ({ need, of }: Share): string => `${need} of ${of}`;

function changeText({ before, after, newVeto }: MajorityChange): string {
  const veto = newVeto ? `; each of the ${after.of} can refuse alone` : '';
  const alone = after.of === 1 && before.of > 1 ? '; the one that stays decides alone' : '';
  return `${shareText(before)} becomes ${shareText(after)}${veto}${alone}`;
}
