// The public API for programs that embed the agent: `fabric-ops-agent`.

export { createAgent, type Agent } from './agent.js';
export { AgentError } from './contract/index.js';
export { ERROR_CODES, type ErrorCode } from './contract/errors.js';
export type { Check, FailedCheck, Health, HealthReport, Selection } from './health/index.js';
export type { Logging } from './logging/index.js';
export {
  defineSettings,
  loadSettings,
  SettingsError,
  type PluginDeclaration,
  type Settings,
} from '../config/index.js';
