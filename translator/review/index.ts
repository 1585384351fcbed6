// What other directories import: reviews of config updates, in Node and in a browser.

export {
  asMarkdown,
  checkText,
  exitStatusOf,
  proposalsText,
  reviewText,
  type ConfigCheck,
  type Conflict,
  type Finding,
  type FindingData,
  type FindingId,
  type ProposalsReview,
  type Review,
  type ReviewedBranch,
  type ReviewedElement,
  type ReviewedPolicy,
  type ReviewedProposal,
  type ReviewedSignature,
  type Severity,
  type Submitter,
} from '../describe/index.js';
export { checkConfig, type CheckOptions } from './check.js';
export type { ReviewOptions } from './facts/gather.js';
export type { OrdererProgress } from './facts/orderers.js';
export { reviewProposals, type ProposalFile } from './proposals.js';
export { review } from './review.js';
export { signatureOrderFor } from './signature-order.js';
