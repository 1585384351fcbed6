export {
  createLeasedSpec,
  type ActiveSpec,
  type LeasedSpec,
  type SpecChange,
  type SpecEvent,
  type SpecOwner,
} from './lease.js';
export { boundBackend, createLogging, type AgentLogging, type Logging } from './logging.js';
export { allSpecsRoute, logspecRoute } from './route.js';
