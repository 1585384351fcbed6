// The headline of a review on the page. Works without a browser.

import {
  countingFindings,
  headlineOf as reviewHeadline,
  unknownOfUpdate,
  type Review,
} from '#translator/review/index.js';
import { capitalised } from '../../core/common/text/capitalised.js';

/** A state, with a colour and a glyph: works is green, risk asks users to read something, stopped stops them, unknown waits for something. */
export type State = 'works' | 'risk' | 'stopped' | 'unknown';

/** A verdict, and its state. */
export interface Headline {
  readonly state: State;
  /** What the update does, in at most 12 words; with the word of the verdict if it is good or grave. */
  readonly title: string;
  /** The finding that matters most: what changes in power, or why orderers refuse it. Empty if there is none. */
  readonly matters: string;
}

/**
 * The headline of a review. It is `works` only if nothing is found besides missing signatures, and nothing about the update cannot be known.
 * What cannot be known, and whose signatures are missing, stand in places of their own.
 *
 * @param isSure whether it is reviewed against all configs of the page, and conflicts with no other update: otherwise it is not `works`
 */
export function headlineOf(
  review: Pick<Review, 'elements' | 'findings' | 'acceptedIf' | 'policies' | 'unknown' | 'block'> &
    Partial<Pick<Review, 'appliedIn'>>,
  isSure = true,
): Headline {
  const { verdict, word, shortly, matters } = reviewHeadline(review);
  const does = shortly === '' ? 'changes nothing' : shortly;
  switch (verdict) {
    case 'applied':
      return { state: 'unknown', title: `Applied: ${matters}`, matters: '' };
    case 'refused':
      return { state: 'stopped', title: 'Orderers would refuse it', matters };
    case 'dangerous':
      return { state: 'stopped', title: `${capitalised(word)}: ${does}`, matters };
    case 'unsigned':
    case 'warning':
    case 'harmless':
    default: {
      const hasWarnings = countingFindings(review).some(({ severity }) => severity === 'warning');
      const works = isSure && !hasWarnings && unknownOfUpdate(review).length === 0;
      const title = word === 'harmless' ? `Harmless: ${does}` : capitalised(does);
      return { state: works ? 'works' : 'risk', title, matters };
    }
  }
}
