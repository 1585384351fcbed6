// The endpoint in the environment of the process, as dockerode reads it. Serial: all tests share the environment.

import { createServer } from 'node:http';
import { mkdirSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CheckWarning } from '../../../../core/contract/index.js';
import { TestCa } from '../../../helpers/certificates.js';
import { engineOnPort, engineOnSocket, engineOverTls, ok } from '../../../helpers/engine.js';
import { freePort } from '../../../helpers/free-port.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { startProgram, urlOf } from '../../../helpers/program.js';
import { createChecker, reasonFor } from './checker.js';

/** Sets variables until the end of the test. */
function setEnvironment(t: ExecutionContext, variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables);
  t.teardown(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
}

test.serial('without an endpoint the engine of DOCKER_HOST is checked', async (t) => {
  for (const host of [await engineOnSocket(t, ok), `tcp://${await engineOnPort(t, ok)}`]) {
    setEnvironment(t, { DOCKER_HOST: host });
    t.is(await reasonFor(t, {}), undefined);
  }
});

/** Starts an engine on a socket; the result stops it. */
async function startEngine(path: string): Promise<() => Promise<void>> {
  const server = createServer(ok);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return () => new Promise((resolve) => server.close(() => resolve()));
}

test.serial(
  'without an endpoint an engine that has never run is a warning, and one that has stopped a failure',
  async (t) => {
    const path = `${temporaryFolder(t)}/docker.sock`;
    setEnvironment(t, { DOCKER_HOST: `unix://${path}` });
    const checker = await createChecker(t, {});
    const check = async (): Promise<void> => checker.check(new AbortController().signal);
    const reason = `failed to connect to Docker daemon at unix://${path}: no such file`;
    await t.throwsAsync(check, {
      instanceOf: CheckWarning,
      message: `${reason}; no engine has run there since the start of the agent`,
    });
    const stop = await startEngine(path);
    await t.notThrowsAsync(check);
    await stop();
    const error = await t.throwsAsync(check, { message: reason });
    t.false(error instanceof CheckWarning);
  },
);

test.serial('without an endpoint a port that no engine uses is a warning', async (t) => {
  const address = `tcp://127.0.0.1:${await freePort()}`;
  setEnvironment(t, { DOCKER_HOST: address });
  const checker = await createChecker(t, {});
  await t.throwsAsync(async () => checker.check(new AbortController().signal), {
    instanceOf: CheckWarning,
    message: `failed to connect to Docker daemon at ${address}: connection refused; no engine has run there since the start of the agent`,
  });
});

test.serial('without an endpoint an engine that responds with an error is a failure', async (t) => {
  const host = await engineOnSocket(t, (_request, response) => {
    response.statusCode = 500;
    response.end();
  });
  setEnvironment(t, { DOCKER_HOST: host });
  const checker = await createChecker(t, {});
  const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  t.false(error instanceof CheckWarning);
});

test.serial('with an endpoint an engine that has never run is a failure', async (t) => {
  const checker = await createChecker(t, { endpoint: `unix://${temporaryFolder(t)}/docker.sock` });
  const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  t.false(error instanceof CheckWarning);
});

test.serial('with the variable DEBUG the program does not print requests', async (t) => {
  const endpoint = await engineOnSocket(t, ok);
  const values = ['operations.listenAddress=127.0.0.1:0', `vm.endpoint=${endpoint}`];
  const args = ['start', ...values.flatMap((value) => ['--set', value])];
  const agent = startProgram(t, args, { environment: { DEBUG: '*' } });
  t.is((await fetch(`${await urlOf(agent)}/healthz`)).status, 200);
  agent.child.kill('SIGTERM');
  t.notRegex((await agent.ended).stderr, /modem/);
});

test.serial('DOCKER_TLS_VERIFY and DOCKER_CERT_PATH are used with DOCKER_HOST', async (t) => {
  const directory = temporaryFolder(t);
  const ca = new TestCa(directory, 'engine-ca');
  const [server, client] = [ca.issue('engine', 'serverAuth'), ca.issue('agent', 'clientAuth')];
  const address = await engineOverTls(t, {
    ca: readFileSync(ca.cert),
    cert: readFileSync(server.cert),
    key: readFileSync(server.key),
    requestCert: true,
  });
  const certificates = join(directory, 'docker');
  mkdirSync(certificates);
  copyFileSync(ca.cert, join(certificates, 'ca.pem'));
  copyFileSync(client.cert, join(certificates, 'cert.pem'));
  copyFileSync(client.key, join(certificates, 'key.pem'));
  setEnvironment(t, {
    DOCKER_HOST: `tcp://${address}`,
    DOCKER_TLS_VERIFY: '1',
    DOCKER_CERT_PATH: certificates,
  });
  t.is(await reasonFor(t, {}), undefined);
});

test.serial('an endpoint overrides the environment', async (t) => {
  setEnvironment(t, { DOCKER_HOST: 'tcp://127.0.0.1:1', DOCKER_TLS_VERIFY: '1', DOCKER_PATH_PREFIX: '/x' });
  t.is(await reasonFor(t, { endpoint: await engineOnSocket(t, ok) }), undefined);
  t.is(await reasonFor(t, { endpoint: `tcp://${await engineOnPort(t, ok)}` }), undefined);
});

test.serial('a malformed DOCKER_HOST fails the start, and one with SSH the check', async (t) => {
  setEnvironment(t, { DOCKER_HOST: 'tcp://[' });
  await t.throwsAsync(reasonFor(t, {}), { message: /^DOCKER_HOST env variable should be/ });
  setEnvironment(t, { DOCKER_HOST: 'ssh://engine' });
  t.regex((await reasonFor(t, {})) ?? '', /SSH is not supported/);
});

test.serial('TLS files without an endpoint are refused', async (t) => {
  await t.throwsAsync(reasonFor(t, { ca: '/tls/ca.pem' }), {
    message: 'options.ca, options.cert and options.key need options.endpoint',
  });
});
