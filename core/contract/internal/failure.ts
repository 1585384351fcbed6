// What failures of the agent and of built-in checkers have besides those of other checkers. README.md explains it.

import { CheckWarning, type FailedPart } from '../errors.js';

/** A part that is not healthy, with its relations to other failures. */
export interface DetailedPart extends FailedPart {
  /**
   * The component that explains this failure: the name of a node, or `channels/<channel>`. While it fails, this failure is not sent as an event.
   *
   * @default none
   */
  readonly follows?: string;
  /** The causes, if other parts can have the same ones and they explain the failure completely. @default none */
  readonly causes?: readonly SharedCause[];
  /**
   * The failure as a sentence of at most 12 words, of which `{node}` counts as 5: it stands for the names of the nodes with this failure.
   *
   * @default a sentence about any failure of this check
   */
  readonly headline?: string;
  /** Whether the failure is only a timeout, which is not reported while this host is slow. @default false */
  readonly isLate?: boolean;
}

/**
 * A cause of failures of several parts, also of other components and nodes, such as an expired certificate. All parts with the same
 * cause are one event.
 */
export interface SharedCause {
  /** Identifies the cause, such as `certificate <fingerprint>`. */
  readonly id: string;
  /** The problem. */
  readonly reason: string;
  /** Where the part has found it, such as a channel or a file. */
  readonly place: string;
  /** Its use in that place. */
  readonly use: string;
  /** Whether to send this reason rather than the reasons of other parts, for example because it names what to do. @default false */
  readonly isMain?: boolean;
}

/** Data of a failed check besides its reason. */
export interface FailureDetails extends Pick<DetailedPart, 'follows' | 'causes' | 'headline' | 'steps'> {
  /** When the run that found the failure began, as `performance.now()`. */
  readonly observedAt?: number;
}

/** A warning that another component explains. @param follows as in {@link DetailedPart}; undefined: none */
export const warningAfter = (reason: string, follows: string | undefined): CheckWarning =>
  Object.assign(new CheckWarning(reason), follows !== undefined && { follows });
