// The terms of the page: states, answers, and what a drawer shows. Works without a browser.

import type { Problem } from '../status/document.js';
import type { Cause } from './causes.js';

/** A state: each has a colour, a shape and a word. `stale`: from before the agent stopped responding. */
export type State = 'works' | 'risk' | 'stopped' | 'silent' | 'unknown' | 'stale';

/** The words for states, for people who do not see the shapes. */
export const WORDS: Readonly<Record<State, string>> = {
  works: 'works',
  risk: 'at risk',
  stopped: 'stopped',
  silent: 'does not respond',
  unknown: 'unknown',
  stale: 'old',
};

/** The content of the drawer. */
export type Target =
  | { readonly of: 'node' | 'channel'; readonly name: string }
  | { readonly of: 'cause' | 'follows'; readonly component: string }
  | { readonly of: 'others' | 'certificates' | 'levels' | 'events' | 'silences' | 'agent' | 'nodes' };

/** The data that an answer needs besides the document. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** When the agent stopped responding; undefined while it responds. Milliseconds since the epoch. */
  readonly lostAt?: number | undefined;
  /** The time zone of texts. @default the zone of the browser */
  readonly zone?: string | undefined;
}

/** The last known facts about a node that must be started. */
export interface Clue {
  readonly node: string;
  readonly text: string;
}

/** A step. */
export interface AnswerStep {
  readonly text: string;
  /** A command line, or a path, to copy. */
  readonly command?: string | undefined;
  readonly clues?: readonly Clue[];
  /** The drawer with the details. */
  readonly opens?: Target;
}

/** The answer about one cause. */
export interface Answer {
  readonly state: State;
  readonly sentence: string;
  readonly meaning: string;
  /** When it began, RFC 3339. */
  readonly since?: string | undefined;
  readonly steps: readonly AnswerStep[];
  /** Checks that fail because of it. */
  readonly follows: readonly Problem[];
  /** The section of the runbook. */
  readonly runbook?: string | undefined;
  /** The cause; undefined: nothing is wrong with a node. */
  readonly cause?: Cause;
}

/** The members of an answer that differ from cause to cause. */
export type Core = Pick<Answer, 'state' | 'sentence' | 'meaning' | 'steps'>;

/** The answer of the page: about the worst cause, and about the others. */
export interface Answers {
  readonly first: Answer;
  readonly others: readonly Answer[];
}
