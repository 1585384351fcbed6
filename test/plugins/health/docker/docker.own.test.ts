// The docker checker against stand-ins for an engine.

import { createServer as createHttpServer } from 'node:http';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { bytesOnPort, engineOnPort, engineOnSocket, ok } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { createChecker, reasonFor } from './checker.js';
import { PATIENCE } from '../../../helpers/patience.js';

const failed = (endpoint: string, what: string): string =>
  `failed to connect to Docker daemon at ${endpoint}: ${what}`;

test('an engine on a unix socket that responds OK is healthy', async (t) => {
  const endpoint = await engineOnSocket(t, ok);
  t.is(await reasonFor(t, { endpoint }), undefined);
});

for (const scheme of ['tcp', 'http']) {
  test(`an engine at ${scheme}:// that responds OK is healthy`, async (t) => {
    const requests: unknown[] = [];
    const address = await engineOnPort(t, (request, response) => {
      requests.push([request.method, request.url]);
      ok(request, response);
    });
    t.is(await reasonFor(t, { endpoint: `${scheme}://${address}` }), undefined);
    t.deepEqual(requests[0], ['GET', '/_ping']);
  });
}

test('a missing socket', async (t) => {
  const endpoint = `unix://${temporaryFolder(t)}/none.sock`;
  t.is(await reasonFor(t, { endpoint }), failed(endpoint, 'no such file'));
});

test('a stale socket of an ended process', async (t) => {
  const path = join(temporaryFolder(t), 'stale.sock');
  spawnSync(process.execPath, [
    '-e',
    `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  t.is(await reasonFor(t, { endpoint: `unix://${path}` }), failed(`unix://${path}`, 'connection refused'));
});

test('a regular file instead of a socket', async (t) => {
  const endpoint = `unix://${temporaryFolder(t, { 'docker.sock': '' })}/docker.sock`;
  t.is(await reasonFor(t, { endpoint }), failed(endpoint, 'connection refused'));
});

test('an unknown host', async (t) => {
  const endpoint = 'tcp://no-such-host.invalid:2375';
  const reason = await reasonFor(t, { endpoint });
  // The second is the reason on a machine without a name server.
  const expected = [
    failed(endpoint, 'no such host'),
    failed(endpoint, 'the host name lookup failed temporarily'),
  ];
  t.true(expected.includes(reason ?? ''), reason);
});

/** Responses of an engine, and the reason for each. */
const RESPONSES: readonly (readonly [string, number, string, string, string])[] = [
  [
    '500 with a message',
    500,
    'application/json',
    '{"message":"engine is broken"}',
    'HTTP status 500: engine is broken',
  ],
  ['500 with other JSON', 500, 'application/json', '{"error":"x"}', 'HTTP status 500'],
  ['500 with a message that is not a string', 500, 'application/json', '{"message":5}', 'HTTP status 500'],
  ['500 with JSON null', 500, 'application/json', 'null', 'HTTP status 500: null'],
  ['404 with text', 404, 'text/plain', 'page not found\n', 'HTTP status 404: page not found'],
  ['400 with lines of text', 400, 'text/plain', ' a\r\n\tb \u0007c\n\n', 'HTTP status 400: a b c'],
  ['503 with an empty body', 503, 'text/plain', '', 'HTTP status 503'],
  ['503 with whitespace', 503, 'text/plain', ' \n ', 'HTTP status 503'],
  ['401 with HTML', 401, 'text/html', '<p>login</p>', 'HTTP status 401: <p>login</p>'],
  ['302', 302, 'text/plain', '', 'HTTP status 302'],
  ['204', 204, 'text/plain', '', 'HTTP status 204'],
  [
    '200 with HTML',
    200,
    'text/html',
    '<html>\nhello</html>\n',
    `unexpected response to a ping: expected 'OK', found '<html> hello</html>'`,
  ],
  [
    '200 with an empty body',
    200,
    'text/plain',
    '',
    `unexpected response to a ping: expected 'OK', found an empty body`,
  ],
  [
    '200 with whitespace',
    200,
    'text/plain',
    ' \n',
    `unexpected response to a ping: expected 'OK', found an empty body`,
  ],
  [
    '200 with ok in lower case',
    200,
    'text/plain',
    'ok',
    `unexpected response to a ping: expected 'OK', found 'ok'`,
  ],
  ['500 with a long text', 500, 'text/plain', 'x'.repeat(5000), `HTTP status 500: ${'x'.repeat(200)}…`],
];
for (const [title, status, type, body, expected] of RESPONSES) {
  test(`an engine that responds with ${title}`, async (t) => {
    const address = await engineOnPort(t, (_request, response) => {
      response.writeHead(status, { 'Content-Type': type });
      response.end(body);
    });
    const endpoint = `tcp://${address}`;
    t.is(await reasonFor(t, { endpoint }), failed(endpoint, expected));
  });
}

test('an engine on a port that never responds fails at the timeout', async (t) => {
  const endpoint = `tcp://${await engineOnPort(t, () => undefined)}`;
  t.is(
    await reasonFor(t, { endpoint, timeout: '200ms' }),
    failed(endpoint, 'the ping took longer than 0.2s'),
  );
});

test('an engine on a socket that never responds fails at the timeout', async (t) => {
  const endpoint = await engineOnSocket(t, () => undefined);
  t.is(
    await reasonFor(t, { endpoint, timeout: '200ms' }),
    failed(endpoint, 'the ping took longer than 0.2s'),
  );
});

test('an engine that responds slowly but within the timeout is healthy', async (t) => {
  const address = await engineOnPort(t, (request, response) => {
    setTimeout(() => ok(request, response), 300);
  });
  t.is(await reasonFor(t, { endpoint: `tcp://${address}` }), undefined);
});

test('a truncated response is not healthy', async (t) => {
  const endpoint = `tcp://${await bytesOnPort(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nO')),
  )}`;
  t.is(await reasonFor(t, { endpoint, timeout: '5m' }), failed(endpoint, 'the response was truncated'));
});

for (const status of [200, 500]) {
  test(`an endless body with status ${status} is not read to its end`, async (t) => {
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
    t.is(
      await reasonFor(t, { endpoint, timeout: '5m' }),
      failed(endpoint, 'the response is larger than 64 KiB'),
    );
    t.true(sent < 64 * 1024 * 1024, `${sent} bytes`);
  });
}

for (const [size, reason] of [
  [64 * 1024, 'HTTP status 500'],
  [64 * 1024 + 1, 'the response is larger than 64 KiB'],
] as const)
  test(`a response of ${size} bytes with its headers: ${reason}`, async (t) => {
    const address = await bytesOnPort(t, (socket) =>
      socket.once('data', () => {
        const head = 'HTTP/1.1 500 No\r\nConnection: close\r\nContent-Length: 65000\r\n';
        const body = `\r\n\r\n${' '.repeat(65_000)}`;
        socket.end(`${head}x: ${'y'.repeat(size - head.length - body.length - 3)}${body}`);
      }),
    );
    const endpoint = `tcp://${address}`;
    t.is(await reasonFor(t, { endpoint }), failed(endpoint, reason));
  });

for (const [status, body, reason] of [
  [500, '['.repeat(30_000) + ']'.repeat(30_000), `HTTP status 500: ${'['.repeat(200)}…`],
  [500, '{"message":{"toString":1,"valueOf":1}}', 'HTTP status 500'],
  [500, '{"error":{"toString":1,"valueOf":1}}', 'HTTP status 500'],
  [
    200,
    '['.repeat(30_000) + ']'.repeat(30_000),
    `unexpected response to a ping: expected 'OK', found '${'['.repeat(200)}…'`,
  ],
] as const)
  test(`JSON of which no text can be made is a failure, not an uncaught error: ${status} ${body.slice(0, 40)}`, async (t) => {
    const address = await engineOnPort(t, (_request, response) => {
      response.statusCode = status;
      response.end(body);
    });
    const endpoint = `tcp://${address}`;
    t.is(await reasonFor(t, { endpoint }), failed(endpoint, reason));
  });

test('a response that switches protocols is not healthy', async (t) => {
  const address = await bytesOnPort(t, (socket) =>
    socket.on('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    ),
  );
  const endpoint = `tcp://${address}`;
  t.is(await reasonFor(t, { endpoint, timeout: '5m' }), failed(endpoint, 'the response was truncated'));
});

test('redirects are not followed to any location', async (t) => {
  let requests = 0;
  const other = await engineOnPort(t, (request, response) => {
    requests += 1;
    ok(request, response);
  });
  for (const location of [`http://${other}/_ping`, '/other', 'ftp://x', 'x:', '//']) {
    const address = await engineOnPort(t, (_request, response) => {
      response.writeHead(307, { Location: location });
      response.end();
    });
    const endpoint = `tcp://${address}`;
    t.is(await reasonFor(t, { endpoint }), failed(endpoint, 'HTTP status 307'));
  }
  t.is(requests, 0);
});

test('an engine at an IPv6 address is healthy', async (t) => {
  const server = createHttpServer(ok);
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  t.is(await reasonFor(t, { endpoint: `tcp://[::1]:${port}` }), undefined);
});

test('a body that arrives too slowly fails at the timeout', async (t) => {
  const address = await engineOnPort(t, (_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('O'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const endpoint = `tcp://${address}`;
  t.is(
    await reasonFor(t, { endpoint, timeout: '300ms' }),
    failed(endpoint, 'the ping took longer than 0.3s'),
  );
});

test('the signal of the check aborts the ping and closes its connection', async (t) => {
  let closed: (() => void) | undefined;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const endpoint = await engineOnSocket(t, (_request, response) => {
    response.on('close', () => closed?.());
    abort.abort(new Error('too late'));
  });
  const abort = new AbortController();
  const checker = await createChecker(t, { endpoint, timeout: '5m' });
  const error = await t.throwsAsync(async () => checker.check(abort.signal));
  t.is(error.message, failed(endpoint, 'too late'));
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
  await t.throwsAsync(async () => checker.check(signal), { message: failed(endpoint, 'HTTP status 500') });
  isHealthy = true;
  await t.notThrowsAsync(async () => checker.check(signal));
});

test('a stopped checker leaves no open handles', (t) => {
  const helper = new URL('../../../helpers/handles-of-docker-checker.js', import.meta.url);
  t.is(
    execFileSync(process.execPath, [helper.pathname], { encoding: 'utf8', timeout: PATIENCE }),
    'checked\n',
  );
});
