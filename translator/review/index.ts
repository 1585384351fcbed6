// What other directories import: reviews of config updates, in Node and in a browser.

export {
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
  type Verdict,
  checkDocument,
  documentText,
  documentsMarkdown,
  documentsText,
  verdictOf,
  proposalsDocuments,
  reviewDocument,
} from '../documents/index.js';
export { type CheckOptions, checkConfig } from './check.js';
export type { ReviewOptions } from './facts/gather.js';
export { type OrdererProgress, lackingBlock } from './facts/orderers.js';
export { type ProposalFile, reviewProposals } from './proposals.js';
export { review } from './review.js';
export { signatureOrderFor } from './signature-order.js';
export { FINDINGS } from './finding-ids.js';
export { differingRules } from './dangers/versions.js';
export { signersByPolicy } from './facts/signers.js';
export { policyRefusals } from './stages/bft.js';
export type { Active } from './facts/proposal.js';
