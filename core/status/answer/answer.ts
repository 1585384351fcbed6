// The terms of the answer: its state, its steps and what is known. Runs in browsers.

import type { Problem } from '../document.js';
import type { Cause } from './causes.js';

/** A state: each has a colour, a shape and a word. `stale`: from before the agent stopped responding. */
export type State = 'works' | 'risk' | 'planned' | 'stopped' | 'silent' | 'unknown' | 'stale';

/** The details of a step: a node, a cause with its section of the runbook, the settings for several nodes, or the agent. */
export type Details =
  | { readonly of: 'node'; readonly name: string }
  | { readonly of: 'cause'; readonly component: string }
  | { readonly of: 'agent' | 'nodes' };

/** The data that an answer needs besides the document. */
export interface ViewTime {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** When the agent stopped responding; undefined while it responds. Milliseconds since the epoch. */
  readonly lostAt?: number | undefined;
  /** The time zone of texts. @default the local zone */
  readonly zone?: string | undefined;
}

/** The last known facts about a node that must be started. */
interface Clue {
  readonly node: string;
  readonly text: string;
}

/** A step. */
export interface AnswerStep {
  readonly text: string;
  /** A command line, or a path, to copy. */
  readonly command?: string | undefined;
  readonly clues?: readonly Clue[];
  /** Whether it can be done instead of the step before. */
  readonly isAlternative?: boolean;
  /** The log level that the step sets, for which the page has a button. */
  readonly level?: { readonly node: string; readonly spec: string };
  /** Its details, which the page opens. */
  readonly opens?: Details;
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
  /** The cause; undefined: nothing is wrong with a node, or it is about another host. */
  readonly cause?: Cause;
  /** Planned work: the id of its silence, which ends it, and how long it still takes. */
  readonly planned?: { readonly id: string; readonly left: string };
  /** The other host that it is about. */
  readonly host?: string;
}

/** The members of an answer that differ from cause to cause. */
export type Core = Pick<Answer, 'state' | 'sentence' | 'meaning' | 'steps'>;

/** Other causes that are named below the first one; the rest is counted. */
export const MOST_OTHERS = 3;

/** The answer about the worst cause, and about the others. */
export interface Answers {
  readonly first: Answer;
  readonly others: readonly Answer[];
}
