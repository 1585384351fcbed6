// What other directories import: reviews of config updates, in Node and in a browser.

export type { FindingId, Severity } from './finding-ids.js';
export type { Finding } from './finding.js';
export type { ReviewOptions } from './facts/gather.js';
export { checkConfig, type CheckOptions, type ConfigCheck } from './check.js';
export { review } from './review.js';
export {
  reviewProposals,
  type Conflict,
  type ProposalFile,
  type ProposalsReview,
  type ReviewedProposal,
} from './proposals.js';
export { asMarkdown, proposalsText } from './report/proposals-text.js';
export {
  exitStatusOf,
  type Review,
  type ReviewedBranch,
  type ReviewedElement,
  type ReviewedPolicy,
  type ReviewedSignature,
  type Submitter,
} from './report/result.js';
export { checkText, reviewText } from './report/text.js';
export { signatureOrderFor } from './signature-order.js';
