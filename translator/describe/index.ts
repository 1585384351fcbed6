// What other directories import: values, changes, certificates, policies, channels, updates, histories and reviews as data and in words, in Node
// and in browsers.

export { onOneLine } from '../../core/common/text/one-line.js';
export {
  type CertificateSummary,
  dayText,
  describeCertificate,
  identityWords,
  serialText,
  summariseCertificate,
} from './certificate.js';
export {
  type ElementChange,
  type ElementDifference,
  describeChanges,
  describeDifference,
} from './changes.js';
export {
  type ChannelSummary,
  type OrganizationSummary,
  type PolicySummary,
  summariseChannel,
} from './channel.js';
export { channelText } from './channel-text.js';
export {
  type Finding,
  type FindingData,
  type FindingId,
  type Severity,
  describeFinding,
} from './findings/index.js';
export {
  type AffectedActors,
  type AffectedService,
  type PolicyStep,
  roleWords,
  serviceWords,
} from './findings/services.js';
export {
  type ExplainedIdentity,
  type IdentityChange,
  type IdentityPolicy,
  type IdentityProblem,
  type IdentityReport,
  type IdentitySection,
  type IdentityService,
  type NotAdmin,
  identitySections,
  identityText,
  problemWords,
} from './identity.js';
export {
  type LogEntry,
  type LogStyle,
  changeTexts,
  differenceText,
  logEntry,
  logText,
  signerText,
} from './log.js';
export { majorityLines } from './majorities.js';
export type { MspSummary } from './msp.js';
export type { ConsenterSummary, OrdererSummary, Quorum } from './orderer.js';
export type { Permission } from './permissions.js';
export { describeNeed, describePolicy, describeSet } from './policy.js';
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
  exitStatusOf,
} from './review.js';
export { asMarkdown, checkText, groupFindings, proposalsText, reviewText } from './review-text.js';
export { powersDifferenceText, powersText } from './powers.js';
export { type Format, PLAIN, type Style } from './text.js';
export { type ChangeSummary, type SignerSummary, type UpdateSummary, summariseUpdate } from './update.js';
export { updateText } from './update-text.js';
export { type ValueChange, changeText } from './value-change.js';
export { policyText, valueText } from './values.js';
export { gainersText } from './control.js';
export type { JoinProblem } from './findings/join.js';
export { unknownRevocation, type RevokedIdentity } from './findings/organizations.js';
