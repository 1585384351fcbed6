// `PUT /logspec?for=…` on the agent's own specification.

import test, { type ExecutionContext } from 'ava';
import { shareAgents, startAgent, type StartedAgent } from '../../helpers/agent.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { stopTimeouts } from '../../helpers/clock.js';

const ALLOWED = "the only parameter is 'for', a duration from 1s to 24h such as 10m or 1h30m; ";

const start = (t: ExecutionContext): Promise<StartedAgent> =>
  startAgent(t, { 'logging.spec': 'warn', plugins: QUIET });

const put = (url: string, query: string, spec = 'debug'): Promise<Response> =>
  fetch(`${url}/logspec${query}`, { method: 'PUT', body: JSON.stringify({ spec }) });

for (const query of ['for=1s', 'for=1.5s'])
  test(`?${query} is accepted`, async (t) => {
    const { url } = await start(t);
    t.is((await put(url, `?${query}`)).status, 204);
  });

for (const query of ['for=10m', 'for=1h30m', 'for=24h', 'for=86400s', 'for=%2B10m']) {
  test(`?${query} is accepted, and GET names the end`, async (t) => {
    const { url } = await start(t);
    t.is((await put(url, `?${query}`)).status, 204);
    const response = await fetch(`${url}/logspec`);
    t.is(await response.text(), '{"spec":"debug"}\n');
    const end = response.headers.get('logspec-reverts-at') ?? '';
    t.regex(end, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    t.true(Date.parse(end) > Date.now() - 1000);
  });
}

const sharedAgent = shareAgents();

const REFUSED: Readonly<Record<string, string>> = {
  'for=': "found ''",
  'for=10': "found '10'",
  'for=0': "found '0'",
  'for=999ms': "found '999ms'",
  'for=24h1ms': "found '24h1ms'",
  'for=-10m': "found '-10m'",
  'for=10m%20': "found '10m '",
  [`for=${'1'.repeat(101)}`]: `found '${'1'.repeat(100)}'`,
  'for=10d': "found '10d'",
  'for=NaN': "found 'NaN'",
  'for=10m&for=10m': "duplicate parameter 'for'",
  'for=10m&until=x': "unknown parameter 'until'",
  'For=10m': "unknown parameter 'For'",
  '__proto__=1': "unknown parameter '__proto__'",
  [`${'x'.repeat(500)}=1`]: `unknown parameter '${'x'.repeat(100)}'`,
};
for (const [query, found] of Object.entries(REFUSED)) {
  test(`?${query.slice(0, 40)} is refused and changes nothing`, async (t) => {
    const { agent, url } = await sharedAgent({ 'logging.spec': 'warn', plugins: QUIET });
    const response = await put(url, `?${query}`);
    t.is(response.status, 400);
    t.deepEqual(await response.json(), { error: ALLOWED + found });
    t.is(await agent.logging.spec(), 'warn');
  });
}

test('an invalid specification with a valid duration is refused and changes nothing', async (t) => {
  const { agent, url } = await start(t);
  t.is((await put(url, '?for=1s', 'loud')).status, 400);
  t.is(await agent.logging.spec(), 'warn');
  t.is((await fetch(`${url}/logspec`)).headers.get('logspec-reverts-at'), null);
});

test('an empty query is a plain change', async (t) => {
  const { url } = await start(t);
  t.is((await put(url, '?')).status, 204);
  t.is((await fetch(`${url}/logspec`)).headers.get('logspec-reverts-at'), null);
});

test('the query of GET is ignored', async (t) => {
  const { url } = await start(t);
  t.is((await fetch(`${url}/logspec?for=never&x`)).status, 200);
});

test.serial('the former specification returns after one second', async (t) => {
  const clock = stopTimeouts(t);
  const { agent, url } = await start(t);
  await put(url, '?for=1s');
  t.is(await agent.logging.spec(), 'debug');
  clock.tick(1000);
  // Changes run one after the other, also one that is refused.
  t.is((await put(url, '', 'loud')).status, 400);
  t.is(await agent.logging.spec(), 'warn');
  t.is((await fetch(`${url}/logspec`)).headers.get('logspec-reverts-at'), null);
});

test('the former specification returns when the agent stops', async (t) => {
  const { agent, url } = await start(t);
  await put(url, '?for=1h');
  t.is(await agent.logging.spec(), 'debug');
  await agent.stop();
  t.is(await agent.logging.spec(), 'warn');
});

test('a change by the embedding program stays when the agent stops', async (t) => {
  const { agent, url } = await start(t);
  await put(url, '?for=1h');
  await agent.logging.activate('error', 'the program');
  await agent.stop();
  t.is(await agent.logging.spec(), 'error');
});
