export { mergeFamilies } from './merge-families.js';
export { RelayReader } from './relay-reader.js';
export type { RelayedSeries } from './relayed-series.js';
export { createSourceMetrics, type SourceMetrics } from './source-metrics.js';
export { SourceRunner } from './source-runner.js';
export { SourceTotals } from './source-totals.js';
export { Sources, type LiveSource } from './sources.js';
