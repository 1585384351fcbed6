// An event for notifiers under test.

import type { AgentEvent } from '../contract/notifier.js';

/** An event for plugins under test. */
export const EVENT: AgentEvent = {
  id: 'peer0/disk',
  state: 'failed',
  severity: 'critical',
  node: 'peer0',
  component: 'peer0/disk',
  reason: 'less than 5% left',
  since: Date.UTC(2026, 0, 1),
  runbook: 'FabricHealthCheckFailing',
  fields: { kind: 'peer' },
};
