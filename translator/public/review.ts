// `fabric-ops-agent/translator/review`: what a config or an update means, as data and in words, in Node.js and in browsers.

// Whether orderers accept an update, and its dangers
export {
  changeCell,
  checkConfig,
  checkDocument,
  countingFindings,
  headlineOf,
  newCas,
  PROPOSALS_ORDER,
  proposalsDocuments,
  review,
  reviewProposals,
  reviewDocument,
  signatureOrderFor,
  VERDICT_TITLES,
  summaryOf,
  unknownOfUpdate,
  verdictOf,
  wouldCount,
  type Active,
  type CheckOptions,
  type ConfigCheck,
  type Conflict,
  type Finding,
  type FindingData,
  type FindingId,
  type Headline,
  type NewCa,
  type NextStep,
  type OrdererProgress,
  type ProposalFile,
  type ProposalsReview,
  type Review,
  type ReviewOptions,
  type ReviewedBranch,
  type ReviewedElement,
  type ReviewedPolicy,
  type ReviewedProposal,
  type ReviewedSignature,
  type Severity,
  type Submitter,
  type Verdict,
} from '../review/index.js';
export { changeText, majorityLines, type ChangedEntry, type ValueChange } from '../documents/index.js';

// Options of calls that can take a second
export { type CallOptions, type Progress, type ProgressPart } from '../long-call.js';

// Channels and updates
export {
  channelDocument,
  durationText,
  policyText,
  quorumOf,
  sizeText,
  summariseChannel,
  summariseUpdate,
  updateDocument,
  valueText,
  type ChangeSummary,
  type ChannelSummary,
  type ConsenterSummary,
  type MspSummary,
  type OrdererSummary,
  type OrganizationSummary,
  type Permission,
  type PolicySummary,
  type Quorum,
  type SignerSummary,
  type UpdateSummary,
} from '../documents/index.js';

// The history of a channel, and the difference of two configs
export {
  changeTexts,
  describeDifference,
  differenceDocument,
  logEntry,
  logDocument,
  signerText,
  type ElementDifference,
  type LogEntry,
} from '../documents/index.js';

// Services and control of organisations
export {
  powersOf,
  type ChannelPowers,
  type ControlRow,
  type ControlSet,
  type NamedOrganization,
  type PowersOptions,
  type ServiceName,
  type ServiceRow,
} from '../powers/index.js';
export { type MajorityChange } from '../state/index.js';
export {
  controlDiff,
  mspNames,
  powersDifferenceDocument,
  powersDocument,
  roleWords,
  serviceWords,
  type ControlDifference,
  type OrganizationNames,
} from '../documents/index.js';

// Identities
export {
  explainIdentities,
  readIdentities,
  type ExplainOptions,
  type FoundIdentity,
} from '../identity/index.js';
export {
  identityDocument,
  type ExplainedIdentity,
  type IdentityChange,
  type IdentityPolicy,
  type IdentityProblem,
  type IdentityReport,
  type IdentityService,
  type NotAdmin,
} from '../documents/index.js';

// When certificates end
export {
  endsInChannel,
  endsInFile,
  expiryCalendar,
  expiryReport,
  expiryDocument,
  type Expiry,
  type ExpiryReport,
} from '../expiry/index.js';
export { describeCertificate, type CertificateSummary } from '../documents/index.js';

// Documents as text
export {
  documentText,
  documentsMarkdown,
  documentsText,
  firstOf,
  onOneLine,
  restText,
  type Block,
  type Cell,
  type Display,
  type Document,
  type Format,
  type Limit,
  type Problem,
  type Problems,
  type Row,
  type Rows,
  type Section,
  type Style,
  type Text,
  type Tone,
} from '../documents/index.js';
