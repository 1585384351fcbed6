// What the environment of the process has to say about the endpoint: nothing when one is given, everything when none is.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RequestListener } from 'node:http';
import test from 'ava';
import { engineOnPort, engineOnSocket, ok } from '../../../helpers/engine.js';

const HELPER = fileURLToPath(new URL('../../../helpers/check-docker.js', import.meta.url));

/** Checks endpoints once in a process of its own; the result of each is `healthy` or the reason. */
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

/** Answers a ping at its own path only. */
const pingOnly: RequestListener = (request, response) => {
  if (request.url !== '/_ping') response.statusCode = 404;
  response.end('OK');
};

const ENVIRONMENTS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['another socket', { DOCKER_HOST: 'unix:///no-such-folder/other.sock' }],
  ['another host', { DOCKER_HOST: 'tcp://no-such-host.invalid:1' }],
  ['another host over TLS', { DOCKER_HOST: 'tcp://no-such-host.invalid:1', DOCKER_TLS_VERIFY: '1' }],
  ['nonsense', { DOCKER_HOST: 'tcp://[nonsense' }],
  ['a malformed ssh host', { DOCKER_HOST: 'ssh://user@:port:port' }],
  [
    'certificates that are not there',
    { DOCKER_HOST: 'tcp://127.0.0.1:1', DOCKER_CERT_PATH: '/no-such-folder' },
  ],
  ['TLS', { DOCKER_HOST: 'tcp://127.0.0.1:2376', DOCKER_TLS_VERIFY: '1' }],
  ['a prefix of paths', { DOCKER_HOST: 'tcp://127.0.0.1:1', DOCKER_PATH_PREFIX: '/elsewhere' }],
];
for (const [title, environment] of ENVIRONMENTS) {
  test(`an environment that names ${title} does not matter when an endpoint is given`, async (t) => {
    const endpoints = [await engineOnSocket(t, pingOnly), `tcp://${await engineOnPort(t, pingOnly)}`];
    t.deepEqual(await check(environment, ...endpoints), ['healthy', 'healthy']);
  });
}

test('without an endpoint DOCKER_HOST decides', async (t) => {
  t.deepEqual(await check({ DOCKER_HOST: await engineOnSocket(t, ok) }, ''), ['healthy']);
  t.deepEqual(await check({ DOCKER_HOST: `tcp://${await engineOnPort(t, ok)}` }, ''), ['healthy']);
  t.deepEqual(await check({ DOCKER_HOST: 'unix:///no-such-folder/other.sock' }, ''), [
    'failed to connect to Docker daemon at the endpoint of the environment: no such file',
  ]);
});

test('without an endpoint a DOCKER_HOST that cannot be understood keeps the checker from starting', async (t) => {
  t.deepEqual(await check({ DOCKER_HOST: 'tcp://[nonsense' }, ''), [
    'DOCKER_HOST env variable should be something like tcp://localhost:1234',
  ]);
});
