// DOCKER_HOST and related variables: ignored if an endpoint is set, used otherwise.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RequestListener } from 'node:http';
import test from 'ava';
import { engineOnPort, engineOnSocket, ok } from '../../../helpers/engine.js';

const HELPER = fileURLToPath(new URL('../../../helpers/check-docker.js', import.meta.url));

/** Checks each endpoint once in a child process; the results are `healthy` or the reason. */
function check(environment: Readonly<Record<string, string>>, ...endpoints: string[]): Promise<string[]> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...environment };
    const child = spawn(process.execPath, [HELPER, ...endpoints], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    child.on('close', () => resolve(text.trimEnd().split('\n')));
  });
}

/** Responds OK to /_ping only. */
const pingOnly: RequestListener = (request, response) => {
  if (request.url !== '/_ping') response.statusCode = 404;
  response.end('OK');
};

const ENVIRONMENTS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['another socket', { DOCKER_HOST: 'unix:///no-such-directory/other.sock' }],
  ['another host', { DOCKER_HOST: 'tcp://no-such-host.invalid:1' }],
  ['another host over TLS', { DOCKER_HOST: 'tcp://no-such-host.invalid:1', DOCKER_TLS_VERIFY: '1' }],
  ['TLS', { DOCKER_HOST: 'tcp://127.0.0.1:2376', DOCKER_TLS_VERIFY: '1' }],
  ['a path prefix', { DOCKER_HOST: 'tcp://127.0.0.1:1', DOCKER_PATH_PREFIX: '/elsewhere' }],
];
for (const [title, environment] of ENVIRONMENTS) {
  test(`an environment with ${title} is ignored if an endpoint is set`, async (t) => {
    const endpoints = [await engineOnSocket(t, pingOnly), `tcp://${await engineOnPort(t, pingOnly)}`];
    t.deepEqual(await check(environment, ...endpoints), ['healthy', 'healthy']);
  });
}

test('without an endpoint DOCKER_HOST is used', async (t) => {
  t.deepEqual(await check({ DOCKER_HOST: await engineOnSocket(t, ok) }, ''), ['healthy']);
  t.deepEqual(await check({ DOCKER_HOST: `tcp://${await engineOnPort(t, ok)}` }, ''), ['healthy']);
  t.deepEqual(await check({ DOCKER_HOST: 'unix:///no-such-directory/other.sock' }, ''), [
    'failed to connect to Docker daemon at the endpoint of the environment: no such file',
  ]);
});

test('an invalid DOCKER_HOST fails the start, also if an endpoint is set', async (t) => {
  const reason =
    'DOCKER_HOST or a related variable is invalid: DOCKER_HOST env variable should be something like tcp://localhost:1234';
  const environment = { DOCKER_HOST: 'tcp://[nonsense' };
  t.deepEqual(await check(environment, '', await engineOnSocket(t, ok)), [reason, reason]);
});

test('a missing DOCKER_CERT_PATH fails the start, also if an endpoint is set', async (t) => {
  const environment = { DOCKER_HOST: 'tcp://127.0.0.1:1', DOCKER_CERT_PATH: '/no-such-directory' };
  for (const reason of await check(environment, '', await engineOnSocket(t, ok)))
    t.regex(reason, /^DOCKER_HOST or a related variable is invalid: ENOENT: .*\/no-such-directory\/ca\.pem/);
});
