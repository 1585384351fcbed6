export { LimitedLog } from './limited-log.js';
export { errorReply, JSON_TYPE, jsonLineReply, jsonReply, NOT_FOUND } from './replies.js';
export type { Handler, HttpRequest, Reply, Route, Subscribe } from './route.js';
export { createOperationsServer, type OperationsServer } from './server.js';
export { versionRoute } from './version-route.js';
