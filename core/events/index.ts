export { Events, type EventNode } from './events.js';
export { createNotifierMetrics } from './notifier-metrics.js';
export { NotifierRunner } from './notifier-runner.js';
