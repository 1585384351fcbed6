export { PushRunner } from './push.js';
export { MetricStore } from './store.js';
