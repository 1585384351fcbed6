// The current metrics of a node for its checkers.

import test from 'ava';
import { CheckWarning, type SourceReading, type SourceReadings } from '../../../core/contract/index.js';
import { checkOperationsOptions, readNode, requireNode, valuesByChannel } from '../../../core/kit/node.js';
import { fakeReadings } from '../../helpers/checker.js';

const never = (): AbortSignal => new AbortController().signal;
const EMPTY: SourceReading = { families: [] };

test('a node is read with the other sources that are up', async (t) => {
  const [own, other]: SourceReading[] = [
    { ...EMPTY, startTime: 1 },
    { ...EMPTY, startTime: 2 },
  ];
  const readings = fakeReadings(
    new Map([
      ['peer0', own],
      ['peer1', other],
      ['peer2', undefined],
    ]),
  );
  t.deepEqual(await readNode(readings, 'peer0', never()), {
    own: { name: 'peer0', reading: own },
    others: [{ name: 'peer1', reading: other }],
  });
});

for (const [what, name, reason] of [
  ['is down', 'peer2', 'connection refused'],
  ['is no source', 'peer3', 'not read yet'],
] as const)
  test(`a node that ${what} is a warning that follows it`, async (t) => {
    const readings = fakeReadings(new Map([['peer2', undefined]]));
    const error = await t.throwsAsync(readNode(readings, name, never()), {
      instanceOf: CheckWarning,
      message: `the metrics of ${name} cannot be read: ${reason}`,
    });
    t.like(error, { follows: name });
  });

test('a check that was aborted while the nodes were read ends with the reason', async (t) => {
  const readings: SourceReadings = fakeReadings(new Map([['peer0', EMPTY]]));
  const signal = AbortSignal.abort(new Error('the agent stops'));
  await t.throwsAsync(readNode(readings, 'peer0', signal), { message: 'the agent stops' });
});

test('of a family the finite values with a channel are found', (t) => {
  const series = [
    { labels: { channel: 'ch1' }, value: 7 },
    { labels: { channel: 'ch2' }, value: NaN },
    { labels: { channel: 'ch3' }, value: { bounds: [], counts: [], sum: 0, count: 0 } },
    { labels: {}, value: 8 },
    { labels: { channel: 5 }, value: 9 },
    { labels: { channel: '' }, value: 0 },
  ];
  const reading = { families: [{ name: 'height', series }] } as unknown as SourceReading;
  t.deepEqual(
    valuesByChannel(reading, 'height'),
    new Map([
      ['ch1', 7],
      ['', 0],
    ]),
  );
  t.deepEqual(valuesByChannel(reading, 'other'), new Map());
});

test('a checker that needs a node is named after one', (t) => {
  t.is(requireNode('peer0'), 'peer0');
  t.throws(() => requireNode(undefined), {
    message: 'the checker must be named after a monitored node, <node>/<name>, such as peer0/height',
  });
});

const TLS = { tls: false, ca: '', certificate: '', cert: '', key: '', serverName: '' };
for (const [address, text] of [
  [{ host: '', port: 9443 }, ':9443'],
  [{ host: 'peer0', port: 0 }, 'peer0:0'],
] as const)
  test(`the address ${text} is no endpoint of a node`, (t) => {
    t.throws(() => checkOperationsOptions({ ...TLS, address }), {
      message: `options.address: must be a host and a port to connect to: ${text}`,
    });
  });

test('an endpoint of a node has a client certificate and a key, or neither', (t) => {
  const address = { host: 'peer0', port: 9443 };
  for (const files of [{}, { cert: '/c', key: '/k' }])
    t.notThrows(() => checkOperationsOptions({ ...TLS, address, ...files }));
  for (const files of [{ cert: '/c' }, { key: '/k' }])
    t.throws(() => checkOperationsOptions({ ...TLS, address, ...files }), {
      message: 'options.cert and options.key must be set together',
    });
});
