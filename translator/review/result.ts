// The results of reviews and checks. Their JSON is stable: keys are added, never removed or renamed.

import type { ValueChange } from '../documents/index.js';
import type { Finding, NextStep } from '../rules/index.js';
import type { MajorityChange } from '../state/index.js';

/** A review of a config update. Everything in it can be written as JSON. */
export interface Review {
  readonly channel: string;
  /** SHA-256 of the serialized update: the same for everybody who reviews or signs it. */
  readonly fingerprint: string;
  /** The number of the block; null if the config is not in a block. */
  readonly block: string | null;
  /** Whether the update was computed from this config: it has the same channel and the right versions of elements. */
  readonly fits: boolean;
  /** Whether orderers would accept it if all consenters are alive, or as many as `active`. */
  readonly accepted: boolean;
  /**
   * The number of Raft consenters that must be alive so that orderers accept a change of consenters, of all of them; null if no number is
   * needed, or it is known which ones are alive.
   */
  readonly acceptedIf: { readonly alive: number; readonly of: number } | null;
  /**
   * The block that has the update already, as a decimal text; null inside if the config is not in a block. `isExact`: it is in this block, not
   * in an earlier one. Null for an update that the channel does not have. With it, all lists of the review are empty.
   */
  readonly appliedIn: { readonly block: string | null; readonly isExact: boolean } | null;
  readonly elements: readonly ReviewedElement[];
  readonly policies: readonly ReviewedPolicy[];
  readonly signatures: readonly ReviewedSignature[];
  readonly submitter: Submitter;
  /** Changes of majorities and quorums: `2 of 3` becomes `3 of 4`. */
  readonly majorities: readonly MajorityChange[];
  /** In the order of severity: refused, danger, unsigned, warning. With `explainedBy`, a finding follows from another one. */
  readonly findings: readonly Finding[];
  /** The next steps, in words. */
  readonly next: readonly string[];
  /** The same steps as data. */
  readonly steps: readonly NextStep[];
  /** The facts that a review cannot know. */
  readonly unknown: readonly string[];
}

/** An element that the update adds, changes or removes. */
export interface ReviewedElement {
  /** For example `/Channel/Orderer/BatchSize`. */
  readonly element: string;
  readonly kind: 'group' | 'value' | 'policy';
  readonly change: 'new' | 'modified' | 'removed';
  /** The path of the policy that decides; null for a new or removed element (the policy of the group decides), and for a missing policy. */
  readonly policy: string | null;
  readonly satisfied: boolean;
  /** The signers that count for the policy. */
  readonly signers: readonly string[];
  /** The changes in words. */
  readonly words: readonly string[];
  /** The data of `words`; of a group, its members. */
  readonly data: readonly ValueChange[];
}

/** A policy that must be satisfied. */
export interface ReviewedPolicy {
  readonly policy: string;
  /** For example `MAJORITY Admins (2 of Org1, Org2, Org3)`. */
  readonly text: string;
  readonly satisfied: boolean;
  /** The numbers of satisfied and of needed groups of an implicit meta policy; otherwise null. */
  readonly have: number | null;
  readonly need: number | null;
  /** The other required signers; null if there are none. */
  readonly missing: string | null;
  /** The signers that count. */
  readonly signers: readonly string[];
  /** The groups of an implicit meta policy; empty for a signature policy. */
  readonly branches: readonly ReviewedBranch[];
}

/** A group of an implicit meta policy. */
export interface ReviewedBranch {
  readonly group: string;
  /** The path of its policy; null if the group has none, and can never count. */
  readonly policy: string | null;
  readonly text: string;
  readonly satisfied: boolean;
  readonly signers: readonly string[];
  readonly branches: readonly ReviewedBranch[];
}

/** A signature on the update. */
export interface ReviewedSignature {
  readonly mspid: string;
  readonly subject: string;
  /** The end of the validity of the certificate (RFC 3339); null if it does not parse. */
  readonly notAfter: string | null;
  readonly valid: boolean;
  /** The reason that it is not valid; null if it is. */
  readonly problem: string | null;
  /** The paths of the policies that it counts for. */
  readonly countsFor: readonly string[];
}

/** The signer of the envelope. */
export interface Submitter {
  /** The path of the policy that the submitter has to satisfy. */
  readonly policy: string;
  /** Null if nobody signed the envelope. */
  readonly signature: Omit<ReviewedSignature, 'countsFor'> | null;
  readonly satisfied: boolean;
}

/** An update, and the files that contain it. */
export interface ReviewedProposal {
  readonly files: readonly string[];
  /** With the signatures of all files. */
  readonly review: Review;
}

/** Two updates of the same element: after one is accepted, the other must be computed again. */
export interface Conflict {
  /** The first file of each. */
  readonly files: readonly [string, string];
  /** For example `/Channel/Orderer/BatchSize`. */
  readonly elements: readonly string[];
}

/** The reviews of several proposals. Everything in it can be written as JSON. */
export interface ProposalsReview {
  readonly proposals: readonly ReviewedProposal[];
  readonly conflicts: readonly Conflict[];
}

/** The check of a config. Everything in it can be written as JSON. */
export interface ConfigCheck {
  /** Null if the config does not name it. */
  readonly channel: string | null;
  /** The number of the block; null if the config is not in a block. */
  readonly block: string | null;
  /** In the order of severity: refused, danger, warning. */
  readonly findings: readonly Finding[];
}
