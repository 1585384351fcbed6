// The document of `/status` from parts that are made here; status.own.test.ts reads it from a real agent.

import test from 'ava';
import type { AgentEvent } from '../../../core/contract/index.js';
import type { StatusDocument } from '../../../core/status/document.js';
import {
  createStatus,
  eventDocument,
  spanOf,
  type AttachedPlugin,
  type StatusParts,
} from '../../../core/status/status.js';

const NODES: StatusDocument['nodes'] = [
  { name: 'peer0', kind: 'peer', up: false, state: 'silent', version: 'v2.5.9', channels: [] },
  {
    name: 'peer1',
    kind: 'peer',
    up: true,
    state: 'up',
    version: 'v3.1.4',
    channels: [{ name: 'ch1', height: 3 }],
  },
] as unknown as StatusDocument['nodes'];

const plugin = (name: string, kind: string, members: object = {}, more: object = {}): AttachedPlugin =>
  ({
    instance: {
      name,
      kind,
      pluginName: `plugin of ${name}`,
      isStarting: false,
      state: 'running',
      ...members,
    },
    ...more,
  }) as unknown as AttachedPlugin;

const event = (component: string, members: object = {}): AgentEvent => ({
  id: component,
  component,
  state: 'warning',
  severity: 'warning',
  reason: 'r',
  since: 0,
  fields: {},
  ...members,
});

/** Creates the document of parts that differ from an agent without failures. */
const statusOf = async (
  open: readonly AgentEvent[] = [],
  parts: Partial<StatusParts> = {},
  events: Partial<StatusParts['events']> = {},
): Promise<StatusDocument> =>
  createStatus({
    build: { version: '1.2.3', commit: 'abc' },
    startedAt: 0,
    uptime: () => 1499,
    notes: ['n'],
    events: {
      open,
      causeOf: () => undefined,
      past: () => [],
      silencedBy: () => undefined,
      whyWaiting: () => undefined,
      ...events,
    },
    outbox: { isDelivered: () => false, whyWaiting: () => undefined },
    silences: () => [],
    agents: () => [],
    name: 'me',
    lag: () => undefined,
    host: 'h',
    found: () => ['/f'],
    running: () => 3,
    program: 'fabric-ops-agent',
    settingsOf: () => undefined,
    checks: () => ['c'],
    unchecked: () => [],
    unconfirmed: () => [{ component: 'peer0', reason: 'silent' }],
    nodes: async () => ({ nodes: NODES, warnings: [{ component: 'w', reason: 'r' }] }),
    channels: () => new Map(),
    facts: { latest: () => [] },
    levels: new Map(),
    plugins: [],
    ...parts,
  })();

test('an agent without failures', async (t) => {
  const document = await statusOf();
  t.deepEqual(document.agent, {
    version: '1.2.3',
    commit: 'abc',
    started_at: '1970-01-01T00:00:00.000Z',
    uptime: 1,
    healthy: true,
    notes: ['n'],
    name: 'me',
    host: 'h',
    found: [],
    running: 0,
    program: 'fabric-ops-agent',
    lag: undefined,
  });
  t.like(document, {
    problems: [],
    checks: ['c'],
    unconfirmed: [{ component: 'peer0', reason: 'silent' }],
    warnings: [{ component: 'w', reason: 'r' }],
    plugins: [],
  });
});

test('an agent of an unknown version that lags, without a node', async (t) => {
  const { agent } = await statusOf([], {
    build: { version: '', commit: '' },
    uptime: () => 1500,
    lag: () => 2500,
    nodes: async () => ({ nodes: [], warnings: [] }),
  });
  t.like(agent, { version: undefined, commit: undefined, uptime: 2, lag: 3, found: ['/f'], running: 3 });
});

for (const [what, open, plugins, isHealthy] of [
  ['a warning', [event('a')], [], true],
  ['a failure', [event('b'), event('a', { state: 'failed' })], [], false],
  ['a plugin that starts', [], [plugin('p', 'checker', { isStarting: true })], false],
  ['a plugin that runs', [], [plugin('p', 'checker')], true],
] as const)
  test(`an agent with ${what} is ${isHealthy ? 'healthy' : 'not healthy'}`, async (t) => {
    const { agent, plugins: starting } = await statusOf(open, { plugins });
    t.is(agent.healthy, isHealthy);
    t.deepEqual(
      starting,
      what === 'a plugin that starts' ? [{ name: 'p', kind: 'checker', state: 'starting' }] : [],
    );
  });

const CHECKERS = [plugin('peer1', 'checker'), plugin('peer1/disk', 'checker'), plugin('docker', 'sink')];
for (const [component, kind] of [
  ['channels/ch1', 'channel'],
  ['channels', 'agent'],
  ['peer0', 'silent'],
  ['peer1', 'plugin of peer1'],
  ['peer1/disk', 'plugin of peer1/disk'],
  ['peer1/disk/data', 'plugin of peer1/disk'],
  ['peer1/disks', 'plugin of peer1'],
  ['peer10', 'agent'],
  ['docker', 'agent'],
] as const)
  test(`the failure of ${component} is of the kind ${kind}`, async (t) => {
    const { problems } = await statusOf([event(component)], { plugins: CHECKERS });
    t.deepEqual(
      problems.map((each) => each.kind),
      [kind],
    );
  });

test('a failure names its cause if the cause is another failure', async (t) => {
  const causes = new Map([
    ['a', 'b'],
    ['b', 'b'],
    ['c', 'closed'],
  ]);
  const open = ['a', 'b', 'c', 'd'].map((component) => event(component));
  const { problems } = await statusOf(open, {}, { causeOf: (component) => causes.get(component) });
  t.deepEqual(
    problems.map(({ cause }) => cause),
    ['b', undefined, undefined, undefined],
  );
});

test('a failure that a silence covers is silenced, and steps of its checker go before others', async (t) => {
  const open = [event('peer0', { node: 'peer0' }), event('x', { steps: [{ text: 's' }] })];
  const { problems } = await statusOf(
    open,
    {},
    { silencedBy: (component) => (component === 'x' ? {} : undefined) },
  );
  t.deepEqual(
    problems.map(({ silenced, steps }) => [silenced, steps.length]),
    [
      [undefined, 2],
      [true, 1],
    ],
  );
});

test('certificates are sorted by expiry, with the component of their failures; times that no date has are left out', async (t) => {
  const certificate = (part: string | undefined, notAfter: number) => ({
    part,
    notAfter,
    subject: 's',
    kind: 'tls',
    path: `/${part}`,
  });
  const facts = {
    latest: (name: string) =>
      name === 'certificates'
        ? [
            {
              checker: 'peer0/certificates',
              node: 'peer0',
              value: [certificate('late', 2000), certificate('never', 9e18)],
            },
            { checker: 'certificates', node: undefined, value: [certificate(undefined, 1000)] },
          ]
        : [{ checker: 'docker', node: undefined, value: { version: '29.0.0' } }],
  } as unknown as StatusParts['facts'];
  const { certificates, engines, warnings } = await statusOf([], { facts });
  t.deepEqual(
    certificates.map(({ component, part, node, not_after: end }) => [component, part, node, end]),
    [
      ['certificates', undefined, undefined, '1970-01-01T00:00:01.000Z'],
      ['peer0/certificates', 'peer0/certificates/late', 'peer0', '1970-01-01T00:00:02.000Z'],
    ],
  );
  t.deepEqual(engines, [{ component: 'docker', version: '29.0.0' }]);
  t.deepEqual(
    warnings.map(({ component }) => component),
    ['w', 'docker'],
  );
});

test('the level of a node that does not respond is unknown', async (t) => {
  const levels = new Map([
    ['self', { recent: async () => ({ spec: 'info', revertsAt: 1000, setBy: 'me', setAt: 500 }) }],
    ['peer0', { recent: () => Promise.reject(new Error('no')) }],
  ]) as unknown as StatusParts['levels'];
  t.deepEqual((await statusOf([], { levels })).levels, [
    {
      name: 'self',
      spec: 'info',
      configured: undefined,
      reverts_at: '1970-01-01T00:00:01.000Z',
      set_by: 'me',
      set_at: '1970-01-01T00:00:00.500Z',
    },
    { name: 'peer0' },
  ]);
});

test('sinks and notifiers are apart, with their deliveries', async (t) => {
  const plugins = [
    plugin('n', 'notifier', {}, { delivery: () => ({ deliveredAt: 0, queued: 2, problem: 'busy' }) }),
    plugin('s', 'sink', { state: 'failed' }, { route: { path: '/metrics' } }),
    plugin('h', 'checker'),
  ];
  const { sinks, notifiers } = await statusOf([], { plugins });
  const unset = {
    path: undefined,
    delivered_at: undefined,
    queued: undefined,
    events: undefined,
    problem: undefined,
  };
  t.deepEqual(sinks, [{ ...unset, name: 's', state: 'failed', path: '/metrics' }]);
  t.deepEqual(notifiers, [
    {
      ...unset,
      name: 'n',
      state: 'running',
      delivered_at: '1970-01-01T00:00:00.000Z',
      queued: 2,
      problem: 'busy',
    },
  ]);
});

test('past failures of a channel are asked for by its component', async (t) => {
  const past = { component: 'channels/ch1', severity: 'critical', from: 0, to: 1000 } as const;
  const { channels } = await statusOf([], {}, { past: (owner) => (owner === 'channels/ch1' ? [past] : []) });
  t.deepEqual(channels[0]?.past, [spanOf(past)]);
  t.deepEqual(spanOf(past), {
    component: 'channels/ch1',
    severity: 'critical',
    from: '1970-01-01T00:00:00.000Z',
    to: '1970-01-01T00:00:01.000Z',
  });
});

test('the document of a recovery says when the failure began; without steps it has none', (t) => {
  t.deepEqual(eventDocument(event('a', { state: 'recovered', began: 1000, node: 'peer0', runbook: 'R' })), {
    component: 'a',
    node: 'peer0',
    state: 'recovered',
    severity: 'warning',
    reason: 'r',
    since: '1970-01-01T00:00:00.000Z',
    began_at: '1970-01-01T00:00:01.000Z',
    runbook: 'R',
    steps: [],
  });
});

test('calls at the same time share one document, and later ones get another', async (t) => {
  let count = 0;
  const status = createStatus({
    nodes: async () => {
      count += 1;
      return { nodes: [], warnings: [] };
    },
    build: { version: '', commit: '' },
    startedAt: 0,
    uptime: () => 0,
    notes: [],
    events: {
      open: [],
      causeOf: () => undefined,
      past: () => [],
      silencedBy: () => undefined,
      whyWaiting: () => undefined,
    },
    outbox: { isDelivered: () => false, whyWaiting: () => undefined },
    silences: () => [],
    agents: () => [],
    name: '',
    lag: () => undefined,
    host: '',
    found: () => [],
    running: () => 3,
    program: 'fabric-ops-agent',
    settingsOf: () => undefined,
    checks: () => [],
    unchecked: () => [],
    unconfirmed: () => [],
    channels: () => new Map(),
    facts: { latest: () => [] },
    levels: new Map(),
    plugins: [],
  });
  const [one, other] = await Promise.all([status(), status()]);
  t.is(one, other);
  t.is(count, 1);
  t.not(await status(), one);
  t.is(count, 2);
});

test('while a check has no result, the agent is not healthy, and the document names it', async (t) => {
  const { agent, unchecked } = await statusOf([], { unchecked: () => ['peer0'] });
  t.deepEqual([agent.healthy, unchecked], [false, ['peer0']]);
  t.like(await statusOf(), { agent: { healthy: true }, unchecked: undefined });
});
