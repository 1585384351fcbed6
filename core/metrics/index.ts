export { createMetricReader } from './exposition.js';
export { PushRunner } from './push.js';
export { MetricStore } from './store.js';
