// `fabric-ops-agent/translator/describe`: channels, updates, histories, differences, identities, expiry dates and who can do what, as data and as
// documents, in Node.js and in browsers.

export {
  changeTexts,
  channelDocument,
  controlDiff,
  describeDifference,
  differenceDocument,
  identityDocument,
  logDocument,
  logEntry,
  powersDifferenceDocument,
  powersDocument,
  signerText,
  summariseChannel,
  summariseUpdate,
  updateDocument,
  type ChannelSummary,
  type ControlDifference,
  type ElementDifference,
  type IdentityReport,
  type LogEntry,
  type UpdateSummary,
} from '../documents/index.js';
export { powersOf, type ChannelPowers, type PowersOptions } from '../powers/index.js';
export {
  explainIdentities,
  readIdentities,
  type ExplainOptions,
  type FoundIdentity,
} from '../identity/index.js';
export {
  certificatesInChannel,
  certificatesInFile,
  expiryDocument,
  expiryReport,
  type ExpiryReport,
} from '../expiry/index.js';
