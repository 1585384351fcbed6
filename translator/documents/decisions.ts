// Changes of who decides about the parts of the channel, in words.

import { groupBy } from '../../core/common/group-by.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import type { DecisionChange } from '../control/index.js';
import { elementWords } from './powers-document.js';
import { shortList } from './lists.js';

/** A change of who decides about several parts. */
export interface Decision extends Pick<DecisionChange, 'kind' | 'organizations'> {
  /** The parts: paths. */
  readonly parts: readonly string[];
}

/** The changes of the same organisations in one. */
export function decisionsOf(changes: readonly DecisionChange[]): readonly Decision[] {
  const groups = groupBy(changes, ({ kind, organizations }) => JSON.stringify([kind, organizations]));
  return [...groups.values()].map((same) => ({
    kind: same[0].kind,
    organizations: same[0].organizations,
    parts: same.map(({ path }) => path),
  }));
}

/** `Org1 and Org2 lose their veto over the channel and the group Application` */
export function decisionText({ kind, organizations, parts }: Decision): string {
  const who = shortList(organizations.map(onOneLine), ' and ');
  const what = shortList(
    parts.map((path) => elementWords({ kind: 'group', path })),
    ' and ',
  );
  const isOne = organizations.length === 1;
  if (kind === 'veto-lost') return `${who} ${isOne ? 'loses its' : 'lose their'} veto over ${what}`;
  const each = isOne ? who : `each of ${who}`;
  return kind === 'alone-gained'
    ? `${each} decides alone about ${what}`
    : `${each} no longer decides alone about ${what}`;
}
