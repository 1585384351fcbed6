// Changes of who decides about the parts of the channel, in words.

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
  const found = new Map<string, { -readonly [Key in keyof Decision]: Decision[Key] }>();
  for (const { kind, path, organizations } of changes) {
    const key = JSON.stringify([kind, organizations]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { kind, organizations, parts: [path] });
    else known.parts = [...known.parts, path];
  }
  return [...found.values()];
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
