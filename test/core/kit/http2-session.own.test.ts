// One short HTTP/2 connection: its limits, its name in TLS, and how it ends.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type ClientHttp2Session,
  type Http2Session,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type Settings,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import type { HostPort } from '../../../core/common/text/host-port.js';
import { openSocket, withHttp2Session } from '../../../core/kit/http2-session.js';
import { TestCa } from '../../helpers/certificates.js';
import { bytesOnPort } from '../../helpers/engine.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { grpcServer, refuse, tcpServer } from '../../helpers/grpc-server.js';
import { until } from '../../helpers/until.js';

const never = (): AbortSignal => new AbortController().signal;

/** Requests `/` and returns the headers of the response. */
async function get(session: ClientHttp2Session): Promise<IncomingHttpHeaders & IncomingHttpStatusHeader> {
  const stream = session.request({ ':path': '/' });
  stream.resume();
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader];
  return headers;
}

test('the server learns that pushes are refused, and the limits of headers and of unread data', async (t) => {
  const settings: Settings[] = [];
  const server = createServer();
  const sessions = new Set<Http2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('remoteSettings', (found) => void settings.push(found));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const session of sessions) session.destroy();
  });
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  await withHttp2Session({ address, tls: undefined }, never(), async () => until(() => settings.length > 0));
  t.like(settings[0], {
    enablePush: false,
    maxHeaderListSize: 16 * 1024,
    initialWindowSize: 64 * 1024,
  });
});

for (const [count, isRead] of [
  [64, true],
  [65, false],
] as const)
  test(`a response with ${count} headers is ${isRead ? 'read' : 'refused'}`, async (t) => {
    // Besides these, it has a status and a date.
    const names = Array.from({ length: count - 2 }, (_, index) => [`x-${index}`, 'y'] as const);
    const { address, sessions } = await grpcServer(
      t,
      refuse({ ':status': 200, ...Object.fromEntries(names) }),
    );
    const found = withHttp2Session({ address, tls: undefined }, never(), get);
    if (isRead) t.is(Object.keys(await found).length, count);
    else await t.throwsAsync(found);
    await until(() => sessions() === 0);
  });

test('the outcome of the work is the outcome, and the connection is closed', async (t) => {
  const { address, sessions, opened } = await grpcServer(t, refuse({ ':status': 204 }));
  const server = { address, tls: undefined };
  t.is(await withHttp2Session(server, never(), async (session) => (await get(session))[':status']), 204);
  await until(() => sessions() === 0);
  const failed = withHttp2Session(server, never(), async () => {
    throw new Error('no');
  });
  await t.throwsAsync(failed, { message: 'no' });
  await until(() => sessions() === 0);
  t.is(opened(), 2);
});

test('with a signal that is aborted nothing connects', async (t) => {
  let connections = 0;
  const address = await bytesOnPort(t, (socket) => {
    connections += 1;
    socket.end();
  });
  const [host = '', port = ''] = address.split(':');
  const server = { address: { host, port: Number(port) }, tls: undefined };
  const signal = AbortSignal.abort(new Error('too late'));
  await t.throwsAsync(
    withHttp2Session(server, signal, async () => t.fail()),
    { message: 'too late' },
  );
  // A later connection arrives after an earlier one.
  await t.throwsAsync(
    withHttp2Session(server, never(), async () => t.fail()),
    { code: 'ECONNRESET' },
  );
  t.is(connections, 1);
});

test('an abort before the settings of the server closes the connection', async (t) => {
  const { address, connections } = await tcpServer(t, () => undefined);
  const abort = new AbortController();
  const waiting = withHttp2Session({ address, tls: undefined }, abort.signal, async () => t.fail());
  await until(() => connections() === 1);
  abort.abort(new Error('too late'));
  await t.throwsAsync(waiting, { message: 'too late' });
  await until(() => connections() === 0);
});

/** The header of a frame of HTTP/2, then its payload. */
const frame = (type: number, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    Buffer.from([0, payload.length >> 8, payload.length & 0xff, type, flags, 0, 0, 0, stream]),
    payload,
  ]);

const SETTINGS = frame(4, 0, 0);
/** `:status: 200`, by its index in the table of HPACK. */
const OK = Buffer.of(0x88);
const PADDING = frame(0, 0, 1, Buffer.alloc(300, 1));

/** The header of a frame with the headers of the first stream, from its type on. */
const REQUEST = /\x01[^]\0\0\0\x01/;

/** A server that sends settings, and at the first request the bytes in pieces of this size. */
async function rawServer(t: ExecutionContext, bytes: Buffer, size: number): Promise<HostPort> {
  const respond = async (socket: Socket): Promise<void> => {
    for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
      socket.write(bytes.subarray(at, at + size));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const { address } = await tcpServer(t, (socket) => {
    socket.setNoDelay(true);
    socket.write(SETTINGS);
    let received = Buffer.alloc(0);
    let hasRequest = false;
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (hasRequest || !REQUEST.test(received.toString('latin1'))) return;
      hasRequest = true;
      void respond(socket);
    });
  });
  return address;
}

for (const size of [1, 7, 9, 1000])
  test(`headers in one frame are read in pieces of ${size} bytes, also after data and with a length of two bytes`, async (t) => {
    const more = Buffer.concat([
      OK,
      Buffer.from([0, 4, ...Buffer.from('x-aa'), 127, 129, 1]),
      Buffer.alloc(256, 'b'),
    ]);
    const address = await rawServer(
      t,
      Buffer.concat([frame(6, 0, 0, Buffer.alloc(8)), frame(1, 4, 1, more), PADDING]),
      size,
    );
    const headers = await withHttp2Session({ address, tls: undefined }, never(), get);
    t.is(headers[':status'], 200);
    t.is(headers['x-aa'], 'b'.repeat(256));
  });

for (const [what, bytes] of [
  ['headers whose block does not end in their frame', frame(1, 0, 1, OK)],
  [
    'a promise whose block does not end in its frame',
    frame(5, 0, 1, Buffer.concat([Buffer.of(0, 0, 0, 2), OK])),
  ],
  ['a continuation', frame(9, 4, 1, OK)],
] as const)
  for (const size of [1, 1000])
    test(`${what} closes the connection, in pieces of ${size} bytes`, async (t) => {
      const address = await rawServer(t, bytes, size);
      await t.throwsAsync(withHttp2Session({ address, tls: undefined }, never(), get), {
        message: 'a block of headers is longer than one frame',
      });
    });

for (const [host, name] of [
  ['localhost', 'localhost'],
  ['', 'localhost'],
  ['127.0.0.1', false],
] as const)
  test(`TLS to the host '${host}' ${name === false ? 'has no server name' : `has the server name ${name}`}`, async (t) => {
    const leaf = new TestCa(temporaryFolder(t), 'ca').issue('server', 'serverAuth');
    const server = createTlsServer({ cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) });
    server.listen(0, 'localhost' === host || host === '' ? 'localhost' : host);
    await once(server, 'listening');
    t.teardown(() => server.close());
    const accepted = once(server, 'secureConnection') as Promise<[{ servername: string | false }]>;
    const address = { host, port: (server.address() as AddressInfo).port };
    const socket = openSocket({ address, tls: { rejectUnauthorized: false } });
    t.teardown(() => socket.destroy());
    const [{ servername }] = await accepted;
    t.is(servername, name);
  });
