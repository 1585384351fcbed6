import test from 'ava';
import type { AgentEvent } from '../../../core/contract/index.js';
import { Events, Silences } from '../../../core/events/index.js';

function record(...names: readonly string[]): { events: Events; sent: AgentEvent[] } {
  const nodes = (names.length === 0 ? ['peer0'] : names).map((name) => ({ name, kind: 'peer' as const }));
  const events = new Events(() => nodes);
  const sent: AgentEvent[] = [];
  events.subscribe(({ event }) => void sent.push(event));
  return { events, sent };
}

const withoutTime = ({ since, ...event }: AgentEvent): object => ({ ...event, hasTime: since > 1e12 });

test('a node that fails and recovers has two events', (t) => {
  const { events, sent } = record();
  events.checked('peer0', 'connection refused', 'critical');
  events.checked('peer0', undefined, 'critical');
  const common = {
    id: 'peer0',
    component: 'peer0',
    node: 'peer0',
    severity: 'critical',
    reason: 'connection refused',
    runbook: 'FabricNodeDown',
    fields: { kind: 'peer' },
    hasTime: true,
  };
  t.deepEqual(
    sent.map(({ reason: _reason, began: _began, ...event }) => withoutTime({ reason: '', ...event })),
    [
      { ...common, reason: '', state: 'failed' },
      { ...common, reason: '', state: 'recovered' },
    ],
  );
  t.is(sent[1]?.began, sent[0]?.since);
  t.deepEqual(events.open, []);
});

test('a failure that has ended or changed its severity is kept for its node or channel, sent or not', (t) => {
  const { events } = record();
  events.checked('peer0/disk', '6% left', 'warning');
  events.checked('peer0/disk', '1% left', 'critical');
  events.checked('peer0/disk', undefined, 'critical');
  events.checked('channels/ch1', 'stopped', 'critical');
  events.removed('channels/ch1');
  events.checked('docker', 'refused', 'critical');
  events.checked('docker', undefined, 'critical');
  const shown = (owner: string): string[] =>
    events.past(owner).map(({ component, severity, from, to }) => `${component} ${severity} ${to >= from}`);
  t.deepEqual(shown('peer0'), ['peer0/disk warning true', 'peer0/disk critical true']);
  t.deepEqual(shown('channels/ch1'), ['channels/ch1 critical true']);
  t.deepEqual(shown('docker'), []);
});

for (const names of [
  ['peer1', 'peer10', 'peer1/a'],
  ['peer1/a', 'peer10', 'peer1'],
])
  test(`of the nodes ${names.join(', ')}, a failure belongs to the one with the longest name`, (t) => {
    const { events, sent } = record(...names);
    for (const component of ['peer1/disk', 'peer10/disk', 'peer1/a/disk', 'peer1/a', 'peer100/disk'])
      events.checked(component, 'x', 'critical');
    t.deepEqual(
      sent.map(({ component, node, runbook }) => [component, node, runbook]),
      [
        ['peer1/disk', 'peer1', 'FabricHealthCheckFailing'],
        ['peer10/disk', 'peer10', 'FabricHealthCheckFailing'],
        ['peer1/a/disk', 'peer1/a', 'FabricHealthCheckFailing'],
        ['peer1/a', 'peer1/a', 'FabricNodeDown'],
        ['peer100/disk', undefined, 'FabricHealthCheckFailing'],
      ],
    );
    events.checked('peer1/a/disk', undefined, 'critical');
    t.deepEqual(
      names.map((name) => events.past(name).length),
      names.map((name) => (name === 'peer1/a' ? 1 : 0)),
    );
  });

test('the steps of a failure are in its event, and its recovery has none', (t) => {
  const { events, sent } = record();
  const steps = [{ text: 'Free space.', command: 'df -h' }];
  events.checked('disk', '1% left', 'critical', { steps });
  t.deepEqual(events.open[0]?.steps, steps);
  events.checked('disk', undefined, 'critical');
  t.deepEqual(
    sent.map((event) => event.steps),
    [steps, undefined],
  );
});

test('a changed reason is no event, but the reason of the next reminder', (t) => {
  const { events, sent } = record();
  events.checked('disk', '6% left', 'warning');
  const since = events.open[0]?.since;
  events.checked('disk', '5% left', 'warning');
  t.is(sent.length, 1);
  t.deepEqual(
    events.open.map((event) => [event.reason, event.since, event.node, event.runbook]),
    [['5% left', since, undefined, 'FabricHealthCheckWarning']],
  );
});

test('a warning that becomes critical is an event, and so is the way back', (t) => {
  const { events, sent } = record();
  events.checked('peer0/disk', '6% left', 'warning');
  events.checked('peer0/disk', '1% left', 'critical');
  events.checked('peer0/disk', '7% left', 'warning');
  t.deepEqual(
    sent.map(({ state, severity, runbook }) => `${state} ${severity} ${runbook}`),
    [
      'warning warning FabricHealthCheckWarning',
      'failed critical FabricHealthCheckFailing',
      'warning warning FabricHealthCheckWarning',
    ],
  );
});

test('the first successful check is no event', (t) => {
  const { events, sent } = record();
  events.checked('docker', undefined, 'critical');
  t.deepEqual(sent, []);
});

test('a component that is removed ends its failures and the failures of its parts', (t) => {
  const { events, sent } = record();
  for (const name of ['a', 'a/b', 'ab']) events.checked(name, 'broken', 'critical');
  events.removed('a');
  t.deepEqual(
    sent.slice(3).map(({ state, component }) => `${state} ${component}`),
    ['recovered a', 'recovered a/b'],
  );
  t.deepEqual(
    events.open.map(({ component }) => component),
    ['ab'],
  );
});

test('a restart is an event that neither fails nor recovers', (t) => {
  const { events, sent } = record();
  events.restarted('peer0');
  t.deepEqual(sent.map(withoutTime), [
    {
      id: 'peer0',
      component: 'peer0',
      node: 'peer0',
      state: 'info',
      severity: 'info',
      headline: 'peer0 has restarted',
      reason: 'the process has restarted',
      runbook: 'FabricNodeRestarts',
      fields: { kind: 'peer' },
      hasTime: true,
    },
  ]);
});

test('a restart with another version names both', (t) => {
  const { events, sent } = record();
  events.restarted('peer0', { before: 'v2.5.16', now: 'v3.1.5\n' });
  t.deepEqual(
    sent.map(({ reason }) => reason),
    [String.raw`the process has restarted: v2.5.16 → v3.1.5\n`],
  );
});

test('a channel at risk has a separate section in the runbook', (t) => {
  const { events, sent } = record();
  events.checked('channels/ch1', 'at risk: …', 'warning');
  t.deepEqual(
    sent.map(({ state, runbook }) => `${state} ${runbook}`),
    ['warning FabricChannelAtRisk'],
  );
});

test('each change in a channel is a separate event', (t) => {
  const { events, sent } = record();
  for (const node of ['a', 'b']) events.happened('channels/ch1', `${node} has joined ch1`, { node });
  t.deepEqual(
    sent.map(({ component, state, reason, fields }) => [component, state, reason, fields]),
    [
      ['channels/ch1', 'info', 'a has joined ch1', { node: 'a' }],
      ['channels/ch1', 'info', 'b has joined ch1', { node: 'b' }],
    ],
  );
  t.is(new Set(sent.map(({ id }) => id)).size, 2);
});

for (const [component, severity, runbook] of [
  ['peer0', 'critical', 'FabricNodeDown'],
  ['peer0', 'warning', 'FabricHealthCheckWarning'],
  ['peer0/disk', 'critical', 'FabricHealthCheckFailing'],
  ['docker', 'warning', 'FabricHealthCheckWarning'],
  ['channels/ch1', 'critical', 'FabricChannelStopped'],
  ['channels/ch1', 'warning', 'FabricChannelAtRisk'],
  ['statsd (sink)', 'warning', 'FabricOpsAgentSinkDeliversNothing'],
  ['mail (notifier)', 'warning', 'FabricOpsAgentNotifierNotDelivered'],
  ['agent (operations)', 'warning', 'FabricOpsAgentCertificateNotReloaded'],
  ['statsd (sink)', 'critical', 'FabricHealthCheckFailing'],
] as const)
  test(`the section of the runbook for ${component} with the severity ${severity} is ${runbook}`, (t) => {
    const { events, sent } = record();
    events.checked(component, 'broken', severity);
    t.is(sent[0]?.runbook, runbook);
  });

test('a node is down if it fails itself, or does not participate in one of its channels', (t) => {
  const events = new Events(
    () => [{ name: 'peer0', kind: 'peer' }],
    () =>
      new Map([
        [
          'ch1',
          [
            { name: 'o1', state: 'down', outage: 'is down' },
            { name: 'o2', state: 'electing' },
          ],
        ],
        ['ch2', []],
      ]),
  );
  t.deepEqual([events.outIn('channels/ch1'), events.outIn('channels/ch2')], [new Set(['o1']), new Set()]);
  t.deepEqual(
    ['o1', 'o2', 'peer0'].map((node) => events.foundDownAt(node)),
    [Infinity, undefined, undefined],
  );
  events.checked('channels/ch1', 'at risk', 'warning', { observedAt: 7 });
  t.is(events.foundDownAt('o1'), 7);
  events.checked('o1', 'refused', 'critical', { observedAt: 5 });
  t.is(events.foundDownAt('o1'), 7);
  events.checked('peer0', 'slow', 'warning');
  t.is(events.foundDownAt('peer0'), undefined);
  events.checked('peer0', 'refused', 'critical', { observedAt: 6 });
  t.is(events.foundDownAt('peer0'), 6);
});

test('the silence of a node covers failures that its failure explains, through at most four others', (t) => {
  const silences = new Silences();
  const events = new Events(() => [{ name: 'peer0', kind: 'peer' }], undefined, silences);
  const names = ['peer0', 'a', 'b', 'c', 'd', 'e'];
  for (const [index, name] of names.entries())
    events.checked(name, 'broken', 'critical', index === 0 ? {} : { follows: names[index - 1]! });
  t.is(events.silencedBy('a'), undefined);
  const silence = silences.begin({ node: 'peer0', until: Date.now() + 60_000, by: 'x', why: 'y' });
  t.deepEqual(
    names.map((name) => events.silencedBy(name)),
    [...names.slice(0, 5).map(() => silence), undefined],
  );
  silences.stop();
});
