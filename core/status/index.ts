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
export { scopeText } from './silence-scope.js';
export { createStatus, eventDocument, spanOf, statusRoute, type PastFailure } from './status.js';
export { stepsFor } from './steps.js';
