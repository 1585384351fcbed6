// The agent of a peer, with the peer's core.yaml and mutual TLS: an outage of the Docker engine as seen by Prometheus, debug lines, a
// renewed certificate, shutdown.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { parseDocument } from 'yaml';
import { TestCa, type Leaf } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { type RunningProgram, startProgram, urlOf } from '../helpers/program.js';
import { sendTlsRequest, clientOptions, type TlsAnswer } from '../helpers/tls-client.js';
import { check, eventually, type Daemon } from './daemon.js';
import { pingSocket, startEngine } from './engine.js';
import { job, startPrometheus, type Prometheus } from './prometheus.js';

const PEER = readFileSync('config/peer.yaml', 'utf8');
/** The real rules wait for two minutes. */
const ALERTS = readFileSync('config/deploy/prometheus/alerts.yaml', 'utf8').replaceAll('for: 2m', 'for: 2s');
const DOCKER = 'fabric_ops_agent_health_check_status{component="docker"}';

/** Everything that the agent needs. */
interface Fixture {
  readonly t: ExecutionContext;
  readonly directory: string;
  readonly socket: string;
  readonly ca: TestCa;
  readonly operator: Leaf;
}

interface Running extends Fixture {
  readonly agent: RunningProgram;
  readonly prometheus: Prometheus;
  /** Sends a request with the operator's certificate, or without a certificate. */
  readonly request: (
    path: string,
    options?: { spec?: string; withoutCertificate?: boolean },
  ) => Promise<TlsAnswer>;
}

test('the agent of a peer: engine outage, debug lines, renewed certificate, shutdown', async (t) => {
  const fixture = prepareFixture(t);
  const engine = await startDocker(fixture);
  const running = await begin(fixture);

  await expectHealthy(running);
  await stopEngine(running, engine);
  await restartEngine(running);
  await expectOutageInPrometheus(running);
  await expectUnauthorized(running);
  await changeLogLevel(running);
  await renewCertificate(running);
  await stopAgent(running);
});

/** Writes certificates and a core.yaml with TLS and an engine socket in a temporary directory. */
function prepareFixture(t: ExecutionContext): Fixture {
  const directory = temporaryFolder(t);
  const socket = join(directory, 'docker.sock');
  const ca = new TestCa(directory, 'ca');
  const { cert, key } = ca.issue('agent', 'serverAuth');
  const core = parseDocument(PEER);
  core.setIn(['vm', 'endpoint'], `unix://${socket}`);
  core.setIn(['operations', 'tls', 'enabled'], true);
  core.setIn(['operations', 'tls', 'cert', 'file'], basename(cert));
  core.setIn(['operations', 'tls', 'key', 'file'], basename(key));
  core.setIn(['operations', 'tls', 'clientRootCAs', 'files'], [basename(ca.cert)]);
  writeFileSync(join(directory, 'core.yaml'), core.toString());
  return { t, directory, socket, ca, operator: ca.issue('operator', 'clientAuth') };
}

const startDocker = ({ t, directory, socket }: Fixture): Promise<Daemon> =>
  startEngine(t, directory, [`--host=unix://${socket}`], () => pingSocket(socket));

/** Starts the agent, probes it once without a certificate, and starts a Prometheus that scrapes it. */
async function begin(fixture: Fixture): Promise<Running> {
  const { t, directory, ca, operator } = fixture;
  const own = [
    'operations.listenAddress=127.0.0.1:0',
    'health.cacheFor=0s',
    // The failures are counted.
    'health.interval=1h',
  ].flatMap((setting) => ['--set', setting]);
  const agent = startProgram(t, ['start', '--config', join(directory, 'core.yaml'), ...own]);
  const url = await urlOf(agent);
  const port = Number(new URL(url).port);
  const request: Running['request'] = (path, { spec, withoutCertificate = false } = {}) =>
    sendTlsRequest(port, path, {
      ...clientOptions(ca.cert, withoutCertificate ? undefined : operator),
      ...(spec !== undefined && { method: 'PUT', requestBody: JSON.stringify({ spec }) }),
    });
  t.is((await request('/healthz', { withoutCertificate: true })).status, 200);
  const client = ca.issue('prometheus', 'clientAuth');
  const scraped = job('fabric-ops-agent', url, { ca: ca.cert, client });
  return { ...fixture, agent, request, prometheus: await startPrometheus(t, [scraped], ALERTS) };
}

async function expectHealthy({ t, request, prometheus }: Running): Promise<void> {
  t.is((await request('/healthz')).status, 200);
  await eventually(async () => check((await prometheus.query(DOCKER)) === '1', 'not scraped yet'));
  // On a slow machine the first scrapes can time out, which fires an alert for a moment.
  await firesExactly(prometheus, []);
}

async function stopEngine({ t, request, agent, prometheus, socket }: Running, engine: Daemon): Promise<void> {
  const reason = `failed to connect to Docker daemon at unix://${socket}: connection refused`;
  await engine.stop('SIGKILL');
  const response = await request('/healthz', { withoutCertificate: true });
  t.is(response.status, 503);
  const { failed_checks: failed } = JSON.parse(response.body) as { failed_checks: unknown };
  t.deepEqual(failed, [{ component: 'docker', reason }]);
  const [line] = await agent.line(/WARN \[health\].*/);
  t.true(line.endsWith(`docker is not healthy: ${reason}`), line);
  await firesExactly(prometheus, ['FabricHealthCheckFailing of docker']);
}

async function restartEngine(running: Running): Promise<void> {
  const { t, request, agent, prometheus } = running;
  await startDocker(running);
  t.is((await request('/healthz')).status, 200);
  await agent.line(/INFO \[health\].* -> docker is healthy again/);
  await firesExactly(prometheus, []);
  // A failed scrape ends the alert too.
  await eventually(async () => check((await prometheus.query(DOCKER)) === '1', 'not scraped since'));
}

async function expectOutageInPrometheus({ t, prometheus: { query } }: Running): Promise<void> {
  t.is(await query(`min_over_time(${DOCKER}[10m])`), '0');
  t.is(await query(`changes(${DOCKER}[10m])`), '2');
  t.is(await query(DOCKER), '1');
  t.is(await query('fabric_ops_agent_health_check_failures_total{component="docker"}'), '1');
  const alert = 'ALERTS{alertname="FabricHealthCheckFailing",component="docker",alertstate="firing"}';
  t.true(Number(await query(`count_over_time(${alert}[10m])`)) > 0);
}

async function expectUnauthorized({ t, request, agent }: Running): Promise<void> {
  for (const options of [{ withoutCertificate: true }, { withoutCertificate: true, spec: 'debug' }]) {
    const { status, body } = await request('/logspec', options);
    t.is(status, 401);
    t.is(body, '{"error":"a verified client certificate is required, but none was sent"}\n');
  }
  t.is((await request('/logspec')).body, '{"spec":"info"}\n');
  t.false(agent.stderr().includes(' DEBU '));
}

async function changeLogLevel({ t, request, agent }: Running): Promise<void> {
  t.is((await request('/logspec', { spec: 'debug' })).status, 204);
  t.is((await request('/logspec')).body, '{"spec":"debug"}\n');
  t.is((await request('/healthz')).status, 200);
  await agent.line(/DEBU \[health\].* -> docker checked in \d+\.\dms: healthy\n/);
  await agent.line(/DEBU \[operations\].* -> GET \/healthz: 200 in \d+\.\dms client="O=Test,CN=operator" /);
  await agent.line(/DEBU \[operations\].* -> GET \/metrics: 200 in \d+\.\dms client="O=Test,CN=prometheus" /);

  t.is((await request('/logspec', { spec: 'info' })).status, 204);
  t.is((await request('/logspec')).body, '{"spec":"info"}\n');
  await agent.line(/specification changes from 'info' to 'debug' client="O=Test,CN=operator"\n/);
  await agent.line(/specification changes from 'debug' to 'info' client="O=Test,CN=operator"\n/);
}

async function renewCertificate({ t, request, agent, ca, prometheus }: Running): Promise<void> {
  const before = await request('/version');
  ca.issue('agent', 'serverAuth');
  t.true(agent.child.kill('SIGHUP'));
  await agent.line(/INFO \[operations\].* -> certificates reloaded/);
  const after = await request('/version');
  t.is(after.status, 200);
  t.not(after.serial, before.serial);
  await eventually(async () => check((await prometheus.query('up')) === '1', 'the scrapes fail'));
}

async function stopAgent({ t, agent, prometheus }: Running): Promise<void> {
  t.true(agent.child.kill('SIGTERM'));
  const { status, stdout, stderr } = await agent.ended;
  t.is(status, 0);
  t.is(stdout, '');
  const [, afterReload = ''] = stderr.split('certificates reloaded');
  t.regex(afterReload, /INFO \[operations\].* -> stopping\n.*INFO \[operations\].* -> stopped\n$/);
  t.false(afterReload.includes(' DEBU '), 'the log level was restored');
  await firesExactly(prometheus, ['FabricOpsAgentDown']);
}

/** Waits until exactly these alerts fire. */
async function firesExactly(prometheus: Prometheus, expected: string[]): Promise<void> {
  await eventually(async () => {
    const found = await firing(prometheus);
    check(isDeepStrictEqual(found, expected), `${found.join()} fires instead of ${expected.join()}`);
  });
}

/** The firing alerts with their component. */
async function firing({ get }: Prometheus): Promise<string[]> {
  const { alerts } = (await get('alerts')) as {
    alerts: readonly { state: string; labels: { alertname: string; component?: string } }[];
  };
  return alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels: { alertname, component } }) =>
      component === undefined ? alertname : `${alertname} of ${component}`,
    );
}
