// `/status` of a real agent.

import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings } from '../../../core/index.js';
import { startAgent } from '../../helpers/agent.js';
import { stopClock } from '../../helpers/clock.js';
import { declareSource, FakeSource } from '../../helpers/fake-source.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { channelGauge, fetchEndpoint, startStandInNode } from '../../helpers/stand-in-node.js';
import { until } from '../../helpers/until.js';

type Json = Readonly<Record<string, unknown>>;

const statusOf = async (url: string): Promise<Json> => (await fetch(`${url}/status`)).json() as Promise<Json>;

/** A sink that sends each 20 ms, and a notifier that fails. */
function declareReceivers(t: ExecutionContext): readonly object[] {
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'sink.js': `export default { apiVersion: 1, kind: 'sink', name: 'sink', options: {},
      create: () => ({ push: { interval: 20, flush: async () => undefined } }) };`,
    'notifier.js': `export default { apiVersion: 1, kind: 'notifier', name: 'notifier', options: {},
      create: () => ({ schedule: { groupFor: 0 }, notify: async () => { throw new Error('busy'); } }) };`,
  });
  return ['sink', 'notifier'].map((name) => ({ plugin: `${folder}/${name}.js` }));
}

test.serial('the uptime does not follow a wall clock that jumps', async (t) => {
  const clock = stopClock(t);
  const { url } = await startAgent(t);
  const uptime = async (): Promise<unknown> => ((await statusOf(url)).agent as Json).uptime;
  clock.tick(5_000);
  clock.setSystemTime(Date.now() - 7_200_000);
  t.is(await uptime(), 5);
  clock.setSystemTime(Date.now() + 400 * 86_400_000);
  t.is(await uptime(), 5);
});

test('channels are listed by name, with the height, the role and the state at each node', async (t) => {
  const peer = new FakeSource(fetchEndpoint('http://127.0.0.1:1'));
  peer.reading = { families: [channelGauge('ledger_blockchain_height', { ch1: 3, ch2: 9 })] };
  const orderer = new FakeSource(fetchEndpoint('http://127.0.0.1:1', 'orderer'));
  orderer.reading = {
    families: [
      channelGauge('ledger_blockchain_height', { ch1: 5 }),
      channelGauge('consensus_etcdraft_is_leader', { ch1: 1 }),
      channelGauge('consensus_etcdraft_cluster_size', { ch1: 3 }),
      channelGauge('consensus_etcdraft_active_nodes', { ch1: 2 }),
      channelGauge('participation_consensus_relation', { ch1: 1, odd: 7 }),
      channelGauge('participation_status', { ch1: 2, odd: 3 }),
    ],
  };
  const { url } = await startAgent(t, {
    plugins: [declareSource(t, peer, 'peer0'), declareSource(t, orderer, 'orderer')],
  });
  const { channels, nodes, levels } = await statusOf(url);
  const unknown = { verdict: 'unknown', reason: 'its consenters are unknown' };
  const empty = { blocks: [], past: [] };
  const stated = (channels as readonly Json[]).map(({ since, ...channel }) => {
    t.true(Date.parse(String(since)) <= Date.now());
    return channel;
  });
  t.deepEqual(stated, [
    {
      name: 'ch1',
      verdict: 'unknown',
      reason:
        '0 of 3 consenters are active; orderer is onboarding in the channel; 2 are not monitored by this agent',
      ...empty,
      consenters: [
        {
          name: 'orderer',
          node: 'orderer',
          state: 'absent',
          outage: 'is onboarding in the channel',
          leader: false,
        },
      ],
      needed: 2,
      height: 5,
      nodes: [
        { node: 'peer0', kind: 'peer', height: 3 },
        {
          node: 'orderer',
          kind: 'orderer',
          height: 5,
          consensus: { type: 'etcdraft', is_leader: true, cluster_size: 3, active_nodes: 2 },
          relation: 'consenter',
          status: 'onboarding',
        },
      ],
    },
    {
      name: 'ch2',
      ...unknown,
      ...empty,
      consenters: [],
      height: 9,
      nodes: [{ node: 'peer0', kind: 'peer', height: 9 }],
    },
    {
      name: 'odd',
      ...unknown,
      ...empty,
      consenters: [],
      nodes: [{ node: 'orderer', kind: 'orderer', status: 'failed' }],
    },
  ]);
  t.deepEqual(
    (nodes as readonly Json[]).map(({ name, up }) => [name, up]),
    [
      ['peer0', true],
      ['orderer', true],
    ],
  );
  t.deepEqual(levels, [{ name: 'self', spec: 'fatal' }, { name: 'peer0' }, { name: 'orderer' }]);
});

test('the warnings of the start about the configuration are notes', async (t) => {
  const settings = defineSettings(
    { 'operations.listenAddress': '127.0.0.1:0', 'logging.spec': 'fatal' },
    process.cwd(),
  );
  const agent = await createAgent(settings, ['agent.yaml: no such node']);
  t.teardown(() => agent.stop());
  await agent.start();
  const { agent: own } = await statusOf(`http://${agent.address}`);
  t.like(own, { healthy: true, notes: ['agent.yaml: no such node'] });
});

test('a failure has the state failed and makes the agent unhealthy; certificates are sorted by expiry', async (t) => {
  const folder = temporaryFolder(t, {
    'certificates.mjs': `export default { apiVersion: 1, kind: 'checker', name: 'certificates', options: {},
      create: ({ facts }) => ({ check() {}, start() {
        facts.publish('engine', { version: '27.3.1' });
        facts.publish('certificates', [['b', 2e12], ['a', 1e12], ['never', 9e18]].map(([path, notAfter]) =>
          ({ part: path + '.pem', subject: 'CN=x', kind: 'tls', path, notAfter })));
      } }) };`,
  });
  const { agent, url } = await startAgent(t, { plugins: [{ plugin: `${folder}/certificates.mjs` }] });
  const labels = { subject: 'CN=x', kind: 'tls', component: 'certificates' };
  const before = await statusOf(url);
  t.like(before, { problems: [], agent: { healthy: true, notes: [] } });
  t.deepEqual(before['certificates'], [
    { ...labels, part: 'certificates/a.pem', path: 'a', not_after: '2001-09-09T01:46:40.000Z' },
    { ...labels, part: 'certificates/b.pem', path: 'b', not_after: '2033-05-18T03:33:20.000Z' },
  ]);
  t.deepEqual(before['engines'], [{ component: 'certificates', version: '27.3.1' }]);
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  const after = await statusOf(url);
  t.like(after, {
    agent: { healthy: false },
    problems: [{ component: 'disk', state: 'failed', severity: 'critical', reason: 'full' }],
    checks: ['certificates', 'disk'],
  });
});

test('sinks and notifiers are listed with their last delivery and its problem', async (t) => {
  const { agent, url } = await startAgent(t, {
    'health.interval': '50ms',
    plugins: [{ plugin: 'prometheus' }, ...declareReceivers(t)],
  });
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  await until(async () => {
    const text = JSON.stringify(await statusOf(url));
    return text.includes('"problem":"busy"') && text.includes('"delivered_at"');
  });
  const { sinks, notifiers } = await statusOf(url);
  const [pull, push] = sinks as readonly Json[];
  t.deepEqual(pull, { name: 'prometheus', state: 'running', path: '/metrics' });
  t.like(push, { name: 'sink', state: 'running' });
  t.regex(String(push?.['delivered_at']), /^\d{4}-.*Z$/);
  t.deepEqual(notifiers, [{ name: 'notifier', state: 'running', queued: 1, events: 'all', problem: 'busy' }]);
});

test('the level of a node is requested at most once in 5 s, and again after a change', async (t) => {
  const node = await startStandInNode(t);
  const source = new FakeSource(fetchEndpoint(node.url));
  const { url } = await startAgent(t, { plugins: [declareSource(t, source)] });
  const levels = async (): Promise<unknown> => (await statusOf(url))['levels'];
  const own = { name: 'self', spec: 'fatal' };
  // The agent itself reads the level once at startup.
  const readings = (): number => node.received.filter(({ url: path }) => path === '/logspec').length;
  await until(() => readings() > 0);
  const first = readings();
  for (let count = 0; count < 3; count += 1)
    t.deepEqual(await levels(), [own, { name: 'peer0', spec: 'info' }]);
  t.is(readings(), first + 1);
  await fetch(`${url}/nodes/peer0/logspec`, { method: 'PUT', body: '{"spec":"debug"}' });
  const [, changed] = (await levels()) as readonly Json[];
  t.like(changed, { name: 'peer0', spec: 'debug' });
  t.regex(String(changed!['set_by']), /^127\.0\.0\.1:\d+$/);
  t.true(Date.parse(String(changed!['set_at'])) <= Date.now());
});
