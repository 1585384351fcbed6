export type { CheckStatus, NodeChannel, NodeList, NodeStatus, Problem, StatusDocument } from './document.js';
export { engineWarnings } from './engines.js';
export { createStatus, problemOf, statusRoute } from './status.js';
