export { attachNotifier } from './attach.js';
export { createCheckerEvents } from './checker-events.js';
export { Events } from './events.js';
export type { EventNode } from './new-event.js';
export { EventStream } from './event-stream.js';
export { createNotifierMetrics } from './notifier-metrics.js';
export { NotifierRunner } from './notifier-runner.js';
export { pageRoutes } from './routes.js';
