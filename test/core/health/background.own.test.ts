// Background runs, as the agent starts and stops them.

import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { createAgent, defineSettings } from '../../../core/index.js';
import { startAgent } from '../../helpers/agent.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { until } from '../../helpers/until.js';

const CHECKER = `export default { apiVersion: 1, kind: 'checker', name: 'disk', options: {}, create: () => ({
  check() { throw new Error('full'); } }) };`;

test('the status of a component is in the metrics without a request of its health', async (t) => {
  const folder = temporaryFolder(t, { 'disk.mjs': CHECKER });
  const { url } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    plugins: [{ plugin: `${folder}/disk.mjs` }],
  });
  const text = await (await fetch(`${url}/metrics`)).text();
  t.regex(text, /fabric_ops_agent_health_check_status\{component="disk"\} 0$/m);
});

test('all checks run at each interval until the agent stops', async (t) => {
  const { agent } = await startAgent(t, { 'health.interval': '20ms' });
  let calls = 0;
  agent.health.register('counted', () => void (calls += 1));
  await until(() => calls >= 3);
  await agent.stop();
  const before = calls;
  await wait(100);
  t.is(calls, before);
});

test('a request shares the run in the background', async (t) => {
  const { agent } = await startAgent(t, { 'health.interval': '50ms' });
  let calls = 0;
  let finish: () => void = () => undefined;
  agent.health.register('slow', () => {
    calls += 1;
    return new Promise((resolve) => (finish = resolve));
  });
  await until(() => calls === 1);
  const reports = [
    agent.health.run(),
    agent.health.run({ include: ['slow'], exclude: [] }),
    agent.health.run({ include: [], exclude: ['other'] }),
  ];
  finish();
  for (const { failedChecks } of await Promise.all(reports)) t.deepEqual(failedChecks, []);
  t.is(calls, 1);
});

test('runs in the background do not use cached outcomes, and requests share their outcomes', async (t) => {
  const { agent } = await startAgent(t, { 'health.interval': '10ms', 'health.cacheFor': '1h' });
  let calls = 0;
  agent.health.register('counted', () => void (calls += 1));
  await until(() => calls > 3);
  const time = (await agent.health.run()).time;
  await until(() => calls > 10);
  t.true((await agent.health.run()).time > time);
});

test('a check that takes longer than the timeout does not delay /healthz beyond it', async (t) => {
  const { agent, url } = await startAgent(t, { 'health.interval': '50ms', 'health.timeout': '300ms' });
  let calls = 0;
  agent.health.register('slow', () => {
    calls += 1;
    return new Promise(() => undefined);
  });
  await until(() => calls >= 2);
  const response = await fetch(`${url}/healthz`);
  const { failed_checks: failed } = (await response.json()) as {
    failed_checks: readonly { readonly reason: string }[];
  };
  // On a slow machine the request comes after the deadline of the second call.
  t.regex(
    failed[0]?.reason ?? '',
    /^(?:timed out after 300ms|not checked: 2 earlier checks are still running)$/,
  );
});

test('a stop does not wait for a check in the background, and aborts and forgets it', async (t) => {
  const { agent } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    'health.interval': '20ms',
    'health.timeout': '1h',
  });
  let aborted: unknown;
  let calls = 0;
  agent.health.register('hangs', (signal) => {
    calls += 1;
    signal.addEventListener('abort', () => (aborted = signal.reason));
    return new Promise(() => undefined);
  });
  await until(() => calls === 1);
  await agent.stop();
  t.like(aborted, { code: 'AGENT_STOPPED', message: 'the agent is stopping' });
  t.deepEqual((await agent.health.run()).failedChecks, []);
});

test('no checks run when the agent does not start', async (t) => {
  const { port } = await startAgent(t);
  const settings = defineSettings(
    {
      'operations.listenAddress': `127.0.0.1:${port}`,
      'logging.spec': 'fatal',
      'health.interval': '10ms',
    },
    process.cwd(),
  );
  const agent = await createAgent(settings);
  let calls = 0;
  agent.health.register('counted', () => void (calls += 1));
  await t.throwsAsync(agent.start(), { code: 'LISTEN_FAILED' });
  await wait(50);
  t.is(calls, 0);
});
