// The metrics of the process and of Node.js from prom-client: `fabric_ops_agent_process_*` and `fabric_ops_agent_nodejs_*`.

import * as prom from 'prom-client';
import type { FamilySnapshot } from '../contract/index.js';
import { OWN_NAMESPACE, ownParts } from './definition.js';

/** How long a reading is shared, in milliseconds, because a reading resets the event loop statistics of Node.js. */
const MAX_AGE = 500;

/** The minimum delay of the event loop that Node.js returns without a measurement, in seconds; the mean is NaN. */
const UNMEASURED_MINIMUM = 2 ** 63 / 1e9;

/** The default metrics of prom-client, read at most every {@link MAX_AGE}. Values that were not measured are omitted. */
interface ProcessMetrics {
  /** Returns true if there is a family with this name. */
  has(name: string): boolean;
  families(): Promise<readonly FamilySnapshot[]>;
}

function createProcessMetrics(): ProcessMetrics {
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry, prefix: `${OWN_NAMESPACE}_` });
  return {
    has: (name) => registry.getSingleMetric(name) !== undefined,
    families: shared(async () =>
      (await registry.getMetricsAsJSON()).map(({ name, help, type, values }) => {
        const measured = values.filter(({ value }) => !Number.isNaN(value) && value !== UNMEASURED_MINIMUM);
        return {
          name,
          help,
          // The types of prom-client declare a number.
          type: type as unknown as FamilySnapshot['type'],
          parts: ownParts({ name }),
          values: () => measured as ReturnType<FamilySnapshot['values']>,
        };
      }),
    ),
  };
}

/** Shares a reading for {@link MAX_AGE}. */
function shared<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let reading: Promise<Reading> | undefined;
  let readAt = -Infinity;
  return () => {
    const now = performance.now();
    if (reading === undefined || now - readAt > MAX_AGE) [reading, readAt] = [read(), now];
    return reading;
  };
}

let instance: ProcessMetrics | undefined;

/** The metrics of this process. All stores share one instance, because prom-client never releases its observers. */
export function processMetrics(): ProcessMetrics {
  instance ??= createProcessMetrics();
  return instance;
}
