export { errorReply, JSON_TYPE, jsonLineReply, jsonReply } from './replies.js';
export type { Handler, HttpRequest, Reply, Route } from './route.js';
export { createOperationsServer, type OperationsServer } from './server.js';
export { versionRoute } from './version-route.js';
