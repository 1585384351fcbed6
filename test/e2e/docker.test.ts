// The docker checker against a real engine, in the built program.

import { connect } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { healthOf } from '../helpers/agent-endpoints.js';
import { TestCa, type Leaf } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram, urlOf } from '../helpers/program.js';
import { freePort } from '../helpers/free-port.js';
import { pingSocket, startEngine } from './engine.js';

test.serial(
  '/healthz reports when a Docker engine on a unix socket crashes, restarts and stops',
  async (t) => {
    const directory = temporaryFolder(t);
    const socket = join(directory, 'docker.sock');
    const failed = `failed to connect to Docker daemon at unix://${socket}`;
    const url = await startAgentFor(t, `vm: { endpoint: 'unix://${socket}' }`);

    t.deepEqual(await healthOf(url), { status: 503, failed: { docker: `${failed}: no such file` } });

    const first = await startEngine(t, directory, [`--host=unix://${socket}`], () => pingSocket(socket));
    t.deepEqual(await healthOf(url), { status: 200, failed: {} });

    await first.stop('SIGKILL');
    t.deepEqual(await healthOf(url), { status: 503, failed: { docker: `${failed}: connection refused` } });

    const second = await startEngine(t, directory, [`--host=unix://${socket}`], () => pingSocket(socket));
    t.deepEqual(await healthOf(url), { status: 200, failed: {} });

    await second.stop('SIGTERM');
    t.deepEqual(await healthOf(url), { status: 503, failed: { docker: `${failed}: no such file` } });
  },
);

test.serial('an engine that requires client certificates: healthy with one, a reason without', async (t) => {
  const directory = temporaryFolder(t);
  const engineCa = new TestCa(directory, 'engine-ca');
  const server = engineCa.issue('engine', 'serverAuth');
  const client = engineCa.issue('agent', 'clientAuth');
  const port = await freePort();
  const endpoint = `tcp://127.0.0.1:${port}`;
  const failed = `failed to connect to Docker daemon at ${endpoint}`;
  const tls = ['--tlsverify', `--tlscacert=${engineCa.cert}`, `--tlscert=${server.cert}`];
  await startEngine(t, directory, [`--host=${endpoint}`, ...tls, `--tlskey=${server.key}`], () =>
    canConnect(port),
  );

  const trusted = await startAgentFor(t, vmOverTls(endpoint, engineCa.cert, client));
  t.deepEqual(await healthOf(trusted), { status: 200, failed: {} });

  const withoutKey = await startAgentFor(
    t,
    `plugins: [{ plugin: docker, options: { endpoint: '${endpoint}', ca: '${engineCa.cert}' } }]`,
  );
  t.deepEqual(await healthOf(withoutKey), {
    status: 503,
    failed: { docker: `${failed}: it requires a client certificate` },
  });

  const other = new TestCa(directory, 'other-ca');
  const foreign = await startAgentFor(
    t,
    vmOverTls(endpoint, engineCa.cert, other.issue('agent', 'clientAuth')),
  );
  t.deepEqual(await healthOf(foreign), {
    status: 503,
    failed: { docker: `${failed}: it rejected the client certificate` },
  });

  const plain = await startAgentFor(t, `vm: { endpoint: '${endpoint}' }`);
  t.deepEqual(await healthOf(plain), {
    status: 503,
    failed: { docker: `${failed}: HTTP status 400: Client sent an HTTP request to an HTTPS server.` },
  });
});

function vmOverTls(endpoint: string, ca: string, { cert, key }: Leaf): string {
  return [
    'vm:',
    `  endpoint: '${endpoint}'`,
    `  docker: { tls: { enabled: true, ca: { file: '${ca}' }, cert: { file: '${cert}' }, key: { file: '${key}' } } }`,
  ].join('\n');
}

/** Starts the program with a configuration on a free port; the result is its URL. */
async function startAgentFor(t: ExecutionContext, configuration: string): Promise<string> {
  const directory = temporaryFolder(t, {
    'agent.yaml': `operations: { listenAddress: '127.0.0.1:0' }\nhealth: { cacheFor: 0s }\n${configuration}\n`,
  });
  const agent = startProgram(t, ['start', '--config', join(directory, 'agent.yaml')]);
  return urlOf(agent);
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
