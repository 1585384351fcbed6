// The CAs of organisations that an update adds: only the organisation itself knows whether they are its own.

import { grouped } from '../../core/common/text/grouped.js';
import type { Review } from './result.js';
import { verdictOf } from './verdict.js';

/** A CA of an organisation that an update adds. */
export interface AddedCa {
  /** The name of the group. */
  readonly organization: string;
  /** The name in its certificate: `CN=ca.org3.example.com`. */
  readonly name: string;
  /** The SHA-256 of its certificate in groups of four characters, for comparison by eye. */
  readonly sha256: string;
}

/** The CAs to compare with the organisations that an update adds; none if orderers would refuse the update. */
export function addedCas(review: Pick<Review, 'elements' | 'findings'>): readonly AddedCa[] {
  if (verdictOf(review) === 'refused') return [];
  const { elements } = review;
  const added = new Set(
    elements.flatMap(({ element, kind, change }) => (kind === 'group' && change === 'new' ? [element] : [])),
  );
  return elements.flatMap(({ element, kind, data }) => {
    const group = element.replace(/\/MSP$/, '');
    if (kind !== 'value' || group === element || !added.has(group)) return [];
    const organization = group.slice(group.lastIndexOf('/') + 1);
    return data.flatMap(({ entry }) =>
      entry?.kind === 'CA' && entry.sha256 !== undefined
        ? [{ organization, name: entry.name, sha256: grouped(entry.sha256) }]
        : [],
    );
  });
}

/** `compare with Org3: CA CN=ca.org3.example.com, SHA-256 901c 5a28 …` */
export const addedCaText = ({ organization, name, sha256 }: AddedCa): string =>
  `compare with ${organization}: CA ${name}, SHA-256 ${sha256}`;
