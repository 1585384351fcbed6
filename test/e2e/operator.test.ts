// An operator beside a peer, from top to bottom: the peer's own core.yaml over mutual TLS, an outage of the Docker engine as Prometheus
// sees it, a look at debug lines, a renewed certificate, the end.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseDocument } from 'yaml';
import { Authority, type Leaf } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { type RunningProgram, startProgram, urlOf } from '../helpers/program.js';
import { askTls, clientOptions, type TlsAnswer } from '../helpers/tls-client.js';
import { check, eventually, type Daemon } from './daemon.js';
import { pingSocket, startEngine } from './engine.js';
import { job, startPrometheus, type Prometheus } from './prometheus.js';

const PEER = readFileSync('config/peer.yaml', 'utf8');
/** Two minutes are long for a test. */
const ALERTS = readFileSync('config/deploy/prometheus/alerts.yaml', 'utf8').replaceAll('for: 2m', 'for: 2s');
const DOCKER = 'health_check_status{component="docker"}';

/** Everything that is there before the agent. */
interface Place {
  readonly t: ExecutionContext;
  readonly folder: string;
  readonly socket: string;
  readonly authority: Authority;
  readonly operator: Leaf;
}

interface Story extends Place {
  readonly agent: RunningProgram;
  readonly prometheus: Prometheus;
  /** Asks the agent; with the operator's certificate unless told otherwise. */
  readonly ask: (path: string, request?: { spec?: string; isStranger?: boolean }) => Promise<TlsAnswer>;
}

test('beside a peer: an outage of its engine, debug lines and back, a new certificate, the end', async (t) => {
  const place = preparePlace(t);
  const engine = await startDocker(place);
  const story = await begin(place);

  await allIsWell(story);
  await theEngineDies(story, engine);
  await theEngineComesBack(story);
  await theOutageIsOnRecord(story);
  await strangersAreRefused(story);
  await theLogLevelIsRaisedAndRestored(story);
  await theCertificateIsRenewed(story);
  await theAgentIsStopped(story);
});

/** Certificates, and the peer's core.yaml with TLS on and an engine of the test's own. */
function preparePlace(t: ExecutionContext): Place {
  const folder = temporaryFolder(t);
  const socket = join(folder, 'docker.sock');
  const authority = new Authority(folder, 'ca');
  const { cert, key } = authority.issue('agent', 'serverAuth');
  const core = parseDocument(PEER);
  core.setIn(['vm', 'endpoint'], `unix://${socket}`);
  core.setIn(['operations', 'tls', 'enabled'], true);
  core.setIn(['operations', 'tls', 'cert', 'file'], basename(cert));
  core.setIn(['operations', 'tls', 'key', 'file'], basename(key));
  core.setIn(['operations', 'tls', 'clientRootCAs', 'files'], [basename(authority.cert)]);
  writeFileSync(join(folder, 'core.yaml'), core.toString());
  return { t, folder, socket, authority, operator: authority.issue('operator', 'clientAuth') };
}

const startDocker = ({ t, folder, socket }: Place): Promise<Daemon> =>
  startEngine(t, folder, [`--host=unix://${socket}`], () => pingSocket(socket));

/** Starts the agent, asks it once, as a probe would, and lets Prometheus scrape it. */
async function begin(place: Place): Promise<Story> {
  const { t, folder, authority, operator } = place;
  const own = ['--set', 'operations.listenAddress=127.0.0.1:0'];
  const agent = startProgram(t, ['start', '--config', join(folder, 'core.yaml'), ...own]);
  const url = await urlOf(agent);
  const port = Number(new URL(url).port);
  const ask: Story['ask'] = (path, { spec, isStranger = false } = {}) =>
    askTls(port, path, {
      ...clientOptions(authority.cert, isStranger ? undefined : operator),
      ...(spec !== undefined && { method: 'PUT', requestBody: JSON.stringify({ spec }) }),
    });
  t.is((await ask('/healthz', { isStranger: true })).status, 200);
  const client = authority.issue('prometheus', 'clientAuth');
  const scraped = job('fabric-ops-agent', url, { ca: authority.cert, client });
  return { ...place, agent, ask, prometheus: await startPrometheus(t, [scraped], ALERTS) };
}

async function allIsWell({ t, ask, prometheus }: Story): Promise<void> {
  t.is((await ask('/healthz')).status, 200);
  await eventually(async () => check((await prometheus.query(DOCKER)) === '1', 'not scraped yet'));
  t.deepEqual(await firing(prometheus), []);
}

async function theEngineDies({ t, ask, agent, prometheus, socket }: Story, engine: Daemon): Promise<void> {
  const reason = `failed to connect to Docker daemon at unix://${socket}: connection refused`;
  await engine.stop('SIGKILL');
  const answer = await ask('/healthz', { isStranger: true });
  t.is(answer.status, 503);
  const { failed_checks: failed } = JSON.parse(answer.body) as { failed_checks: unknown };
  t.deepEqual(failed, [{ component: 'docker', reason }]);
  const [line] = await agent.line(/WARN \[health\].*/);
  t.true(line.endsWith(`docker is not healthy: ${reason}`), line);
  await eventually(async () =>
    check((await firing(prometheus)).length > 0, 'the alert does not fire although the engine is away'),
  );
  t.deepEqual(await firing(prometheus), ['FabricHealthCheckFailing of docker']);
}

async function theEngineComesBack(story: Story): Promise<void> {
  const { t, ask, agent, prometheus } = story;
  await startDocker(story);
  t.is((await ask('/healthz')).status, 200);
  await agent.line(/INFO \[health\].* -> docker is healthy again/);
  await eventually(async () =>
    check((await firing(prometheus)).length === 0, 'the alert fires although the engine is back'),
  );
}

/** What is asked on the day after. */
async function theOutageIsOnRecord({ t, prometheus: { query } }: Story): Promise<void> {
  t.is(await query(`min_over_time(${DOCKER}[10m])`), '0');
  t.is(await query(`changes(${DOCKER}[10m])`), '2');
  t.is(await query(DOCKER), '1');
  t.is(await query('health_check_failures_total{component="docker"}'), '1');
  const alert = 'ALERTS{alertname="FabricHealthCheckFailing",component="docker",alertstate="firing"}';
  t.true(Number(await query(`count_over_time(${alert}[10m])`)) > 0);
}

async function strangersAreRefused({ t, ask, agent }: Story): Promise<void> {
  for (const request of [{ isStranger: true }, { isStranger: true, spec: 'debug' }]) {
    const { status, body } = await ask('/logspec', request);
    t.is(status, 401);
    t.is(body, '{"error":"a verified client certificate is required, but none was sent"}\n');
  }
  t.is((await ask('/logspec')).body, '{"spec":"info"}\n');
  t.false(agent.stderr().includes(' DEBU '));
}

async function theLogLevelIsRaisedAndRestored({ t, ask, agent }: Story): Promise<void> {
  t.is((await ask('/logspec', { spec: 'debug' })).status, 204);
  t.is((await ask('/logspec')).body, '{"spec":"debug"}\n');
  t.is((await ask('/healthz')).status, 200);
  await agent.line(/DEBU \[health\].* -> docker checked in \d+\.\dms: healthy\n/);
  await agent.line(/DEBU \[operations\].* -> GET \/healthz: 200 in \d+\.\dms client="O=Test,CN=operator" /);
  await agent.line(/DEBU \[operations\].* -> GET \/metrics: 200 in \d+\.\dms client="O=Test,CN=prometheus" /);

  t.is((await ask('/logspec', { spec: 'info' })).status, 204);
  t.is((await ask('/logspec')).body, '{"spec":"info"}\n');
  await agent.line(/specification changes from 'info' to 'debug' client="O=Test,CN=operator"\n/);
  await agent.line(/specification changes from 'debug' to 'info' client="O=Test,CN=operator"\n/);
}

async function theCertificateIsRenewed({ t, ask, agent, authority, prometheus }: Story): Promise<void> {
  const before = await ask('/version');
  authority.issue('agent', 'serverAuth');
  t.true(agent.child.kill('SIGHUP'));
  await agent.line(/INFO \[operations\].* -> certificates reloaded/);
  const after = await ask('/version');
  t.is(after.status, 200);
  t.not(after.serial, before.serial);
  t.is(await prometheus.query('up'), '1');
}

async function theAgentIsStopped({ t, agent, prometheus }: Story): Promise<void> {
  t.true(agent.child.kill('SIGTERM'));
  const { status, stdout, stderr } = await agent.ended;
  t.is(status, 0);
  t.is(stdout, '');
  const [, afterReload = ''] = stderr.split('certificates reloaded');
  t.regex(afterReload, /INFO \[operations\].* -> stopping\n.*INFO \[operations\].* -> stopped\n$/);
  t.false(afterReload.includes(' DEBU '), 'the log level was restored');
  await eventually(async () =>
    check((await firing(prometheus)).includes('FabricOpsAgentDown'), 'the alert does not fire'),
  );
}

/** The alerts that fire now, with the component that they are about. */
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
