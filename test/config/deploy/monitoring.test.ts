// The dashboard and the alert rules use only metrics and labels that an agent has.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { startAgent } from '../../helpers/agent.js';
import { tableRows } from '../../helpers/markdown.js';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');
const dashboard = JSON.parse(read('config/deploy/grafana/dashboard.json')) as { panels: readonly Panel[] };
const rules = parse(read('config/deploy/prometheus/alerts.yaml')) as {
  groups: readonly { rules: readonly { alert: string; expr: string }[] }[];
};

const QUERIES = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`panel ${title}`, expr] as const),
  ),
  ...rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const)),
];
/** The keywords and functions of PromQL in the queries, and `up`, which Prometheus adds for every target. */
const WORDS =
  /^(and|by|changes|count|histogram_quantile|increase|label_replace|max|min|offset|on|or|rate|sum|time|unless|up|le)$/;

/** The names of metrics and labels in a query. */
function namesIn(query: string): { metrics: string[]; labels: string[] } {
  const bare = query.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[[^\]]*\]|offset \w+/g, ' ');
  const inBraces = [...bare.matchAll(/\{([^}]*)\}/g)].flatMap(
    ([, text = '']) => text.match(/\w+(?==)/g) ?? [],
  );
  const grouped = [...bare.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(
    ([, text = '']) => text.match(/\w+/g) ?? [],
  );
  const rest = bare.replaceAll(/\{[^}]*\}|\b(?:by|on) \([^)]*\)/g, ' ');
  const metrics = (rest.match(/[a-z_]\w*/g) ?? []).filter((name) => !WORDS.test(name));
  return { metrics, labels: [...inBraces, ...grouped] };
}

/** The labels of each metric: families from the README of core/metrics, process metrics from a running agent. */
async function knownMetrics(t: ExecutionContext): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>();
  for (const [name = '', type, labels = ''] of tableRows(
    read('core/metrics/README.md'),
    'Families of the agent',
  )) {
    const family = name.replaceAll('`', '');
    const suffixes = type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const suffix of suffixes) known.set(family + suffix, labels.match(/\w+/g) ?? []);
  }
  const { url } = await startAgent(t, { 'metrics.provider': 'prometheus' });
  const text = await (await fetch(`${url}/metrics`)).text();
  for (const [, name = ''] of text.matchAll(/^(fabric_ops_agent_(?:process|nodejs)_\w+)/gm)) known.set(name, []);
  return known;
}

test('the dashboard and the alert rules have queries', (t) => {
  t.true(QUERIES.length > 30);
});

test('an agent has every metric and label of the dashboard and the alert rules', async (t) => {
  const known = await knownMetrics(t);
  const wrong = QUERIES.flatMap(([where, query]) => {
    const { metrics, labels } = namesIn(query);
    const allowed = new Set(['job', 'instance', 'le', ...metrics.flatMap((name) => known.get(name) ?? [])]);
    return [
      ...metrics.filter((name) => !known.has(name)).map((name) => `${where}: no metric ${name}`),
      ...labels.filter((name) => !allowed.has(name)).map((name) => `${where}: no label ${name}`),
    ];
  });
  t.deepEqual(wrong, []);
});

test('every query selects a metric', (t) => {
  const without = QUERIES.filter(
    ([, query]) => namesIn(query).metrics.length === 0 && !query.startsWith('up{'),
  );
  t.deepEqual(without, []);
});

test('the panels of the dashboard have unique ids and do not overlap', (t) => {
  const { panels } = dashboard;
  t.is(new Set(panels.map(({ id }) => id)).size, panels.length);
  const overlap = panels.flatMap(({ title, gridPos: a }, index) =>
    panels
      .slice(index + 1)
      .filter(({ gridPos: b }) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
      .map((other) => `${title} and ${other.title}`),
  );
  t.deepEqual(overlap, []);
});
