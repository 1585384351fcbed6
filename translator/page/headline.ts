// What the page says about a review before everything else. Works without a browser.

import { verdictOf, type Review } from 'fabric-ops-agent/translator/review';

/** The headline of a review: `good` is green, `open` asks people to do or to check something, `bad` stops them. */
export interface Headline {
  readonly kind: 'good' | 'open' | 'bad';
  readonly text: string;
}

/**
 * The headline of a review. It is not `good` if something cannot be known. Without a submitter an update with all signatures is not
 * accepted yet, but nobody has to be asked for a signature.
 */
export function headlineOf({
  findings,
  policies,
  unknown,
}: Pick<Review, 'findings' | 'policies' | 'unknown'>): Headline {
  const verdict = verdictOf({ findings });
  if (verdict === 'refused') return { kind: 'bad', text: 'Orderers would refuse it' };
  if (verdict === 'dangerous') return { kind: 'bad', text: 'Dangerous' };
  const isUnsigned = verdict === 'unsigned';
  if (isUnsigned && !policies.every(({ satisfied }) => satisfied))
    return { kind: 'open', text: 'Signatures are missing' };
  const text = isUnsigned ? 'It has all signatures: submit it' : 'Orderers would accept it';
  return unknown.length === 0
    ? { kind: 'good', text }
    : { kind: 'open', text: `${text}, after you have checked what cannot be known` };
}
