export { createHealth, type Check, type FailedCheck, type Health, type HealthReport } from './health.js';
export { healthzRoute } from './route.js';
