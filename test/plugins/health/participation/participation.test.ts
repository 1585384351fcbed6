import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { CheckWarning } from '../../../../core/contract/index.js';
import type { FailureDetails } from '../../../../core/contract/internal/index.js';
import participation from '../../../../plugins/health/participation/index.js';
import {
  publishedIn,
  startChecker,
  type CheckerParts,
  type StartedChecker,
} from '../../../helpers/checker.js';
import { FactStore } from '../../../../core/nodes/index.js';
import { stopTimeouts } from '../../../helpers/clock.js';
import { until } from '../../../helpers/until.js';

const LIST = '/participation/v1/channels';
type Replies = Record<string, readonly [status: number, body: string]>;

const ENDPOINT = { tls: false, ca: '', certificate: '', cert: '', key: '', serverName: '' };

/** Starts a checker of an endpoint with these replies by path; the test may change them. No response is late. */
async function start(
  t: ExecutionContext,
  replies: Replies,
  onboardingTimeout = 0,
  parts?: CheckerParts,
): Promise<StartedChecker & { readonly url: string; readonly tick: (milliseconds: number) => void }> {
  const clock = stopTimeouts(t);
  const server = createServer((request, response) => {
    const [status, body] = replies[request.url ?? ''] ?? [404, '{"error":"unknown"}'];
    response.writeHead(status);
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port };
  const options = { ...ENDPOINT, address, onboardingTimeout };
  const started = await startChecker(t, participation, options, parts);
  return { ...started, url: `http://127.0.0.1:${port}`, tick: (time) => void clock.tick(time) };
}

const list = (...names: readonly string[]): readonly [number, string] => [
  200,
  JSON.stringify({ systemChannel: null, channels: names.map((name) => ({ name, url: `${LIST}/${name}` })) }),
];
const info = (name: string, status: string, height: number): readonly [number, string] => [
  200,
  JSON.stringify({ name, url: `${LIST}/${name}`, status, consensusRelation: 'consenter', height }),
];

test.serial('active and inactive channels are healthy, and their heights are served', async (t) => {
  const { check, series } = await start(t, {
    [LIST]: list('ch1', 'ch2'),
    [`${LIST}/ch1`]: info('ch1', 'active', 7),
    [`${LIST}/ch2`]: info('ch2', 'inactive', 3),
  });
  t.deepEqual(await check(), {});
  t.deepEqual(await series('participation_channel_height'), {
    '{"component":"participation","channel":"ch1"}': 7,
    '{"component":"participation","channel":"ch2"}': 3,
  });
});

test.serial('an orderer that does not respond has failed before the deadline of checks', async (t) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const options = { ...ENDPOINT, address: { host: '127.0.0.1', port }, onboardingTimeout: 0 };
  const { check } = await startChecker(t, participation, options);
  const clock = stopTimeouts(t);
  const checking = check();
  await once(server, 'request');
  clock.tick(3000);
  t.deepEqual(await checking, {
    '': `the response to GET http://127.0.0.1:${port}${LIST} took longer than 3s`,
  });
});

test.serial(
  'an Admin endpoint that cannot be read is a warning, since the orderer works without it',
  async (t) => {
    const { checker } = await start(t, { [LIST]: [503, ''] });
    await t.throwsAsync(async () => checker.check(new AbortController().signal), { code: 'CHECK_WARNING' });
  },
);

test.serial('an orderer without channels is healthy', async (t) => {
  const { check } = await start(t, { [LIST]: [200, '{"systemChannel":null,"channels":null}'] });
  t.deepEqual(await check(), {});
});

test.serial(
  'the source of the orderer gets the channels, the system channel included, and nothing when the request fails',
  async (t) => {
    const facts = new FactStore();
    const recorded = publishedIn(facts, 'channels');
    const replies: Replies = {
      [LIST]: [200, `{"systemChannel":{"name":"sys","url":"x"},"channels":[{"name":"ch1","url":"y"}]}`],
      [`${LIST}/ch1`]: info('ch1', 'active', 7),
      [`${LIST}/sys`]: info('sys', 'active', 2),
    };
    const { check } = await start(t, replies, 0, { node: 'orderer', facts });
    t.deepEqual(await check(), {});
    replies[LIST] = [503, ''];
    await check();
    t.deepEqual(
      recorded.map(({ names, requestedAt }) => [names, Math.abs(performance.now() - requestedAt) < 50_000]),
      [[['sys', 'ch1'], true]],
    );
  },
);

test.serial(
  'a failed channel is a failed part, and its series ends when the orderer leaves the channel',
  async (t) => {
    const replies: Replies = { [LIST]: list('ch1'), [`${LIST}/ch1`]: info('ch1', 'failed', 7) };
    const { check, series } = await start(t, replies);
    t.deepEqual(await check(), { ch1: 'the orderer has failed in the channel, at height 7' });
    replies[LIST] = list();
    t.deepEqual(await check(), {});
    t.deepEqual(await series('participation_channel_height'), {});
  },
);

test.serial('onboarding fails only when it takes long', async (t) => {
  const replies: Replies = { [LIST]: list('ch1'), [`${LIST}/ch1`]: info('ch1', 'onboarding', 7) };
  t.deepEqual(await (await start(t, replies)).check(), {
    ch1: 'the orderer has been onboarding for 0 minutes, at height 7',
  });
  t.deepEqual(await (await start(t, replies, 60_000)).check(), {});
});

test.serial('onboarding is a warning from its timeout on, with its duration in whole minutes', async (t) => {
  const replies: Replies = { [LIST]: list('ch1'), [`${LIST}/ch1`]: info('ch1', 'onboarding', 7) };
  const { check, severities, tick } = await start(t, replies, 600_000);
  for (const [time, minutes] of [
    [0, undefined],
    [599_999, undefined],
    [1, 10],
    [59_999, 10],
    [1, 11],
  ] as const) {
    tick(time);
    const reason = `the orderer has been onboarding for ${minutes} minutes, at height 7`;
    t.deepEqual(await check(), minutes === undefined ? {} : { ch1: reason });
    t.deepEqual(severities(), minutes === undefined ? {} : { ch1: 'warning' });
  }
});

test('four channels are requested at a time', async (t) => {
  const names = ['ch1', 'ch2', 'ch3', 'ch4', 'ch5', 'ch6'];
  const held = new Map<string, () => void>();
  const server = createServer(({ url = '' }, response) => {
    const name = url.slice(LIST.length + 1);
    const [status, body] = name === '' ? list(...names) : info(name, 'active', 1);
    const reply = (): void => {
      response.writeHead(status);
      response.end(body);
    };
    if (name === '' || name === 'other') reply();
    else held.set(name, reply);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const options = { ...ENDPOINT, address: { host: '127.0.0.1', port }, onboardingTimeout: 0 };
  const { check } = await startChecker(t, participation, options);
  const checking = check();
  await until(() => held.size === 4);
  // A request that comes after all of the checker.
  await fetch(`http://127.0.0.1:${port}${LIST}/other`);
  t.deepEqual([...held.keys()].toSorted(), names.slice(0, 4));
  for (const reply of held.values()) reply();
  await until(() => held.size === 6);
  for (const name of ['ch5', 'ch6']) held.get(name)!();
  t.deepEqual(await checking, {});
});

const FAULTS: readonly (readonly [what: string, reply: readonly [number, string], reason: string])[] = [
  [
    'disabled',
    [405, '{"error":"channel participation API is disabled"}'],
    'HTTP status 405: channel participation API is disabled',
  ],
  ['a redirect', [302, ''], 'HTTP status 302; redirects are not followed'],
  [
    'not JSON',
    [200, '<html>'],
    'unexpected response: expected a document of the participation API, found <html>',
  ],
  [
    'empty',
    [200, ''],
    'unexpected response: expected a document of the participation API, found an empty body',
  ],
  [
    'no list',
    [200, '{"channels":7}'],
    'unexpected response: expected a document of the participation API, found {"channels":7}',
  ],
  [
    'no names',
    [200, '{"channels":[{}]}'],
    'unexpected response: expected a document of the participation API, found {"channels":[{}]}',
  ],
  ['2 MiB', [200, ' '.repeat(2 * 1024 * 1024)], 'the response is larger than 1 MiB'],
  [
    'too many channels',
    list(...Array.from({ length: 1001 }, (_, index) => `ch${index}`)),
    'the orderer has 1001 channels; at most 1000 are checked',
  ],
];
for (const [what, reply, reason] of FAULTS) {
  test.serial(`a list that is ${what}: ${reason}`, async (t) => {
    const { check, url } = await start(t, { [LIST]: reply });
    t.deepEqual(await check(), { '': `GET ${url}${LIST}: ${reason}` });
  });
}

test.serial('the name of a channel cannot lead to another path', async (t) => {
  const { check, url } = await start(t, {
    [LIST]: list('../../metrics'),
    '/metrics': info('x', 'active', 1),
    [`${LIST}/..%2F..%2Fmetrics`]: [500, '{"error":"broken"}'],
  });
  t.deepEqual(await check(), { '': `GET ${url}${LIST}/..%2F..%2Fmetrics: HTTP status 500: broken` });
});

test.serial('a channel that the orderer listed and does not know a moment later was removed', async (t) => {
  const facts = new FactStore();
  const published = publishedIn(facts, 'channels');
  const { check, series } = await start(
    t,
    {
      [LIST]: list('ch1', 'ch2'),
      [`${LIST}/ch1`]: [404, '{"error":"channel does not exist"}'],
      [`${LIST}/ch2`]: info('ch2', 'active', 3),
    },
    0,
    { node: 'orderer', facts },
  );
  t.deepEqual(await check(), {});
  t.deepEqual(
    published.map(({ names }) => names),
    [['ch2']],
  );
  t.deepEqual(await series('participation_channel_height'), {
    '{"component":"participation","channel":"ch2"}': 3,
  });
});

test.serial('a list that does not exist is a warning', async (t) => {
  const { check, url } = await start(t, {});
  t.deepEqual(await check(), { '': `GET ${url}${LIST}: HTTP status 404: unknown` });
});

for (const node of ['orderer0', undefined])
  test.serial(
    `a failed request is a warning that ${node === undefined ? 'follows nothing without a node' : `follows the node ${node}`}`,
    async (t) => {
      const { checker } = await start(t, { [LIST]: [500, '{"error":"broken"}'] }, 0, { node });
      const error = await t.throwsAsync(async () => checker.check(new AbortController().signal), {
        instanceOf: CheckWarning,
      });
      t.is((error as FailureDetails).follows, node);
    },
  );
