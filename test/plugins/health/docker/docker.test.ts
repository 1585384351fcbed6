// The docker checker against stand-ins for every way a ping can go.

import { createServer } from 'node:net';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { bytesOnPort, engineOnPort, engineOnSocket, ok } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { createChecker, reasonFor } from './checker.js';

const on = (endpoint: string, what: string): string =>
  `failed to connect to Docker daemon at ${endpoint}: ${what}`;

test('an engine on a unix socket that answers OK is healthy', async (t) => {
  const endpoint = await engineOnSocket(t, ok);
  t.is(await reasonFor(t, { endpoint }), undefined);
});

for (const scheme of ['tcp', 'http']) {
  test(`an engine at ${scheme}:// that answers OK is healthy`, async (t) => {
    const asked: unknown[] = [];
    const address = await engineOnPort(t, (request, response) => {
      asked.push([request.method, request.url]);
      ok(request, response);
    });
    t.is(await reasonFor(t, { endpoint: `${scheme}://${address}` }), undefined);
    t.deepEqual(asked, [['GET', '/_ping']]);
  });
}

test('a socket that does not exist is named', async (t) => {
  const endpoint = `unix://${temporaryFolder(t)}/none.sock`;
  t.is(await reasonFor(t, { endpoint }), on(endpoint, 'no such file'));
});

test('a socket that its process left behind refuses the connection', async (t) => {
  const path = join(temporaryFolder(t), 'stale.sock');
  spawnSync(process.execPath, [
    '-e',
    `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  t.is(await reasonFor(t, { endpoint: `unix://${path}` }), on(`unix://${path}`, 'connection refused'));
});

test('a plain file instead of a socket refuses the connection', async (t) => {
  const endpoint = `unix://${temporaryFolder(t, { 'docker.sock': '' })}/docker.sock`;
  t.is(await reasonFor(t, { endpoint }), on(endpoint, 'connection refused'));
});

test('a port that nobody listens on refuses the connection', async (t) => {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as { port: number };
      server.close(() => resolve(free));
    });
  });
  const endpoint = `tcp://127.0.0.1:${port}`;
  t.is(await reasonFor(t, { endpoint }), on(endpoint, 'connection refused'));
});

test('a host that is not known is named', async (t) => {
  const endpoint = 'tcp://no-such-host.invalid:2375';
  const reason = await reasonFor(t, { endpoint });
  // Where there is no name server at all, the second is what the system says.
  const expected = [on(endpoint, 'no such host'), on(endpoint, 'the host name cannot be looked up now')];
  t.true(expected.includes(reason ?? ''), reason);
});

/** What an engine answers, and what is made of it. */
const ANSWERS: readonly (readonly [string, number, string, string, string])[] = [
  [
    '500 with a message',
    500,
    'application/json',
    '{"message":"engine is broken"}',
    'it answered 500: engine is broken',
  ],
  ['500 with other JSON', 500, 'application/json', '{"error":"x"}', 'it answered 500'],
  ['500 with a message that is no text', 500, 'application/json', '{"message":5}', 'it answered 500'],
  ['500 with JSON null', 500, 'application/json', 'null', 'it answered 500: null'],
  ['404 with text', 404, 'text/plain', 'page not found\n', 'it answered 404: page not found'],
  ['400 with lines of text', 400, 'text/plain', ' a\r\n\tb \u0007c\n\n', 'it answered 400: a b c'],
  ['503 with nothing', 503, 'text/plain', '', 'it answered 503'],
  ['503 with blanks', 503, 'text/plain', ' \n ', 'it answered 503'],
  ['401 with HTML', 401, 'text/html', '<p>login</p>', 'it answered 401: <p>login</p>'],
  ['302', 302, 'text/plain', '', 'it answered 302'],
  ['204', 204, 'text/plain', '', 'it answered 204'],
  [
    '200 with HTML',
    200,
    'text/html',
    '<html>\nhello</html>\n',
    `a ping was answered with '<html> hello</html>', not with 'OK'`,
  ],
  ['200 with nothing', 200, 'text/plain', '', `a ping was answered with nothing, not with 'OK'`],
  ['200 with blanks', 200, 'text/plain', ' \n', `a ping was answered with nothing, not with 'OK'`],
  ['200 with ok in lower case', 200, 'text/plain', 'ok', `a ping was answered with 'ok', not with 'OK'`],
  ['500 with a long text', 500, 'text/plain', 'x'.repeat(5000), `it answered 500: ${'x'.repeat(200)}…`],
];
for (const [title, status, type, body, expected] of ANSWERS) {
  test(`an engine that answers ${title}`, async (t) => {
    const address = await engineOnPort(t, (_request, response) => {
      response.writeHead(status, { 'Content-Type': type });
      response.end(body);
    });
    const endpoint = `tcp://${address}`;
    t.is(await reasonFor(t, { endpoint }), on(endpoint, expected));
  });
}

test('an engine that closes without an answer is not healthy', async (t) => {
  const endpoint = `tcp://${await bytesOnPort(t, (socket) => socket.once('data', () => socket.end()))}`;
  t.is(await reasonFor(t, { endpoint }), on(endpoint, 'it closed the connection without an answer'));
});

test('an engine that resets the connection is not healthy', async (t) => {
  const endpoint = `tcp://${await bytesOnPort(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))}`;
  t.is(await reasonFor(t, { endpoint }), on(endpoint, 'it closed the connection without an answer'));
});

test('something that does not speak HTTP', async (t) => {
  const endpoint = `tcp://${await bytesOnPort(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))}`;
  t.is(await reasonFor(t, { endpoint }), on(endpoint, 'it does not speak HTTP'));
});

test('an engine that accepts and never answers is given up in time', async (t) => {
  const endpoint = `tcp://${await engineOnPort(t, () => undefined)}`;
  t.is(await reasonFor(t, { endpoint, timeout: '200ms' }), on(endpoint, 'no answer within 0.2s'));
});

test('an engine on a socket that accepts and never answers is given up in time', async (t) => {
  const endpoint = await engineOnSocket(t, () => undefined);
  t.is(await reasonFor(t, { endpoint, timeout: '200ms' }), on(endpoint, 'no answer within 0.2s'));
});

test('an engine that answers after a while, but in time, is healthy', async (t) => {
  const address = await engineOnPort(t, (request, response) => {
    setTimeout(() => ok(request, response), 300);
  });
  t.is(await reasonFor(t, { endpoint: `tcp://${address}` }), undefined);
});

test('an answer cut off in mid-body does not count', async (t) => {
  const endpoint = `tcp://${await bytesOnPort(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nO')),
  )}`;
  t.is(
    await reasonFor(t, { endpoint, timeout: '30s' }),
    on(endpoint, 'it closed the connection in the middle of its answer'),
  );
});

for (const status of [200, 500]) {
  test(`a body without end under ${status} is not read to its end, nor waited for`, async (t) => {
    let sent = 0;
    const address = await engineOnPort(t, (_request, response) => {
      response.writeHead(status);
      const chunk = 'O'.repeat(64 * 1024);
      const send = (): void => {
        do sent += chunk.length;
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', send);
      send();
    });
    const endpoint = `tcp://${address}`;
    const begin = status === 200 ? "a ping was answered with 'OOO" : 'it answered 500: OOO';
    t.true((await reasonFor(t, { endpoint, timeout: '30s' }))?.startsWith(on(endpoint, begin)));
    t.true(sent < 64 * 1024 * 1024, `${sent} bytes`);
  });
}

test('a body that drips for ever is given up in time', async (t) => {
  const address = await engineOnPort(t, (_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('O'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const endpoint = `tcp://${address}`;
  t.is(await reasonFor(t, { endpoint, timeout: '300ms' }), on(endpoint, 'no answer within 0.3s'));
});

test('the signal of the check ends a ping, and its connection', async (t) => {
  let closed: (() => void) | undefined;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const endpoint = await engineOnSocket(t, (_request, response) => {
    response.on('close', () => closed?.());
    abort.abort(new Error('too late'));
  });
  const abort = new AbortController();
  const checker = await createChecker(t, { endpoint, timeout: '20s' });
  const error = await t.throwsAsync(async () => checker.check(abort.signal));
  t.notRegex(error.message, /no answer within/);
  await isClosed;
});

test('a checker checks again after a failure', async (t) => {
  let isHealthy = false;
  const endpoint = await engineOnSocket(t, (request, response) => {
    if (isHealthy) ok(request, response);
    else {
      response.statusCode = 500;
      response.end();
    }
  });
  const checker = await createChecker(t, { endpoint });
  const { signal } = new AbortController();
  await t.throwsAsync(async () => checker.check(signal), { message: on(endpoint, 'it answered 500') });
  isHealthy = true;
  await t.notThrowsAsync(async () => checker.check(signal));
});

test('nothing is left open by good and failed checks and a stop', (t) => {
  const helper = new URL('../../../helpers/handles-of-docker-checker.js', import.meta.url);
  t.is(execFileSync(process.execPath, [helper.pathname], { encoding: 'utf8', timeout: 20_000 }), 'checked\n');
});
