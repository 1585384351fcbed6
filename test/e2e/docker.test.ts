// The docker checker against a real engine, in the built program.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Authority, type Leaf } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram } from '../helpers/program.js';
import { freePort, startDaemon, type Daemon } from './daemon.js';

test('/healthz follows a Docker engine on a unix socket that dies, comes back and is stopped', async (t) => {
  const folder = temporaryFolder(t);
  const socket = join(folder, 'docker.sock');
  const failed = `failed to connect to Docker daemon at unix://${socket}`;
  const url = await startAgentFor(t, `vm: { endpoint: 'unix://${socket}' }`);

  t.deepEqual(await healthOf(url), [503, [{ component: 'docker', reason: `${failed}: no such file` }]]);

  const first = await startEngine(t, folder, [`--host=unix://${socket}`], () => pingSocket(socket));
  t.deepEqual(await healthOf(url), [200, undefined]);

  await first.stop('SIGKILL');
  t.deepEqual(await healthOf(url), [503, [{ component: 'docker', reason: `${failed}: connection refused` }]]);

  const second = await startEngine(t, folder, [`--host=unix://${socket}`], () => pingSocket(socket));
  t.deepEqual(await healthOf(url), [200, undefined]);

  await second.stop('SIGTERM');
  t.deepEqual(await healthOf(url), [503, [{ component: 'docker', reason: `${failed}: no such file` }]]);
});

test('an engine that verifies clients is healthy with a client certificate and says what is wrong without', async (t) => {
  const folder = temporaryFolder(t);
  const authority = new Authority(folder, 'engine-ca');
  const server = authority.issue('engine', 'serverAuth');
  const client = authority.issue('agent', 'clientAuth');
  const port = await freePort();
  const endpoint = `tcp://127.0.0.1:${port}`;
  const failed = `failed to connect to Docker daemon at ${endpoint}`;
  const tls = ['--tlsverify', `--tlscacert=${authority.cert}`, `--tlscert=${server.cert}`];
  await startEngine(t, folder, [`--host=${endpoint}`, ...tls, `--tlskey=${server.key}`], () =>
    canConnect(port),
  );

  const trusted = await startAgentFor(t, vmOverTls(endpoint, authority.cert, client));
  t.deepEqual(await healthOf(trusted), [200, undefined]);

  const withoutKey = await startAgentFor(
    t,
    `plugins: [{ plugin: docker, options: { endpoint: '${endpoint}', ca: '${authority.cert}' } }]`,
  );
  t.deepEqual(await healthOf(withoutKey), [
    503,
    [{ component: 'docker', reason: `${failed}: it wants a client certificate` }],
  ]);

  const other = new Authority(folder, 'other-ca');
  const foreign = await startAgentFor(
    t,
    vmOverTls(endpoint, authority.cert, other.issue('agent', 'clientAuth')),
  );
  t.deepEqual(await healthOf(foreign), [
    503,
    [{ component: 'docker', reason: `${failed}: it does not accept the client certificate` }],
  ]);

  const plain = await startAgentFor(t, `vm: { endpoint: '${endpoint}' }`);
  t.deepEqual(await healthOf(plain), [
    503,
    [
      {
        component: 'docker',
        reason: `${failed}: it answered 400: Client sent an HTTP request to an HTTPS server.`,
      },
    ],
  ]);
});

function vmOverTls(endpoint: string, ca: string, { cert, key }: Leaf): string {
  return [
    'vm:',
    `  endpoint: '${endpoint}'`,
    `  docker: { tls: { enabled: true, ca: { file: '${ca}' }, cert: { file: '${cert}' }, key: { file: '${key}' } } }`,
  ].join('\n');
}

/** Starts the program with a configuration, on a free port; the result is its address. */
async function startAgentFor(t: ExecutionContext, configuration: string): Promise<string> {
  const folder = temporaryFolder(t, {
    'agent.yaml': `operations: { listenAddress: '127.0.0.1:0' }\n${configuration}\n`,
  });
  const agent = startProgram(t, ['start', '--config', join(folder, 'agent.yaml')]);
  return (await agent.line(/serving on (http:\S+)/))[1] ?? '';
}

/** Status and failed checks of `/healthz`. */
async function healthOf(url: string): Promise<[number, unknown]> {
  const reply = await fetch(`${url}/healthz`);
  const { failed_checks } = (await reply.json()) as { failed_checks?: unknown };
  return [reply.status, failed_checks];
}

/** Starts an engine that keeps to its folder and leaves the network of the machine alone. */
async function startEngine(
  t: ExecutionContext,
  folder: string,
  args: readonly string[],
  isReady: () => Promise<unknown>,
): Promise<Daemon> {
  const data = join(folder, 'data');
  // An engine that was killed leaves its data folder mounted on itself.
  t.teardown(() => spawnSync('umount', [data]));
  // Each start has a folder of its own for its state: one that finds the state of an engine that was killed may wait for
  // what is left of that one's containerd.
  const own = [`--data-root=${data}`, `--exec-root=${mkdtempSync(join(folder, 'exec-'))}`];
  const rest = [`--pidfile=${join(folder, 'pid')}`, '--iptables=false', '--ip6tables=false', '--bridge=none'];
  return startDaemon(t, 'dockerd', [...own, ...rest, ...args], isReady);
}

function pingSocket(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/_ping' }, (answer) => {
      answer.resume();
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error('not ready'))));
    })
      .on('error', reject)
      .end();
  });
}

function canConnect(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}
