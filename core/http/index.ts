export { LIMITS, type Limits } from './limits.js';
export { LimitedLog } from './limited-log.js';
export {
  errorReply,
  JSON_TYPE,
  jsonLineReply,
  jsonReply,
  NOT_FOUND,
  versionRoute,
  type Handler,
  type IncomingRequest,
  type Reply,
  type Route,
  type Subscribe,
} from './route.js';
export { createOperationsServer, type OperationsServer } from './server.js';
