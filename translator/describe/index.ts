// What other directories import: values, changes, certificates, policies, channels, updates, histories and reviews as data and in words, in Node
// and in browsers.

export { onOneLine } from '../../core/common/text/one-line.js';
export {
  certificateText,
  dayText,
  describeCertificate,
  summariseCertificate,
  type CertificateSummary,
} from './certificate.js';
export { describeDifference, type ElementDifference } from './changes.js';
export {
  summariseChannel,
  type ChannelSummary,
  type OrganizationSummary,
  type PolicySummary,
} from './channel.js';
export { channelText } from './channel-text.js';
export type { Finding, FindingData, FindingId, Severity } from './findings/index.js';
export { roleWords, serviceWords } from './findings/services.js';
export {
  identitySections,
  identityText,
  type ExplainedIdentity,
  type IdentityChange,
  type IdentityPolicy,
  type IdentityProblem,
  type IdentityReport,
  type IdentitySection,
  type IdentityService,
} from './identity.js';
export { differenceText, logEntry, logText, type LogEntry, type LogStyle } from './log.js';
export { majorityLines } from './majorities.js';
export type { MspSummary } from './msp.js';
export type { ConsenterSummary, OrdererSummary, Quorum } from './orderer.js';
export type { Permission } from './permissions.js';
export { describeNeed, describePolicy, describeSet } from './policy.js';
export { describePrincipal, type NameIdentity } from '../policy/principal-text.js';
export {
  exitStatusOf,
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
} from './review.js';
export { asMarkdown, checkText, groupFindings, proposalsText, reviewText } from './review-text.js';
export { powersDifferenceText, powersText } from './powers.js';
export { PLAIN, type Format, type Style } from './text.js';
export { summariseUpdate, type ChangeSummary, type SignerSummary, type UpdateSummary } from './update.js';
export { updateText } from './update-text.js';
export { changeText, type ValueChange } from './value-change.js';
export { policyText, valueText } from './values.js';
