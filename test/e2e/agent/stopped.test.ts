// The agent itself does not run for a while, as on a host without CPU.

import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { pluginSource, serveProject } from '../../helpers/plugin-program.js';
import { startStandInNode } from '../../helpers/stand-in-node.js';
import { until } from '../../helpers/until.js';

/** How long the agent is stopped, and then observed, in milliseconds. Checks have a deadline of 10 s. */
const STOPPED = 15_000;
const OBSERVED = 20_000;

/** How long the node takes to respond, in milliseconds. The agent waits 3 s for a version. */
const DELAYS: Readonly<Record<string, number>> = { '/healthz': 5_500, '/version': 2_000, '/metrics': 900 };

/** A check that takes 5 s, which is more than the time between the ends of two runs. */
const SLOW = `return {
  async check() {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  },
};`;

test('after the agent was stopped for 15 s no check fails, no node is down, and a warning says that it was late', async (t) => {
  const node = await startStandInNode(t);
  // A node that checks itself for long; the agent nearly always waits for a response.
  node.override = ({ url }, response) => {
    const [type, body] =
      url === '/metrics' ? ['text/plain; version=0.0.4', 'up 1\n'] : ['application/json', '{"status":"OK"}'];
    response.setHeader('Content-Type', type);
    setTimeout(() => response.end(body), DELAYS[url] ?? 0);
  };
  const { host } = new URL(node.url);
  const { url, child } = await serveProject(t, {
    files: {
      'slow.js': pluginSource('checker', 'slow', SLOW),
      'core.yaml': `peer: { id: peer0 }\noperations: { listenAddress: '${host}' }\nmetrics: { provider: prometheus }\n`,
    },
    settings: {
      health: { interval: '6s' },
      nodes: [{ config: 'core.yaml' }],
      plugins: [{ plugin: 'prometheus' }, { plugin: './slow.js' }],
    },
  });
  const get = async (path: string): Promise<Response> => fetch(`${url}${path}`);
  t.is((await get('/healthz')).status, 200);
  // Not at the end of a run: the next one has begun.
  await wait(6_500);
  child.kill('SIGSTOP');
  await wait(STOPPED);
  child.kill('SIGCONT');
  const end = performance.now() + OBSERVED;
  while (performance.now() < end) {
    const response = await get('/healthz');
    t.is(response.status, 200, await response.text());
    t.is((await get('/readyz')).status, 200);
    await wait(200);
  }
  await until(async () => {
    const { warnings } = (await (await get('/nodes')).json()) as {
      warnings: { component: string; reason: string }[];
    };
    return warnings.some(
      ({ component, reason }) =>
        component === 'agent' && /^the agent was late by 1[4-9]s in the last minute: /.test(reason),
    );
  });
  const metrics = await (await get('/metrics')).text();
  t.regex(metrics, /^fabric_ops_agent_source_up\{node="peer0"\} 1$/m);
  const failures = metrics.match(/^fabric_ops_agent_(?:health_check|source)_failures_total\{.*$/gm) ?? [];
  t.deepEqual(
    failures.filter((line) => !line.endsWith(' 0')),
    [],
  );
});
