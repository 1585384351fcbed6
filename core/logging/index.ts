export { createLogging, type Logging } from './logging.js';
export { logspecRoute } from './route.js';
