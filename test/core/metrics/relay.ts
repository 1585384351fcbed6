// Sources with the cursors of push sinks, without an agent.

import { LeveledLoggers, type MetricBatch, type Sample } from '../../../core/contract/index.js';
import { MetricCursor, type CursorOptions } from '../../../core/metrics/cursor.js';
import {
  createSourceMetrics,
  MetricStore,
  SourceRunner,
  SourceTotals,
  Sources,
} from '../../../core/metrics/index.js';
import type { SourceRunnerOptions } from '../../../core/metrics/source-runner.js';
import { FakeSource } from '../../helpers/fake-source.js';
import { PATIENCE } from '../../helpers/patience.js';

/** When the agent of these tests started, in seconds since the epoch. */
export const AGENT_START = 1000;

/** Sources, a store, and the log. */
export interface Relay {
  readonly sources: Sources;
  readonly store: MetricStore;
  /** The log lines, as `level message`. */
  readonly log: string[];
  /** Adds a source that is read each time it is needed. */
  add(
    source: Pick<FakeSource, 'read' | 'node'>,
    name?: string,
    options?: Pick<SourceRunnerOptions, 'timeout' | 'maxAge' | 'unfinishedRetry' | 'isChecked' | 'onStart'>,
  ): SourceRunner;
  cursor(options?: Omit<CursorOptions, 'sources'>): MetricCursor;
}

/**
 * Creates a relay without sources.
 *
 * @param labelled the nodes that always have the label `node`
 * @param wait how long a reading is waited for, in milliseconds
 */
export function createRelay(labelled: readonly string[] = [], wait = PATIENCE): Relay {
  const sources = new Sources(labelled, { usual: wait, afterFailure: wait });
  const store = new MetricStore(1000);
  const log: string[] = [];
  const logger = new LeveledLoggers({ write: ({ level, message }) => void log.push(`${level} ${message}`) });
  return {
    sources,
    store,
    log,
    add(source, name = 'peer0', options = {}) {
      const runner = new SourceRunner({
        name,
        nodeKind: source.node?.kind,
        read: (signal) => source.read(signal),
        totals: new SourceTotals(AGENT_START),
        metrics: createSourceMetrics(store, name),
        log: logger.logger(`plugins.${name}`),
        maxAge: 0,
        ...options,
      });
      sources.add(runner);
      return runner;
    },
    cursor: (options) => new MetricCursor(store, { sources, ...options }),
  };
}

/** Returns true for samples of the process and of the agent itself. */
const isOwn = ({ namespace, name }: Pick<Sample, 'namespace' | 'name'>): boolean =>
  namespace === 'fabric_ops_agent' && name !== 'own';

function shown(samples: readonly Sample[]): string[] {
  return samples
    .filter((sample) => !isOwn(sample))
    .map(
      ({ node, name, labels, value }) =>
        `${[node, name, ...Object.values(labels)].filter((part) => part !== undefined).join('/')} ${value}`,
    );
}

/** The relayed values of a batch, as `node/name/label value`; a histogram with its counts, its sum and its count. */
export function relayed({ counters, gauges, histograms }: MetricBatch): string[] {
  return [
    ...shown(counters),
    ...shown(gauges),
    ...histograms
      .filter((sample) => !isOwn(sample))
      .map(
        ({ node, name, labels, counts, sum, count }) =>
          `${[node, name, ...Object.values(labels)].filter((part) => part !== undefined).join('/')} [${counts.join(' ')}] sum ${sum} count ${count}`,
      ),
  ];
}
