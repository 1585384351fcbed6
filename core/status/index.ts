export type {
  CheckStatus,
  ConsenterStatus,
  LogStatus,
  NodeChannel,
  NodeList,
  NodeStatus,
  OtherAgentStatus,
  Problem,
  SilenceStatus,
  Span,
  StatusDocument,
} from './document.js';
export { inWords } from './told.js';
export { scopeText } from './silence-scope.js';
export {
  createStatus,
  eventDocument,
  spanOf,
  statusRoute,
  type PastFailure,
  type StatusParts,
} from './status.js';
export { stepsFor } from './steps.js';
