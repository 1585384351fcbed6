// The public API for tests of plugins: `fabric-ops-agent/testing`.

export type { ContractCase, Fixture } from './case.js';
export type { CreateFixture, Undetectable } from './common-cases.js';
export { createTestContext, type TestContext } from './context.js';
export { recordDelivery, type DeliveryRecord } from './delivery-record.js';
export { healthCheckerCases, type HealthCheckerFixtures } from './health-checker-cases.js';
export { loggingBackendCases } from './logging-backend-cases.js';
export { metricSourceCases, type MetricSourceFixtures } from './metric-source-cases.js';
export {
  networkClientCases,
  type NetworkClient,
  type NetworkClientFixtures,
  type NetworkServer,
  type ServedRequest,
  type ServedResponse,
} from './network-client-cases.js';
export { notifierCases, type NotifierFixtures } from './notifier-cases.js';
export { pullSinkCases, pushSinkCases, type PushSinkFixtures } from './metric-sink-cases.js';
