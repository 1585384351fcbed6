export { forwardRoutes } from './forward-routes.js';
export { nodesRoute } from './list-route.js';
export { createNodeClient } from './node-client.js';
export { createNodeSpec } from './node-spec.js';
export { findNode, type AgentNode } from './node.js';
