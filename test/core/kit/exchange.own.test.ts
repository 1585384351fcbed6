// One request against servers that write raw bytes: it always settles.

import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { spy } from 'sinon';
import { exchange, type ExchangeResponse } from '../../../core/kit/exchange.js';
import { bytesOnPort } from '../../helpers/engine.js';

const MAX_SIZE = 1024;

/** Sends a request to a server that writes raw bytes for each request. */
async function send(
  t: ExecutionContext,
  onRequest: (socket: Socket) => void,
  options: {
    readonly signal?: AbortSignal;
    readonly agent?: Agent;
    readonly acceptsAny?: boolean;
    readonly method?: string;
  } = {},
): Promise<ExchangeResponse> {
  const {
    signal = new AbortController().signal,
    agent = new Agent(),
    acceptsAny = false,
    method = 'GET',
  } = options;
  const address = await bytesOnPort(t, (socket) => socket.on('data', () => onRequest(socket)));
  const [host = '', port = ''] = address.split(':');
  const server = { protocol: 'http:', host, port: Number(port) } as const;
  const sent = { method, path: '/', headers: {}, maxSize: MAX_SIZE, acceptsAny, signal };
  return exchange({ agent, ...server, ...sent });
}

const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.on('close', () => resolve()));

test.serial('a response in 1,000 chunks of one byte is collected in a few pieces', async (t) => {
  const concat = spy(Buffer, 'concat');
  t.teardown(() => concat.restore());
  const { body } = await send(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write(`${'1\r\na\r\n'.repeat(1000)}0\r\n\r\n`);
  });
  t.is(body.toString(), 'a'.repeat(1000));
  t.deepEqual(
    concat.args.filter(([pieces]) => pieces.length > 100),
    [],
  );
});

test('of a response that is too large and accepted, the first part is returned', async (t) => {
  const body = 'ab'.repeat(MAX_SIZE);
  const response = await send(t, (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`), {
    acceptsAny: true,
  });
  t.is(response.body.toString(), body.slice(0, MAX_SIZE));
});

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';

test('a response that switches protocols is a response without a body, and its connection is closed', async (t) => {
  let closed: Promise<void> | undefined;
  const { status, body } = await send(t, (socket) => {
    closed = new Promise((resolve) => socket.on('close', () => resolve()));
    socket.write(`${SWITCH}more bytes`);
  });
  t.is(status, 101);
  t.is(body.length, 0);
  await closed;
});

test('connections that switched protocols free their places for later requests', async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const statuses: number[] = [];
  const address = await bytesOnPort(t, (socket) => socket.on('data', () => socket.write(SWITCH)));
  const [host = '', port = ''] = address.split(':');
  const { signal } = new AbortController();
  for (let count = 0; count < 4; count += 1) {
    const server = { agent, protocol: 'http:', host, port: Number(port) } as const;
    const { status } = await exchange({
      ...server,
      method: 'GET',
      path: '/',
      headers: {},
      maxSize: 1,
      signal,
    });
    statuses.push(status);
  }
  t.deepEqual(statuses, [101, 101, 101, 101]);
});

/** The bytes that a server sends before it closes the connection, and the code of the error. */
const CLOSED: readonly (readonly [string, string, string])[] = [
  ['before the response', '', 'ECONNRESET'],
  ['within the status line', 'HTTP/1.1 2', 'ECONNRESET'],
  ['within the headers', 'HTTP/1.1 200 OK\r\nContent-Le', 'ECONNRESET'],
  ['after an interim response', 'HTTP/1.1 102 Processing\r\n\r\n', 'ECONNRESET'],
  ['before the body', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', 'ERR_RESPONSE_TRUNCATED'],
  ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx', 'ERR_RESPONSE_TRUNCATED'],
  [
    'within a chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    'ERR_RESPONSE_TRUNCATED',
  ],
];
for (const [when, bytes, code] of CLOSED)
  test(`a connection that is closed ${when} fails the request`, async (t) => {
    await t.throwsAsync(
      send(t, (socket) => socket.end(bytes)),
      { code },
    );
  });

/** The bytes that a server sends before it stops sending. */
const PHASES: readonly (readonly [string, string])[] = [
  ['before the response', ''],
  ['within the headers', 'HTTP/1.1 200 OK\r\nX: '],
  ['between interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['before the body', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'],
  ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx'],
];
for (const [phase, bytes] of PHASES)
  test(`an abort ${phase} ends the request and closes its connection`, async (t) => {
    const abort = new AbortController();
    let closed: Promise<void> | undefined;
    const sent = send(
      t,
      (socket) => {
        closed = new Promise((resolve) => socket.on('close', () => resolve()));
        socket.write(bytes);
        setTimeout(() => abort.abort(new Error('too late')), 20);
      },
      { signal: abort.signal },
    );
    await t.throwsAsync(sent, { message: 'too late' });
    await closed;
  });

test('an abort before the request is sent ends it', async (t) => {
  const sent = send(t, () => undefined, { signal: AbortSignal.abort(new Error('too late')) });
  await t.throwsAsync(sent, { message: 'too late' });
});

test('an abort ends a request that waits for a connection', async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const address = await bytesOnPort(t, (socket) => void socket.resume());
  const [host = '', port = ''] = address.split(':');
  const server = { agent, protocol: 'http:', host, port: Number(port) } as const;
  const request = { ...server, method: 'GET', path: '/', headers: {}, maxSize: 1 } as const;
  const [first, second] = [new AbortController(), new AbortController()];
  const running = exchange({ ...request, signal: first.signal });
  const waiting = exchange({ ...request, signal: second.signal });
  second.abort(new Error('second'));
  await t.throwsAsync(waiting, { message: 'second' });
  first.abort(new Error('first'));
  await t.throwsAsync(running, { message: 'first' });
});

test('a body that drips ends with the abort', async (t) => {
  const abort = new AbortController();
  const sent = send(
    t,
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      let drops = 0;
      const drip = setInterval(() => {
        socket.write('x');
        drops += 1;
        if (drops === 5) abort.abort(new Error('too late'));
      }, 10);
      socket.on('close', () => clearInterval(drip));
    },
    { signal: abort.signal },
  );
  await t.throwsAsync(sent, { message: 'too late' });
});

test('too many interim responses fail the request', async (t) => {
  const sent = send(t, (socket) => {
    const flood = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(10)), 1);
    socket.on('close', () => clearInterval(flood));
  });
  await t.throwsAsync(sent, { code: 'ERR_INTERIM_RESPONSES' });
});

test('32 interim responses are skipped', async (t) => {
  const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(32);
  const { status, body } = await send(t, (socket) =>
    socket.end(`${hints}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK`),
  );
  t.is(`${status} ${body.toString()}`, '200 OK');
});

const HEAD = 'HTTP/1.1 200 OK\r\n';
const LARGE = 'x'.repeat(MAX_SIZE + 1);
/** Bodies over the limit. */
const LARGE_BODIES = [
  ['announces its size', `${HEAD}Content-Length: ${LARGE.length}\r\n\r\n`],
  ['ends with the connection', `${HEAD}\r\n${LARGE}`],
] as const;
for (const [what, bytes] of LARGE_BODIES)
  test(`a body over the limit that ${what} fails the request`, async (t) => {
    await t.throwsAsync(
      send(t, (socket) => socket.write(bytes)),
      { code: 'ERR_RESPONSE_TOO_LARGE' },
    );
  });

test('a body over the limit is cut if any response is accepted', async (t) => {
  const { body } = await send(t, (socket) => socket.write(`${HEAD}\r\n${LARGE}`), { acceptsAny: true });
  t.is(body.length, MAX_SIZE);
});

test('an encoded body fails the request, and is dropped if any response is accepted', async (t) => {
  const encoded = `${HEAD}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`;
  await t.throwsAsync(
    send(t, (socket) => socket.write(encoded)),
    { code: 'ERR_RESPONSE_ENCODED' },
  );
  const { body } = await send(t, (socket) => socket.write(encoded), { acceptsAny: true });
  t.is(body.length, 0);
});

test('33 interim responses fail the request, and its connection is closed', async (t) => {
  let closed: Promise<unknown> | undefined;
  const sent = send(t, (socket) => {
    closed = closeOf(socket);
    socket.write(
      `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(33)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK`,
    );
  });
  await t.throwsAsync(sent, {
    code: 'ERR_INTERIM_RESPONSES',
    message: 'the server sends too many interim responses',
  });
  await closed;
});

for (const [what, bytes, acceptsAny] of [
  ['announces too large a body', `${HEAD}Content-Length: ${LARGE.length}\r\n\r\n`, false],
  ['sends too large a body', `${HEAD}\r\n${LARGE}`, false],
  ['sends too large a body, of which the beginning is accepted', `${HEAD}\r\n${LARGE}`, true],
] as const)
  test(`the connection to a server that ${what} is closed without the rest`, async (t) => {
    let closed: Promise<unknown> | undefined;
    const sent = send(
      t,
      (socket) => {
        closed = closeOf(socket);
        socket.write(bytes);
      },
      { acceptsAny },
    );
    await sent.catch(() => undefined);
    await closed;
    t.pass();
  });

test('a body is too large also if only its last piece exceeds the limit', async (t) => {
  const chunks = `400\r\n${'x'.repeat(MAX_SIZE)}\r\n1\r\nx\r\n0\r\n\r\n`;
  const sent = send(t, (socket) => socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunks}`));
  await t.throwsAsync(sent, { code: 'ERR_RESPONSE_TOO_LARGE' });
});

test('a response to HEAD may announce a body over the limit, which is not sent', async (t) => {
  const { status, body } = await send(
    t,
    (socket) => socket.write(`${HEAD}Content-Length: ${LARGE.length}\r\n\r\n`),
    { method: 'HEAD' },
  );
  t.deepEqual([status, body.length], [200, 0]);
});

for (const [what, close] of [
  ['is reset', (socket: Socket) => void socket.resetAndDestroy()],
  ['ends', (socket: Socket) => void socket.end()],
] as const)
  test(`a kept connection that ${what} at the next request has an error of its own, because the request can be repeated`, async (t) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.teardown(() => agent.destroy());
    let requests = 0;
    const address = await bytesOnPort(t, (socket) =>
      socket.on('data', () => {
        requests += 1;
        if (requests === 2) close(socket);
        else socket.write(`${HEAD}Content-Length: 0\r\n\r\n`);
      }),
    );
    const [host = '', port = ''] = address.split(':');
    const { signal } = new AbortController();
    const server = { agent, protocol: 'http:', host, port: Number(port) } as const;
    const request = { ...server, method: 'GET', path: '/', headers: {}, maxSize: 1, signal } as const;
    t.is((await exchange(request)).status, 200);
    await t.throwsAsync(exchange(request), { code: 'ERR_KEPT_CONNECTION_CLOSED' });
    t.is((await exchange(request)).status, 200);
  });
