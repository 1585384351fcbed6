export { forwardRoutes } from './forward-routes.js';
export { nodeList, nodesRoute, type NodeFacts } from './list-route.js';
export { createNodeClient } from './node-client.js';
export { createLogReader } from './node-log.js';
export { createNodeSpec } from './node-spec.js';
export { findNode, switchedOff, type AgentNode } from './node.js';
