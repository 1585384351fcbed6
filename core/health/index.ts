export { attachChecker } from './attach.js';
export { LONGEST_DOUBT, type Check, type FailedCheck } from './component.js';
export { createHealth, type AgentHealth, type Health, type HealthReport } from './health.js';
export { healthRoutes } from './route.js';
export { Clock, CLOCK, dependsOnClock } from './clock.js';
export { AGENT, Lag } from './lag.js';
export type { HealthObserver } from './state.js';
export { CHANNELS } from '../common/text/component.js';
export { describeOtherNodes, readySelection, type Selection } from './selection.js';
