// The metrics that prom-client collects of the process and of Node.js: `fabric_ops_agent_process_*` and
// `fabric_ops_agent_nodejs_*`.

import * as prom from '#prom-client';
import type { FamilySnapshot, SeriesValue } from '../contract/index.js';
import { OWN_NAMESPACE, ownParts } from './own-name.js';
import { readMetric } from './split-metric.js';

/** How long a reading is cached, in milliseconds: reading resets the event loop statistics of Node. */
const MAX_AGE = 500;

/** The default metrics of prom-client. */
class ProcessMetrics {
  readonly #registry = new prom.Registry();
  #reading: Promise<ReadonlyMap<string, FamilySnapshot>> | undefined;
  #readAt = -Infinity;

  constructor() {
    prom.collectDefaultMetrics({ register: this.#registry, prefix: `${OWN_NAMESPACE}_` });
  }

  /** Whether there is a family of this name. */
  has(name: string): boolean {
    return this.#registry.getSingleMetric(name) !== undefined;
  }

  /** The families by name, at most {@link MAX_AGE} old. */
  read(): Promise<ReadonlyMap<string, FamilySnapshot>> {
    const now = performance.now();
    if (this.#reading === undefined || now - this.#readAt > MAX_AGE) {
      this.#readAt = now;
      this.#reading = this.#readAll();
    }
    return this.#reading;
  }

  /** Reads in the order of registration: collecting the first metric of a group sets the values of the others. */
  async #readAll(): Promise<ReadonlyMap<string, FamilySnapshot>> {
    const families = new Map<string, FamilySnapshot>();
    for (const metric of this.#registry.getMetricsAsArray() as unknown as prom.Metric[]) {
      const { name } = metric as unknown as { name: string };
      try {
        const { help, type, values } = await readMetric(metric);
        const measured = values.filter(isMeasured);
        families.set(name, {
          name,
          help,
          type,
          parts: ownParts({ name }),
          slices: async function* () {
            yield measured;
          },
        });
      } catch {
        // A family that cannot be read on this system is skipped; the others are still reported.
      }
    }
    return families;
  }
}

/** Without a measurement, the event loop statistics of Node have the mean NaN and the minimum 2 ** 63 - 1 ns. */
function isMeasured({ value }: SeriesValue): boolean {
  return !Number.isNaN(value) && value !== 2 ** 63 / 1e9;
}

let instance: ProcessMetrics | undefined;

/** The metrics of this process. All stores share one instance, since prom-client never releases its observers. */
export function processMetrics(): ProcessMetrics {
  instance ??= new ProcessMetrics();
  return instance;
}
