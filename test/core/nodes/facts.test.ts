// Facts that checkers publish.

import test from 'ava';
import type { FactKind, Facts, FactValues } from '../../../core/contract/internal/index.js';
import { FactStore } from '../../../core/nodes/index.js';
import { stopClock } from '../../helpers/clock.js';

test('a fact has its checker, the node of the checker and its time', (t) => {
  const store = new FactStore();
  const before = Date.now();
  store.of('peer0/vm', 'peer0').publish('engine', { version: '29.0.1' });
  store.of('docker', undefined).publish('engine', { version: '28.5.2' });
  const [first, second] = store.of('other', undefined).latest('engine');
  t.like(first, { checker: 'peer0/vm', node: 'peer0', value: { version: '29.0.1' } });
  t.true(first!.publishedAt >= before && first!.publishedAt <= Date.now());
  t.like(second, { checker: 'docker', node: undefined, value: { version: '28.5.2' } });
});

test('a fact replaces the earlier one of the same kind and checker', (t) => {
  const store = new FactStore();
  const facts = store.of('docker', undefined);
  facts.publish('engine', { version: '28.5.2' });
  facts.publish('certificates', []);
  facts.publish('engine', { version: '29.0.1' });
  t.deepEqual(
    facts.latest('engine').map(({ value }) => value),
    [{ version: '29.0.1' }],
  );
  t.is(facts.latest('certificates').length, 1);
});

test('a fact ends when undefined is published, and when its checker stops', (t) => {
  const store = new FactStore();
  const [docker, podman] = [store.of('docker', undefined), store.of('podman', undefined)];
  for (const facts of [docker, podman]) facts.publish('engine', { version: '1' });
  docker.publish('engine', undefined);
  t.deepEqual(
    docker.latest('engine').map(({ checker }) => checker),
    ['podman'],
  );
  store.end('podman');
  t.deepEqual(docker.latest('engine'), []);
});

test.serial(
  'of several facts about a node the newest counts, and a fact without a node is about none',
  (t) => {
    const clock = stopClock(t);
    const store = new FactStore();
    store.of('peer0/a', 'peer0').publish('engine', { version: '1' });
    store.of('docker', undefined).publish('engine', { version: '2' });
    t.deepEqual(store.about('engine', 'peer0'), { version: '1' });
    clock.tick(1);
    store.of('peer0/b', 'peer0').publish('engine', { version: '3' });
    t.deepEqual(store.about('engine', 'peer0'), { version: '3' });
    clock.tick(1);
    store.of('peer0/a', 'peer0').publish('engine', { version: '4' });
    t.deepEqual(store.about('engine', 'peer0'), { version: '4' });
    t.is(store.about('engine', 'peer1'), undefined);
  },
);

test('a listener gets each later fact of its kind', (t) => {
  const store = new FactStore();
  const found: unknown[] = [];
  const facts = store.of('orderer/participation', 'orderer');
  facts.publish('channels', { names: ['ch1'], requestedAt: 1 });
  store.onPublished('channels', ({ node, value }) => void found.push([node, value.names]));
  facts.publish('channels', { names: ['ch2'], requestedAt: 2 });
  facts.publish('channels', undefined);
  facts.publish('engine', { version: '1' });
  t.deepEqual(found, [['orderer', ['ch2']]]);
});

const INVALID: readonly (readonly [kind: string, value: unknown, message: string])[] = [
  ['engine', { version: 29 }, 'fact engine.version must be a string'],
  ['engine', 'docker', 'fact engine must be an object'],
  ['engine', null, 'fact engine must be an object'],
  ['certificates', {}, 'fact certificates must be a list'],
  [
    'certificates',
    [{ subject: 'CN=a', kind: 'tls', path: '/a', notAfter: Number.NaN }],
    'fact certificates[0].notAfter must be a number',
  ],
  ['certificates', ['CN=a'], 'fact certificates[0] must be an object'],
  ['channels', { names: [1], requestedAt: 0 }, 'fact channels.names[0] must be a string'],
  [
    'consenters',
    [{ channel: 'ch1', block: 1, consensus: 'BFT', consenters: [{ address: 'a:1', id: '1' }] }],
    'fact consenters[0].consenters[0].id must be a number',
  ],
  [
    'responses',
    [{ channel: 'ch1', responses: [{ address: 'a:1' }] }],
    'fact responses[0].responses[0].state must be a string',
  ],
  ['tls', { key: 'a', fingerprint: 'b' }, 'fact tls.notAfter must be a number'],
  ['configs', [], 'fact configs must be a function'],
  [
    'nosuch',
    {},
    "unknown kind of facts 'nosuch'; the kinds are channels, consenters, responses, tls, configs, certificates, engine",
  ],
];
for (const [kind, value, message] of INVALID)
  test(`the fact ${kind} ${JSON.stringify(value)} is refused`, (t) => {
    const store = new FactStore();
    const facts = store.of('docker', undefined);
    t.throws(() => facts.publish(kind as 'engine', value as FactValues['engine']), {
      instanceOf: TypeError,
      message,
    });
    t.deepEqual(store.latest(kind as FactKind), []);
  });

test('a complete fact of each kind is accepted', (t) => {
  const values: FactValues = {
    channels: { names: ['ch1'], requestedAt: 1 },
    consenters: [
      {
        channel: 'ch1',
        block: 1,
        consensus: 'BFT',
        consenters: [{ address: 'a:1', id: 1, key: 'aa' }, { address: 'b:1' }],
        leaderHeartbeatTimeout: 60_000,
        own: 'a:1',
      },
    ],
    responses: [{ channel: 'ch1', responses: [{ address: 'a:1', consenter: 'a:1', state: 'alive' }] }],
    tls: { key: 'aa', fingerprint: 'bb', notAfter: 1 },
    configs: async () => [],
    certificates: [{ subject: 'CN=a', kind: 'tls', path: '/a', notAfter: 1 }],
    engine: { version: '29' },
  };
  const facts: Facts = new FactStore().of('docker', undefined);
  for (const kind of Object.keys(values) as FactKind[]) {
    facts.publish(kind, values[kind]);
    t.is(facts.latest(kind)[0]?.value, values[kind]);
  }
});
