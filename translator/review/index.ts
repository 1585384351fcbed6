// Exports for other directories: reviews of config updates, in Node and in a browser.

export { type CheckOptions, checkConfig } from './check.js';
export { type ProposalFile, reviewProposals } from './proposals.js';
export {
  type ConfigCheck,
  type Conflict,
  type ProposalsReview,
  type Review,
  type ReviewedBranch,
  type ReviewedElement,
  type ReviewedPolicy,
  type ReviewedProposal,
  type ReviewedSignature,
  type Submitter,
} from './result.js';
export { review } from './review.js';
export { appliedIn, appliedText, type AppliedIn } from './applied.js';
export { signatureUse, signatureCounts, type SignatureUse } from './signature-counts.js';
export { signatureOrderFor } from './signature-order.js';
export {
  PROPOSALS_ORDER,
  VERDICTS,
  VERDICT_TITLES,
  countingFindings,
  headlineOf,
  summaryOf,
  verdictOf,
  withVerdict,
  type Headline,
  type Verdict,
} from './verdict.js';
export {
  changeCell,
  checkDocument,
  conflictsDocuments,
  proposalsDocuments,
  reviewDocument,
} from './document.js';
export { addedCas, type AddedCa } from './added-cas.js';
export type {
  Active,
  Finding,
  FindingData,
  FindingId,
  NextStep,
  OrdererProgress,
  ReviewOptions,
  Severity,
} from '../rules/index.js';
export { unknownOfUpdate } from './next-steps.js';
