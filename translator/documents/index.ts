// The names for other directories: values, changes, certificates, policies, channels, updates, histories and reviews as data, in words and as
// documents, in Node and in browsers.

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
  MOVED_FROM,
  shortPath,
} from './changes.js';
export {
  type ChannelSummary,
  type OrganizationSummary,
  type PolicySummary,
  summariseChannel,
} from './channel.js';
export { channelDocument } from './channel-document.js';
export type {
  Block,
  Cell,
  Document,
  Limit,
  Problem,
  Problems,
  Row,
  Rows,
  Section,
  Text,
  Tone,
} from './document.js';
export { listOf, placeText, sectionOf, tableOf } from './document.js';
export {
  type AffectedActors,
  type AffectedService,
  roleWords,
  serviceSentence,
  servicesInShort,
  isOfMaintenance,
  serviceWords,
} from './services.js';
export {
  type ExplainedIdentity,
  type IdentityChange,
  type IdentityPolicy,
  type IdentityProblem,
  type IdentityReport,
  type IdentityService,
  type NotAdmin,
  problemWords,
} from './identity.js';
export { identityDocument } from './identity-document.js';
export { type LogEntry, logEntry } from './log.js';
export { changeTexts, differenceDocument, logDocument, signerText } from './log-document.js';
export { majorityLines } from './majorities.js';
export { decisionText, decisionsOf, type Decision } from './decisions.js';
export type { MspSummary } from './msp.js';
export { quorumOf, type ConsenterSummary, type OrdererSummary, type Quorum } from './orderer.js';
export type { Permission } from './permissions.js';
export { describeNeed, describePolicy, describeSet } from './policy.js';
export { documentsMarkdown } from './markdown.js';
export {
  controlDiff,
  elementWords,
  groupWords,
  powersDifferenceDocument,
  powersDocument,
  type ControlDifference,
} from './powers-document.js';
export { firstOf, shortList } from './lists.js';
export {
  type Display,
  type Format,
  PLAIN,
  type Style,
  documentText,
  documentsText,
  restText,
} from './text.js';
export { type ChangeSummary, type SignerSummary, type UpdateSummary, summariseUpdate } from './update.js';
export { updateDocument } from './update-document.js';
export { type ChangedEntry, type ValueChange, changeText } from './value-change.js';
export { durationText, policyText, sizeText, valueText } from './values.js';
export { gainersText, mspNames, gainerNamesText, type OrganizationNames } from './control.js';
export { day, type FindingWords, quoted, words } from './words.js';
