// Creates built-in checkers as the host does, with a metric store and readings of the test.

import type { ExecutionContext } from 'ava';
import type {
  FailedChecks,
  HealthChecker,
  OptionSchema,
  OptionValues,
  PluginDefinition,
  SourceFamily,
  SourceReading,
  SourceReadings,
} from '../../core/contract/index.js';
import type {
  FactKind,
  FactValues,
  Ledgers,
  NodeCheckerDefinition,
} from '../../core/contract/internal/index.js';
import { LedgerFolders } from '../../core/fabric/ledger.js';
import { createNodeTestContext } from '../../core/testing/context.js';
import { MetricStore } from '../../core/metrics/index.js';
import { FactStore } from '../../core/nodes/index.js';

/** Options of the checker `disk` with which no file system fails. */
export const DISK_OPTIONS = {
  minimum: '0',
  warning: '0%',
  minimumInodes: '0',
  fullWithin: 0,
  longestTrend: 86_400_000,
  shortestTrend: 3_600_000,
  wal: '',
} as const;

/** A started checker. */
export interface StartedChecker {
  readonly checker: HealthChecker;
  /** The reasons of the failed parts by name, `''` for the component itself; empty when healthy. */
  readonly check: () => Promise<Readonly<Record<string, string>>>;
  /** The severities of the failed parts of the last check by name, `''` for the component itself. */
  readonly severities: () => Readonly<Record<string, string>>;
  /** The values of a family by their labels, as JSON. */
  readonly series: (family: string) => Promise<Readonly<Record<string, number>>>;
}

/** What a checker gets from the agent; by default it has no node. */
export interface CheckerParts {
  readonly node?: string | undefined;
  readonly readings?: SourceReadings | undefined;
  readonly facts?: FactStore;
  /** For several checkers of an agent. */
  readonly ledgers?: Ledgers;
}

/** Creates and starts a checker; it is stopped at the end of the test. */
export async function startChecker<Schema extends OptionSchema>(
  t: ExecutionContext,
  definition: PluginDefinition<'checker', Schema> | NodeCheckerDefinition<Schema>,
  options: NoInfer<OptionValues<Schema>>,
  { node, readings, facts = new FactStore(), ledgers = new LedgerFolders() }: CheckerParts = {},
): Promise<StartedChecker> {
  const metrics = new MetricStore(100_000);
  const { context } = createNodeTestContext(definition, options);
  const checker = definition.create({
    ...context,
    metrics,
    node,
    ledgers,
    facts: facts.of(definition.name, node),
    ...(readings && { readings }),
  });
  t.teardown(() => checker.stop?.());
  await checker.init?.();
  await checker.start?.(new AbortController().signal);
  let severities: Readonly<Record<string, string>> = {};
  return {
    checker,
    severities: () => severities,
    async check() {
      severities = {};
      try {
        await checker.check(new AbortController().signal);
        return {};
      } catch (error) {
        const { parts, code, message } = error as Partial<FailedChecks> & Error & { code?: string };
        if (parts === undefined) {
          severities = { '': code === 'CHECK_WARNING' ? 'warning' : 'critical' };
          return { '': message };
        }
        if (parts.length === 0) throw new Error('the check failed without a failed part', { cause: error });
        severities = Object.fromEntries(
          parts.map(({ component, severity = 'critical' }) => [component, severity]),
        );
        return Object.fromEntries(parts.map(({ component, reason }) => [component, reason]));
      }
    },
    async series(family) {
      const values: Record<string, number> = {};
      for await (const found of metrics.families())
        if (found.name === family || found.name === `fabric_ops_agent_${family}`)
          for (const { labels, value } of found.values()) values[JSON.stringify(labels)] = value;
      return values;
    },
  };
}

/** Readings by the name of the source, which a test can change; undefined: the source is down. */
export function fakeReadings(readings: ReadonlyMap<string, SourceReading | undefined>): SourceReadings {
  return {
    read: async () =>
      [...readings].map(([name, reading]) => ({
        name,
        isUp: reading !== undefined,
        ...(reading === undefined ? { reason: 'connection refused' } : { reading }),
      })),
    logLines: async () => [],
  };
}

/** The values of a kind that are published from now on, the oldest first. */
export function publishedIn<Kind extends FactKind>(facts: FactStore, kind: Kind): FactValues[Kind][] {
  const values: FactValues[Kind][] = [];
  facts.onPublished(kind, ({ value }) => void values.push(value));
  return values;
}

/** A reading of gauges with the label `channel`: values by channel by family. */
export function channelReading(
  families: Readonly<Record<string, Readonly<Record<string, number>>>>,
): SourceReading {
  return {
    families: Object.entries(families).map(([name, values]): SourceFamily => ({
      name,
      help: '',
      type: 'gauge',
      parts: { namespace: '', subsystem: '', name },
      series: Object.entries(values).map(([channel, value]) => ({ labels: { channel }, value })),
    })),
  };
}
