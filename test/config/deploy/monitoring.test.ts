// The dashboards and the alert rules use only metrics and labels that an agent or a Fabric node has.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { startAgent } from '../../helpers/agent.js';
import { headingAnchors, tableRows } from '../../helpers/markdown.js';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly noValue?: string } };
}

interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');
const DASHBOARDS = ['dashboard.json', 'nodes.json', 'organisation.json'].map((name) => ({
  name,
  ...(JSON.parse(read(`config/deploy/grafana/${name}`)) as {
    panels: readonly Panel[];
    links: readonly { readonly tags: readonly string[] }[];
    tags: readonly string[];
    annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
    templating: { list: readonly { name: string; definition?: string }[] };
  }),
}));
const RULES = ['alerts.yaml', 'node-alerts.yaml', 'organisation.yaml'].flatMap((name) =>
  (
    parse(read(`config/deploy/prometheus/${name}`)) as {
      groups: readonly { rules: readonly Rule[] }[];
    }
  ).groups.flatMap((group) => group.rules),
);

const RECORDED = (
  parse(read('config/deploy/prometheus/recording.yaml')) as {
    groups: readonly { rules: readonly RecordingRule[] }[];
  }
).groups.flatMap((group) => group.rules);

const QUERIES = [
  ...RECORDED.map(({ record, expr }) => [`recording rule ${record}`, expr] as const),
  ...DASHBOARDS.flatMap(({ name, annotations }) =>
    annotations.list.map((each) => [`annotation ${each.name} of ${name}`, each.expr] as const),
  ),
  ...DASHBOARDS.flatMap(({ panels }) =>
    panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [`panel ${title}`, expr] as const)),
  ),
  ...DASHBOARDS.flatMap(({ name, templating }) =>
    templating.list.flatMap(({ name: variable, definition }) => {
      const [, selector, label = ''] = /^label_values\((.*), (\w+)\)$/.exec(definition ?? '') ?? [];
      // As a query that has the same metrics and labels.
      return selector === undefined
        ? []
        : [[`variable ${variable} of ${name}`, `sum by (${label}) (${selector})`] as const];
    }),
  ),
  ...RULES.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
];
/** The keywords and functions of PromQL in the queries, and `up`, which Prometheus adds for every target. */
const WORDS =
  /^(absent|and|avg_over_time|bool|by|ceil|changes|count|delta|deriv|floor|group_left|group_right|histogram_quantile|increase|label_replace|last_over_time|max|max_over_time|min|offset|on|or|rate|sort|sort_desc|sum|time|timestamp|unless|up|vector|le)$/;

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
  const metrics = (rest.match(/[a-z_][\w:]*/g) ?? []).filter((name) => !WORDS.test(name));
  return { metrics, labels: [...inBraces, ...grouped] };
}

/** The families of the relay itself, which exist if the agent monitors a node. */
const OF_RELAY = {
  fabric_ops_agent_source_up: ['gauge', 'node'],
  fabric_ops_agent_source_scrape_duration_seconds: ['gauge', 'node'],
  fabric_ops_agent_source_scrape_samples: ['gauge', 'node'],
  fabric_ops_agent_source_failures_total: ['counter', 'node', 'reason'],
  fabric_ops_agent_node_restarts_total: ['counter', 'node'],
  fabric_ops_agent_source_last_success_timestamp_seconds: ['gauge', 'node'],
};
/** The families of Fabric nodes: the type, then the labels. An agent with several nodes adds the label `node`. */
const OF_NODES = JSON.parse(read('test/vectors/node-families.json')) as Readonly<Record<string, string[]>>;

/** The READMEs of the checkers with metrics, and of the channels. */
const CHECKERS = [
  ...['certificates', 'channel-config', 'disk', 'participation'].map((name) => `plugins/health/${name}`),
  'core/channels',
].map((directory) => read(`${directory}/README.md`));

/** The READMEs of the sinks with metrics. */
const SINKS = ['graphite', 'otlp', 'statsd'].map((name) => read(`plugins/metrics/${name}/README.md`));

const suffixesOf = (type: string): string[] => (type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']);

/** The labels of each metric: families from the README of core/metrics, families of nodes, process metrics from a running agent. */
async function knownMetrics(t: ExecutionContext): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>(
    RECORDED.map(({ record }) => [record, ['job', 'channel']]),
  );
  const families = [
    ...tableRows(read('core/metrics/README.md'), 'Families of the agent'),
    ...SINKS.flatMap((text) => tableRows(text, 'What it exposes')),
  ];
  for (const [name = '', type = '', labels = ''] of families) {
    const family = name.replaceAll('`', '');
    for (const suffix of suffixesOf(type)) known.set(family + suffix, labels.match(/\w+/g) ?? []);
  }
  for (const [name = '', labels = ''] of CHECKERS.flatMap((text) => tableRows(text, 'What it exposes')))
    known.set(name.replaceAll('`', ''), labels.match(/(?<=`)\w+(?=`)/g) ?? []);
  for (const [family, [type = '', ...labels]] of Object.entries({ ...OF_RELAY, ...OF_NODES }))
    for (const suffix of suffixesOf(type)) known.set(family + suffix, [...labels, 'node']);
  const { url } = await startAgent(t, { 'metrics.provider': 'prometheus' });
  const text = await (await fetch(`${url}/metrics`)).text();
  for (const [, name = ''] of text.matchAll(/^(fabric_ops_agent_(?:process|nodejs)_\w+)/gm))
    known.set(name, []);
  return known;
}

test('the dashboards and the alert rules have queries', (t) => {
  t.true(QUERIES.length > 130);
});

test('an agent or a node has every metric and label of the dashboards and the alert rules', async (t) => {
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
    ([, query]) => namesIn(query).metrics.length === 0 && !query.includes('up{'),
  );
  t.deepEqual(without, []);
});

for (const { name, panels } of DASHBOARDS) {
  test(`the panels of ${name} have unique ids and do not overlap`, (t) => {
    t.is(new Set(panels.map(({ id }) => id)).size, panels.length);
    const overlap = panels.flatMap(({ title, gridPos: a }, index) =>
      panels
        .slice(index + 1)
        .filter(({ gridPos: b }) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
        .map((other) => `${title} and ${other.title}`),
    );
    t.deepEqual(overlap, []);
  });
}

test('the README lists every recorded metric', (t) => {
  const listed = tableRows(read('config/deploy/README.md'), 'Objectives').map(([name = '']) => name);
  t.deepEqual(
    listed,
    RECORDED.map(({ record }) => `\`${record}\``),
  );
});

test('the dashboards link to each other', (t) => {
  for (const { name, links, tags } of DASHBOARDS) t.deepEqual(links[0]?.tags, tags, name);
});

test('every alert has a section of the runbook that begins with its next command, and no section is left over', (t) => {
  const sections = new Map(
    read('config/deploy/runbook.md')
      .split(/^### /m)
      .slice(1)
      .map((text) => [text.split('\n', 1)[0] ?? '', text]),
  );
  t.deepEqual(
    [...sections.keys()],
    RULES.map(({ alert }) => alert),
  );
  for (const { alert, annotations } of RULES) {
    const [anchor = ''] = headingAnchors(`### ${alert}`);
    t.is(annotations.runbook_url, `runbook.md#${anchor}`);
    t.true(sections.get(alert)?.includes(`Run \`${annotations.next_command}\`.`), alert);
  }
});

test('the inhibition of Alertmanager names existing alerts, and no warning silences a critical alert', (t) => {
  const { inhibit_rules: inhibitions } = parse(read('config/deploy/alertmanager/alertmanager.yaml')) as {
    inhibit_rules: readonly { source_matchers: readonly string[]; target_matchers: readonly string[] }[];
  };
  for (const { source_matchers: sources, target_matchers: targets } of inhibitions) {
    const [source, target] = [selectedBy(sources), selectedBy(targets)];
    t.true(source.length > 0 && target.length > 0, sources.join());
    const isWarning = (rules: readonly Rule[]): boolean =>
      rules.some(({ labels }) => labels.severity === 'warning');
    if (isWarning(source))
      t.true(
        target.every((rule) => isWarning([rule])),
        sources.join(),
      );
  }
});

/** The rules that the matchers of Alertmanager select by name. */
function selectedBy(matchers: readonly string[]): readonly Rule[] {
  return RULES.filter(({ alert }) =>
    matchers.every((matcher) => {
      const [, operator, value = ''] = /^alertname (=~|!=|=) "?([^"]*)"?$/.exec(matcher) ?? [];
      const matches = new RegExp(`^(?:${value})$`).test(alert);
      return operator === undefined || (operator === '!=' ? !matches : matches);
    }),
  );
}

for (const { name, panels } of DASHBOARDS) {
  test(`every panel of ${name} says what the absence of values means`, (t) => {
    const without = panels.filter((panel) => panel.targets && !panel.fieldConfig?.defaults.noValue);
    t.deepEqual(
      without.map(({ title }) => title),
      [],
    );
  });
}
