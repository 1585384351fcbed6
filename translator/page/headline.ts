// The headline of a review on the page. Works without a browser.

import { summaryOf, VERDICT_TITLES, verdictOf, type Review } from 'fabric-ops-agent/translator/review';
import { capitalised } from '../../core/common/text/capitalised.js';

/** The headline of a review: `good` is green, `open` asks people to do or to check something, `bad` stops them. */
export interface Headline {
  readonly kind: 'good' | 'open' | 'bad';
  readonly text: string;
}

/**
 * The headline of a review. It is not `good` if something cannot be known. Without a submitter, an update with all signatures is not
 * accepted yet, but needs no further signature. The page shows the reasons for `bad` below it.
 */
export function headlineOf(review: Pick<Review, 'findings' | 'policies' | 'unknown'>): Headline {
  const verdict = verdictOf(review);
  if (verdict === 'refused' || verdict === 'dangerous')
    return { kind: 'bad', text: capitalised(VERDICT_TITLES[verdict]) };
  const isComplete = verdict === 'harmless' || review.policies.every(({ satisfied }) => satisfied);
  return {
    kind: isComplete && review.unknown.length === 0 ? 'good' : 'open',
    text: capitalised(summaryOf(review)),
  };
}
