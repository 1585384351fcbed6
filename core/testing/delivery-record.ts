// The outcomes that a notifier under test reports.

import type { AgentEvent, DeliveryReport } from '../contract/notifier.js';

/** The outcomes from a notifier under test. */
export interface DeliveryRecord {
  /** For `notify`. */
  readonly report: DeliveryReport;
  /** In the order of the calls. */
  readonly outcomes: readonly {
    readonly outcome: keyof DeliveryReport;
    readonly event: AgentEvent;
    /** Why the event was refused. */
    readonly error?: unknown;
  }[];
}

/** Creates a report for `notify` that records the outcomes. */
export function recordDelivery(): DeliveryRecord {
  const outcomes: DeliveryRecord['outcomes'][number][] = [];
  return {
    outcomes,
    report: {
      accepted: (event) => void outcomes.push({ outcome: 'accepted', event }),
      refused: (event, error) => void outcomes.push({ outcome: 'refused', event, error }),
      omitted: (event) => void outcomes.push({ outcome: 'omitted', event }),
    },
  };
}
