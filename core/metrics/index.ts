export { PushRunner } from './push.js';
export { sinkRoute } from './route.js';
export { MetricStore } from './store.js';
