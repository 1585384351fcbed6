// `fabric-ops-agent/translator` in browsers: the part of index.ts that does not need Node.js and does not convert messages to JSON.

export { TranslateError, type TranslateErrorCode } from '../proto/errors.js';
export { type CallOptions, type Progress } from './long-call.js';
export {
  findSigningIdentity,
  mergeEnvelopes,
  readConfigFile,
  readSigningIdentity,
  readUpdateFile,
  signEnvelope,
  verifyUpdate,
  type Config,
  type ConfigFile,
  type Envelope,
  type SigningIdentity,
} from './public/channel.js';
export { EDITS, applyEdit, computeUpdate, setByPath, unsignedUpdate, type Edited } from './public/edit.js';
export {
  checkConfig,
  checkDocument,
  documentText,
  review,
  reviewDocument,
  summaryOf,
  verdictOf,
  signatureCounts,
  type Finding,
  type Review,
  type Verdict,
} from './public/review.js';
export {
  channelDocument,
  describeDifference,
  powersOf,
  summariseChannel,
  summariseUpdate,
  updateDocument,
} from './public/describe.js';
