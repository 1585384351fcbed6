// Vetoes that organisations lose, in words.

import { onOneLine } from '../../core/common/text/one-line.js';
import type { LostVeto } from '../state/index.js';
import { elementWords } from './powers-document.js';
import { shortList } from './lists.js';

/** `Org1 and Org2 lose their veto over the channel and the application`; undefined if no organisation loses one. */
export function lostVetoText(lost: readonly LostVeto[]): string | undefined {
  const parts = new Map<string, string[]>();
  for (const { path, organizations } of lost) {
    const names = `${shortList(organizations.map(onOneLine), ' and ')} ${organizations.length === 1 ? 'loses its' : 'lose their'} veto`;
    const part = elementWords({ kind: 'group', path });
    const known = parts.get(names);
    if (known === undefined) parts.set(names, [part]);
    else known.push(part);
  }
  return parts.size === 0
    ? undefined
    : [...parts].map(([names, of]) => `${names} over ${shortList(of, ' and ')}`).join('; ');
}
