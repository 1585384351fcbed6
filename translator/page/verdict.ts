// The verdict of a review. Works without a browser.

import { exitStatusOf, type Review } from 'fabric-ops-agent/translator/review';

/** A verdict. `open`: something must be done or checked. `bad`: it is refused, dangerous or not valid. */
export interface Verdict {
  readonly kind: 'good' | 'open' | 'bad';
  readonly text: string;
}

/**
 * The verdict of a review. It is `open` if something cannot be known. An update with all signatures needs no further signature, although
 * orderers do not accept it yet without a submitter.
 */
export function verdictOf({
  findings,
  policies,
  unknown,
}: Pick<Review, 'findings' | 'policies' | 'unknown'>): Verdict {
  const status = exitStatusOf({ findings });
  if (status === 2) return { kind: 'bad', text: 'Orderers would refuse it' };
  if (status === 4) return { kind: 'bad', text: 'Dangerous' };
  if (status === 3 && !policies.every(({ satisfied }) => satisfied))
    return { kind: 'open', text: 'Signatures are missing' };
  const text = status === 3 ? 'It has all signatures: submit it' : 'Orderers would accept it';
  return unknown.length === 0
    ? { kind: 'good', text }
    : { kind: 'open', text: `${text}, after you have checked what cannot be known` };
}
