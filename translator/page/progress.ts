// The progress of a computation, in words.

import type { Progress } from '#translator/long-call.js';

/** Is called with the progress of a computation. */
export type OnProgress = (progress: Progress) => void;

/** The part of a computation that is done, in hundredths. */
export const percentOf = ({ done, total }: Progress): number => Math.floor((100 * done) / total);

/** `Reading… 40 %`; without a number before anything is done. */
export const progressText = (what: string, percent: number): string =>
  percent === 0 ? `${what}…` : `${what}… ${percent} %`;
