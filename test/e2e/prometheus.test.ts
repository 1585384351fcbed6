// A real Prometheus scrapes the built program; the tests read its query API.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { TestCa } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram, urlOf } from '../helpers/program.js';
import { readBuildInfo } from '../../core/common/files/build-info.js';
import { check, eventually } from './daemon.js';
import { job, startPrometheus } from './prometheus.js';
import { findProgram } from './provision.js';

/** The metrics that Prometheus adds for each target. */
const ADDED = /^(up|scrape_.*)$/;

const FAILING = 'unix:///no-such-directory/docker.sock';
const HEALTHY_CHECKER = `export default {
  apiVersion: 1, kind: 'checker', name: 'always', options: {}, create: () => ({ check() {} }),
};
`;

test.serial(
  'Prometheus scrapes the agent and stores its values under the names of the text format',
  async (t) => {
    const agent = await startAgentWith(t, []);
    t.is((await fetch(`${agent}/healthz`)).status, 503);
    const change = await fetch(`${agent}/logspec`, { method: 'PUT', body: '{"spec":"info"}' });
    t.is(change.status, 204);

    const { query, get } = await startPrometheus(t, [job('agent', agent)]);
    await eventually(async () => check((await query('up{job="agent"}')) === '1', 'not scraped yet'));

    t.is(await query('fabric_ops_agent_health_check_status{component="docker"}'), '0');
    t.is(await query('fabric_ops_agent_health_check_status{component="always"}'), '1');
    t.is(await query('fabric_ops_agent_health_check_failures_total{component="docker"}'), '1');
    t.is(await query(`fabric_ops_agent_version{version="${readBuildInfo().version}"}`), '1');
    // The start message and the change of the log specification; the failed check is a warning.
    t.is(await query('fabric_ops_agent_logging_entries_written{level="info"}'), '2');
    t.is(await query('fabric_ops_agent_logging_entries_checked{level="warn"}'), '1');

    const text = await (await fetch(`${agent}/metrics`)).text();
    const names = [...text.matchAll(/^([a-z]\w*)[ {]/gm)].map(([, name = '']) => name);
    const known = (await get('label/__name__/values')) as string[];
    const stored = known.filter((name) => !ADDED.test(name));
    t.deepEqual(stored.toSorted(), [...new Set(names)].toSorted());
  },
);

test.serial('Prometheus scrapes over TLS with a client certificate and gets 401 without one', async (t) => {
  const directory = temporaryFolder(t);
  const ca = new TestCa(directory, 'ca');
  const server = ca.issue('agent', 'serverAuth');
  const client = ca.issue('prometheus', 'clientAuth');
  const agent = await startAgentWith(t, [
    `  tls: { enabled: true, cert: { file: '${server.cert}' }, key: { file: '${server.key}' },`,
    `    clientRootCAs: { files: ['${ca.cert}'] } }`,
  ]);

  const { query, get } = await startPrometheus(t, [
    job('trusted', agent, { ca: ca.cert, client }),
    job('untrusted', agent, { ca: ca.cert }),
  ]);
  await eventually(async () => check((await query('count(up)')) === '2', 'not scraped both yet'));

  t.is(await query('up{job="trusted"}'), '1');
  t.is(await query('fabric_ops_agent_version{job="trusted"}'), '1');
  t.true(Number(await query('fabric_ops_agent_tls_certificate_expiry_timestamp_seconds{role="server"}')) > 0);
  t.is(await query('up{job="untrusted"}'), '0');
  const errors = await eventually(async () => {
    const { activeTargets } = (await get('targets')) as {
      activeTargets: { scrapePool: string; lastError: string }[];
    };
    const found = activeTargets.map(({ scrapePool, lastError }) => [scrapePool, lastError] as const);
    // On a busy machine a scrape can take longer than Prometheus waits.
    check(!found.some(([, error]) => error.includes('deadline exceeded')), 'a scrape took too long');
    return Object.fromEntries(found);
  });
  t.deepEqual(errors, { trusted: '', untrusted: 'server returned HTTP status 401 Unauthorized' });
});

test.serial('promtool reports only metric names of Fabric nodes and of Node.js', async (t) => {
  const agent = await startAgentWith(t, []);
  await fetch(`${agent}/healthz`);
  const text = await (await fetch(`${agent}/metrics`)).text();

  const { stdout, stderr } = spawnSync(findProgram('promtool') ?? '', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });

  t.is(stdout, '');
  t.deepEqual(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.replace(/^fabric_ops_agent_nodejs_active_\w+/, 'fabric_ops_agent_nodejs_active_*')),
    [
      'fabric_ops_agent_logging_entries_checked counter metrics should have "_total" suffix',
      'fabric_ops_agent_logging_entries_written counter metrics should have "_total" suffix',
      ...Array.from({ length: 3 }).fill(
        'fabric_ops_agent_nodejs_active_* non-counter metrics should not have "_total" suffix',
      ),
    ],
  );
});

/** Starts the program with a failing checker and a healthy one; returns its address. */
async function startAgentWith(t: ExecutionContext, operations: readonly string[]): Promise<string> {
  const directory = temporaryFolder(t, {
    'always.js': HEALTHY_CHECKER,
    'package.json': '{"type":"module"}',
    'agent.yaml': [
      'operations:',
      "  listenAddress: '127.0.0.1:0'",
      ...operations,
      'metrics: { provider: prometheus }',
      // The checks run once, when the agent starts.
      'health: { cacheFor: 1h, interval: 1h }',
      `vm: { endpoint: '${FAILING}' }`,
      'plugins: [{ plugin: ./always.js }]',
    ].join('\n'),
  });
  const agent = startProgram(t, ['start', '--config', join(directory, 'agent.yaml')]);
  return urlOf(agent);
}
