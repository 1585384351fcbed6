// The state of the agent and its nodes, as pages show it.

import { within, type MetricReader } from '../contract/index.js';
import type { Events } from './events.js';
import type { ActiveSpec } from '../logging/index.js';
import { timeText } from '../common/text/time.js';
import { eventOf } from './event-stream.js';

/** Longest wait for the level of a node, in milliseconds. */
const LEVEL_TIMEOUT = 2_000;
const CERTIFICATES = 'x509_cert_not_after';

/** A level that can be read. */
interface Level {
  get(): Promise<ActiveSpec>;
}

/** Where the state comes from. */
export interface StateParts {
  readonly version: string;
  /** The document of `/nodes`. */
  readonly nodes: () => Promise<object>;
  readonly events: Pick<Events, 'open'>;
  /** The metrics of the agent itself. */
  readonly metrics: MetricReader;
  /** The names of the checks that run. */
  readonly checks: () => readonly string[];
  /** By the name in the path: `self` is the agent. */
  readonly levels: ReadonlyMap<string, Level>;
}

/** The state: JSON, see the README. */
export async function stateOf({
  version,
  nodes,
  events,
  metrics,
  checks,
  levels,
}: StateParts): Promise<object> {
  const [list, certificates, specs] = await Promise.all([
    nodes(),
    certificatesOf(metrics),
    Promise.all([...levels].map(async ([name, level]) => levelOf(name, level))),
  ]);
  return {
    time: new Date().toISOString(),
    version: version || undefined,
    problems: events.open.map(eventOf),
    checks: checks(),
    ...list,
    certificates,
    levels: specs,
  };
}

/** A node that is down has no level. */
async function levelOf(name: string, level: Level): Promise<object> {
  try {
    const { spec, revertsAt } = await within(LEVEL_TIMEOUT, 'the level', undefined, async () => level.get());
    return { name, spec, reverts_at: timeText(revertsAt) };
  } catch {
    return { name };
  }
}

/** The certificates that the checker finds, those that expire first at the beginning. */
async function certificatesOf(metrics: MetricReader): Promise<readonly object[]> {
  const found: {
    readonly subject: string;
    readonly kind: string;
    readonly path: string;
    readonly end: number;
  }[] = [];
  for await (const family of metrics.families()) {
    if (family.name !== CERTIFICATES) continue;
    for (const { labels, value } of family.values())
      found.push({
        subject: String(labels.subject ?? ''),
        kind: String(labels.kind ?? ''),
        path: String(labels.path ?? ''),
        end: value * 1000,
      });
  }
  return found
    .toSorted((left, right) => left.end - right.end)
    .flatMap(({ end, ...rest }) => {
      const text = timeText(end);
      return text === undefined ? [] : [{ ...rest, not_after: text }];
    });
}
