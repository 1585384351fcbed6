export type { Check, FailedCheck } from './component.js';
export { createHealth, type Health, type HealthReport } from './health.js';
export { healthzRoute } from './route.js';
