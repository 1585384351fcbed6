// `fabric-ops-agent/translator/review`: whether orderers accept an update or a config, and its dangers, in Node.js and in browsers.

export {
  checkConfig,
  checkDocument,
  headlineOf,
  proposalsDocuments,
  review,
  reviewDocument,
  reviewProposals,
  signatureOrderFor,
  summaryOf,
  verdictOf,
  signatureCounts,
  type CheckOptions,
  type ConfigCheck,
  type Finding,
  type Headline,
  type ProposalFile,
  type ProposalsReview,
  type Review,
  type ReviewOptions,
  type Verdict,
} from '../review/index.js';
export { documentText, documentsMarkdown, documentsText, type Document } from '../documents/index.js';
