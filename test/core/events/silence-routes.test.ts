// `/silences` of a running agent, and silences in `/status`.

import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings } from '../../../core/index.js';
import { unknownName } from '../../../core/events/index.js';
import { startAgent, type StartedAgent } from '../../helpers/agent.js';
import { declareSource, FakeSource } from '../../helpers/fake-source.js';
import { channelGauge, fetchEndpoint } from '../../helpers/stand-in-node.js';
import { until } from '../../helpers/until.js';

type Json = Readonly<Record<string, unknown>>;

async function start(t: ExecutionContext, values: Json = {}): Promise<StartedAgent> {
  const peer = new FakeSource(fetchEndpoint('http://127.0.0.1:1'));
  peer.reading = { families: [channelGauge('ledger_blockchain_height', { ch1: 3 })] };
  const started = await startAgent(t, { plugins: [declareSource(t, peer, 'peer0')], ...values });
  await until(async () => ((await statusOf(started.url))['channels'] as readonly Json[]).length > 0);
  return started;
}

const put = (url: string, body: unknown): Promise<Response> =>
  fetch(`${url}/silences`, {
    method: 'PUT',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const statusOf = async (url: string): Promise<Json> => (await fetch(`${url}/status`)).json() as Promise<Json>;

test('a silence is made, listed, shown in /status with the problems that it covers, and ended', async (t) => {
  const { agent, url } = await start(t);
  agent.health.register('peer0/disk', () => Promise.reject(new Error('full')));
  agent.health.register('queue', () => Promise.reject(new Error('full')));
  const made = await put(url, { node: 'peer0', for: '30m', why: ' upgrade ' });
  t.is(made.status, 201);
  const silence = (await made.json()) as Json;
  t.is(Date.parse(String(silence['until'])) - Date.parse(String(silence['from'])) < 1_800_100, true);
  const { id, from, until: end, by, ...others } = silence;
  t.deepEqual(others, { node: 'peer0', why: 'upgrade' });
  t.regex(String(by), /^127\.0\.0\.1:\d+$/);
  t.regex(String(id), /^[0-9a-f]{8}$/);
  t.true(String(from) < String(end));
  t.deepEqual(await (await fetch(`${url}/silences`)).json(), { silences: [silence] });
  await until(async () => ((await statusOf(url))['problems'] as readonly Json[]).length === 2);
  const { silences, problems } = await statusOf(url);
  t.deepEqual(silences, [silence]);
  t.deepEqual(
    (problems as readonly Json[])
      .map(({ component, silenced }) => [component, silenced])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    [
      ['peer0/disk', true],
      ['queue', undefined],
    ],
  );
  t.is((await fetch(`${url}/silences/${String(id)}`, { method: 'DELETE' })).status, 204);
  t.deepEqual((await statusOf(url))['silences'], []);
  const again = await fetch(`${url}/silences/${String(id)}`, { method: 'DELETE' });
  t.is(again.status, 404);
  t.deepEqual(await again.json(), { error: `there is no silence '${String(id)}': no silence is active` });
});

test('a silence of a channel that the agent knows', async (t) => {
  const { url } = await start(t);
  await statusOf(url);
  t.is((await put(url, { channel: 'ch1', for: '30m', why: 'work' })).status, 201);
});

for (const [body, error] of [
  [{ node: 'per0', for: '30m', why: 'x' }, "unknown node 'per0': known are peer0"],
  [{ channel: 'chX', for: '30m', why: 'x' }, "unknown channel 'chX': known are ch1"],
  [{ why: 'x' }, '"for" is missing: a silence needs an end, such as {"for":"30m","why":"upgrade"}'],
  [
    { for: '30', why: 'x' },
    `"for" must have a unit: write 30s for seconds or 30ms for milliseconds; found '30'`,
  ],
  [{ for: '0s', why: 'x' }, `"for" must be longer than 0s; found '0s'`],
  [{ for: '-1h', why: 'x' }, `"for" must not be negative; found '-1h'`],
  [
    { for: '36h', why: 'x' },
    '36h is longer than 24h; set "confirm" to true (--yes on the command line) if that is intended',
  ],
  [{ for: '30m' }, '"why" is missing: the reason for the silence, which is in its events'],
  [{ for: '30m', why: 'x'.repeat(501) }, '"why" has 501 characters; at most 500 are allowed'],
  [{ for: '30m', why: ' ' }, '"why" is missing: the reason for the silence, which is in its events'],
  [
    { for: '36h', why: 'x', confirm: false },
    '36h is longer than 24h; set "confirm" to true (--yes on the command line) if that is intended',
  ],
  [{ for: 30, why: 'x' }, '"for" must be a string'],
  [{ for: '30m', why: 'x', confirm: 'yes' }, '"confirm" must be a boolean'],
  [
    { ['n'.repeat(101)]: 1 },
    `unknown attribute "${'n'.repeat(100)}"; allowed are node, channel, for, why, confirm`,
  ],
  [
    { for: '1'.repeat(101), why: 'x' },
    `"for" must have a unit: write ${'1'.repeat(101)}s for seconds or ${'1'.repeat(101)}ms for milliseconds; found '${'1'.repeat(100)}'`,
  ],
  [
    { for: '30m', why: 'x', nodes: [] },
    'unknown attribute "nodes"; allowed are node, channel, for, why, confirm',
  ],
  ['{', 'the body is not valid JSON'],
  ['[]', 'the body is not a JSON object, such as {"node":"peer0","for":"30m","why":"upgrade"}'],
  ['null', 'the body is not a JSON object, such as {"node":"peer0","for":"30m","why":"upgrade"}'],
  ['7', 'the body is not a JSON object, such as {"node":"peer0","for":"30m","why":"upgrade"}'],
] as const)
  test(`PUT /silences ${JSON.stringify(body).slice(0, 60)}: 400, and no silence begins`, async (t) => {
    const { url } = await start(t);
    await statusOf(url);
    const response = await put(url, body);
    t.deepEqual([response.status, await response.json()], [400, { error }]);
    t.deepEqual(await (await fetch(`${url}/silences`)).json(), { silences: [] });
  });

test('a silence of exactly a day needs no confirmation, and its reason may have 500 characters', async (t) => {
  const { url } = await start(t);
  t.is((await put(url, { for: '24h', why: 'x'.repeat(500) })).status, 201);
});

test('of a long unknown name 100 characters are shown', (t) => {
  t.is(
    unknownName('node', 'x'.repeat(101), []),
    `unknown node '${'x'.repeat(100)}': the agent knows no node`,
  );
});

test('a silence that is longer than a day begins if it is confirmed', async (t) => {
  const { url } = await start(t);
  t.is((await put(url, { for: '36h', why: 'x', confirm: true })).status, 201);
});

test('the 51st silence is refused with 409', async (t) => {
  const { url } = await start(t);
  for (let count = 0; count < 50; count += 1) await put(url, { for: '1h', why: 'x' });
  const response = await put(url, { for: '1h', why: 'x' });
  t.deepEqual(
    [response.status, await response.json()],
    [409, { error: '50 silences are active, more are not allowed: end one of them' }],
  );
});

test('the silences in the settings are active after a start, except those whose time is over', async (t) => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { url } = await start(t, {
    silences: [
      { node: 'peer0', until: later, why: 'upgrade' },
      { until: '2020-01-01T00:00:00Z', why: 'old' },
    ],
  });
  const { silences } = await statusOf(url);
  t.deepEqual(
    (silences as readonly Json[]).map(({ node, until: end, by, why }) => ({ node, until: end, by, why })),
    [{ node: 'peer0', until: later, by: 'settings: silences[0]', why: 'upgrade' }],
  );
});

test('a silence in the settings that names an unknown node is refused', async (t) => {
  const end = new Date(Date.now() + 3_600_000).toISOString();
  const settings = defineSettings(
    { 'operations.listenAddress': '127.0.0.1:0', silences: [{ node: 'per0', until: end, why: 'x' }] },
    process.cwd(),
  );
  await t.throwsAsync(createAgent(settings), {
    message: "settings: silences[0]: unknown node 'per0': the agent knows no node",
  });
});
