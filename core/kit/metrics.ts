// `fabric-ops-agent/kit/metrics`: helpers for metric sources and push sinks.

// Prometheus text format
export { ExpositionParser, readExposition } from './exposition/parse.js';
export { MAX_METRICS_SIZE } from './node.js';

// Options and metrics of push sinks
export {
  checkDaemonAddress,
  checkInterval,
  checkPrefix,
  checkSize,
  createPushMetrics,
  createReconnects,
  warnOfPrefix,
  type PushMetrics,
} from './push.js';

// Lines of values
export { createBuckets, normalPrefix, plainName, type Bucket, type NodePrefix } from './lines/buckets.js';
export { LineSender, TcpTransport, type TransportListener } from './lines/transport.js';
