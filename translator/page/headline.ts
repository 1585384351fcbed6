// The headline of a review on the page. Works without a browser.

import {
  countingFindings,
  summaryOf,
  unknownOfUpdate,
  verdictOf,
  type Review,
} from '#translator/review/index.js';
import { capitalised } from '../../core/common/text/capitalised.js';

/** A state, with a colour and a glyph: works is green, risk asks users to read something, stopped stops them, unknown waits for something. */
export type State = 'works' | 'risk' | 'stopped' | 'unknown';

/** A verdict in a sentence, and its state. */
export interface Headline {
  readonly state: State;
  readonly text: string;
}

/**
 * The headline of a review. It is `works` only if nothing is found besides missing signatures, and nothing about the update cannot be known.
 * What cannot be known, and whose signatures are missing, stand in places of their own.
 *
 * @param baseNotes configs that are not used for the review: with them it is not `works` either
 */
export function headlineOf(
  review: Pick<Review, 'elements' | 'findings' | 'acceptedIf' | 'policies' | 'unknown' | 'block'> &
    Partial<Pick<Review, 'appliedIn'>>,
  baseNotes: readonly string[] = [],
): Headline {
  const verdict = verdictOf(review);
  const text = capitalised(summaryOf({ ...review, unknown: [], steps: [] }));
  if (verdict === 'applied') return { state: 'unknown', text };
  if (verdict === 'refused' || verdict === 'dangerous') return { state: 'stopped', text };
  const isSure = unknownOfUpdate(review).length === 0 && baseNotes.length === 0;
  const hasWarnings = countingFindings(review).some(({ severity }) => severity === 'warning');
  return { state: isSure && !hasWarnings ? 'works' : 'risk', text };
}
