// `fabric-ops-agent/translator` in browsers: the part of index.ts that does not need Node.js and does not convert messages to JSON.

export { TranslateError, type TranslateErrorCode } from '../proto/errors.js';
export { computeUpdate } from './update/index.js';
// The inputs of the commands.
export {
  readChannelFile,
  readConfigFile,
  readUpdateFile,
  fingerprintOf,
  type ChannelFile,
  type Config,
  type ConfigFile,
  type Envelope,
} from './channel/index.js';
// expiry
export { endsInChannel, endsInFile, expiryCalendar, expiryReport, expiryText } from './expiry/index.js';
// show, diff, log, verify, powers, identity
export {
  channelText,
  describeDifference,
  differenceText,
  identityText,
  logEntry,
  logText,
  powersDifferenceText,
  powersText,
  summariseChannel,
  summariseUpdate,
  updateText,
} from './describe/index.js';
export { verifyUpdate } from './show.js';
export { powersOf } from './powers/index.js';
export { explainIdentities, readIdentities } from './identity/index.js';
// edit, rebase, and the commands for single edits
export {
  addConsenter,
  addOrganization,
  applyUnsigned,
  editAll,
  editAnchorPeers,
  fitsConfig,
  mspFilesOf,
  organizationOf,
  rebaseUpdate,
  removeAcl,
  removeConsenter,
  removeOrganization,
  removePolicy,
  replaceConfig,
  rotateConsenter,
  setAcl,
  setByPath,
  setCapabilities,
  setEndpoints,
  setFields,
  setModPolicy,
  setMsp,
  setPolicy,
  unsignedUpdate,
  type Edited,
  type MspFolder,
} from './edit/index.js';
// sign, merge
export {
  findSigningIdentity,
  mergeEnvelopes,
  readSigningIdentity,
  signAsSubmitter,
  signEnvelope,
  type SigningIdentity,
} from './sign/index.js';
// review, check
export {
  asMarkdown,
  checkConfig,
  checkText,
  exitStatusOf,
  proposalsText,
  review,
  reviewProposals,
  reviewText,
  signatureOrderFor,
  type Finding,
  type Review,
} from './review/index.js';
// migrate
export { migrationStatus, planBft } from './migrate/index.js';
