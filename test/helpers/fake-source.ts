// A metric source whose readings a test sets.

import type { ExecutionContext } from 'ava';
import type { Labels, MetricSource, SourceFamily, SourceReading } from '../../core/contract/index.js';
import type { NodeEndpoint, SourceHistogram } from '../../core/contract/metric-source.js';
import { temporaryFolder } from './folder.js';

/** A source that returns or throws what the test has set. */
export class FakeSource implements MetricSource {
  /** What the next readings return; undefined: they fail with {@link failure}. */
  reading: SourceReading | undefined = { families: [] };
  failure: unknown = new Error('connection refused');
  /** How often it was read. */
  reads = 0;
  /** Called at the beginning of each reading. */
  onRead: (signal: AbortSignal) => void | Promise<void> = () => undefined;
  readonly node?: NodeEndpoint;

  /** @param node the endpoint, of a source that reads a node */
  constructor(node?: NodeEndpoint) {
    if (node !== undefined) this.node = node;
  }

  async read(signal: AbortSignal): Promise<SourceReading> {
    this.reads += 1;
    await this.onRead(signal);
    if (this.reading === undefined) throw this.failure;
    return this.reading;
  }
}

/** A node that responds to nothing. */
export const FAKE_NODE: NodeEndpoint = {
  kind: 'peer',
  request: () => Promise.reject(new Error('connection refused')),
};

/** The declaration of a plugin in the settings `plugins` whose instance is the given source. */
export function declareSource(
  t: ExecutionContext,
  source: MetricSource,
  name = 'peer0',
): { readonly plugin: string; readonly name: string } {
  const key = `source ${name} of ${t.title}`;
  Object.assign(globalThis, { [key]: source });
  const create = `create: () => globalThis[${JSON.stringify(key)}]`;
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'plugin.js': `export default { apiVersion: 1, kind: 'source', name: 'fake', options: {}, ${create} };`,
  });
  return { plugin: `${folder}/plugin.js`, name };
}

/** A family without namespace and subsystem. */
export function family(
  type: SourceFamily['type'],
  name: string,
  series: readonly (readonly [labels: Labels, value: SourceFamily['series'][number]['value']])[],
): SourceFamily {
  return {
    name,
    help: `Help of ${name}.`,
    type,
    parts: { namespace: '', subsystem: '', name },
    series: series.map(([labels, value]) => ({ labels, value })),
  };
}

/** A histogram with the bounds 0.1, 1 and Infinity. */
export function histogram(counts: readonly [number, number, number], sum: number): SourceHistogram {
  return { bounds: [0.1, 1, Infinity], counts, sum, count: counts[2] };
}

/** A reading of one counter `calls` for each value, with the label `n`. */
export function counters(startTime: number | undefined, ...values: readonly number[]): SourceReading {
  const series = values.map((value, index) => [{ n: String(index) }, value] as const);
  return { ...(startTime !== undefined && { startTime }), families: [family('counter', 'calls', series)] };
}
