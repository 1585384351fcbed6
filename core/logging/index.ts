export { allSpecsRoute } from './all-specs-route.js';
export { boundBackend } from './bounded-backend.js';
export { watchLeftLevel } from './left-level.js';
export {
  createLeasedSpec,
  type ActiveSpec,
  type LeasedSpec,
  type SpecChange,
  type SpecOwner,
} from './lease.js';
export { createLogging, type AgentLogging, type Logging } from './logging.js';
export { logspecRoute } from './route.js';
