// The sets of organisations that control an element, in words.

import { naturally } from '../../core/common/text/naturally.js';
import type { ControlSet, Gainers } from '../control/index.js';
import { identityWords } from './certificate.js';
import { describeSet } from './policy.js';
import { mspName } from '../policy/index.js';
import { shortList } from './lists.js';

/** `Org1MSP and any 2 of Org2MSP, Org3MSP, Org4MSP` */
export const controlSetText = (set: ControlSet): string =>
  set
    .map(({ count, of }) => {
      const names = of.map(mspName).toSorted(naturally);
      if (count === of.length) return shortList(names, ' and ');
      return `any ${count === 1 ? '' : `${count} `}of ${shortList(names)}`;
    })
    .join(' and ');

/** Several sets; one of them is enough: `Org1MSP, or Org2MSP and Org3MSP`. */
export function controlText(sets: readonly ControlSet[]): string {
  if (sets.length === 0) return 'nobody';
  if (sets.some((set) => set.length === 0)) return 'anybody';
  return shortList(sets.map(controlSetText), ', or ');
}

/** Several sets that gain the same control. */
export const gainersText = (sets: readonly Gainers[]): string =>
  shortList(
    [
      ...new Set(
        sets.map((each) =>
          each.kind === 'persons' ? describeSet(each.set, identityWords) : controlSetText(each.set),
        ),
      ),
    ],
    ' or ',
  );
