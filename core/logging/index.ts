export { boundBackend } from './bounded-backend.js';
export { createLogging, type AgentLogging, type Logging } from './logging.js';
export { logspecRoute } from './route.js';
