export { attachSink, attachSource, type SinkAttachment, type SourceParts } from './attach.js';
export { PushRunner } from './push.js';
export { RelayReader } from './relay.js';
export { sinkRoute } from './route.js';
export { createSourceMetrics, type SourceMetrics } from './source-metrics.js';
export { SourceRunner } from './source-runner.js';
export { SourceTotals } from './source-totals.js';
export { Sources } from './sources.js';
export { MetricStore } from './store.js';
