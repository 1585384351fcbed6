import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import type { HostPort, OptionValues } from '../../../../core/contract/index.js';
import grpc from '../../../../plugins/health/grpc/index.js';
import { makeCertificates } from '../../../helpers/certificate-set.js';
import { startChecker } from '../../../helpers/checker.js';
import { strictTls } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { freePort } from '../../../helpers/free-port.js';
import { frame, grpcServer, refuse, respond, tcpServer, type Respond } from '../../../helpers/grpc-server.js';
import { until } from '../../../helpers/until.js';
import { PATIENCE } from '../../../helpers/patience.js';

type Options = OptionValues<typeof grpc.options>;

const METHOD = 'grpc.health.v1.Health/Check';
const DEFAULTS = {
  tls: false,
  ca: '',
  certificate: '',
  cert: '',
  key: '',
  serverName: '',
  service: '',
  timeout: PATIENCE,
};
const SERVING = respond(frame(0x08, 1));
const { ca, foreignCa, server: leaf, clients } = makeCertificates();

/** The reason of one check without its prefix; undefined: healthy. */
async function reasonOf(
  t: ExecutionContext,
  address: HostPort,
  options: Partial<Options> = {},
): Promise<string | undefined> {
  const { check } = await startChecker(t, grpc, { ...DEFAULTS, address, ...options });
  const { '': reason } = await check();
  const prefix = `${METHOD} at ${address.host}:${address.port}: `;
  if (reason !== undefined) t.true(reason.startsWith(prefix), reason);
  return reason?.slice(prefix.length);
}

const GRPC = { ':status': 200, 'content-type': 'application/grpc' };
/** A message of 4 KiB with its prefix: a field that is skipped, then SERVING. */
const LARGEST = Buffer.concat([
  Buffer.from([0, 0, 0, 0x10, 0, 0x1a, 0xfb, 0x1f]),
  Buffer.alloc(0xffb),
  Buffer.from([0x08, 1]),
]);
const WHOLE: readonly (readonly [what: string, respondTo: Respond, reason: string | undefined])[] = [
  ['SERVING', SERVING, undefined],
  ['SERVING after unknown fields', respond(frame(0x10, 0x96, 1, 0x1a, 1, 7, 0x08, 1)), undefined],
  [
    'SERVING after fields of 8 and 4 bytes',
    respond(frame(0x11, 8, 2, 8, 2, 8, 2, 8, 2, 0x1d, 8, 2, 8, 2, 0x08, 1)),
    undefined,
  ],
  [
    'a field of 8 bytes that ends early',
    respond(frame(0x08, 1, 0x11, 1, 2, 3, 4, 5, 6, 7)),
    'the response is not a HealthCheckResponse',
  ],
  ['a tag with more bytes than necessary', respond(frame(0x88, 0x80, 0, 1)), undefined],
  ['a status of ten bytes', respond(frame(0x08, 0x81, ...Array<number>(8).fill(0x80), 0)), undefined],
  [
    'a status of eleven bytes',
    respond(frame(0x08, 0x81, ...Array<number>(9).fill(0x80), 0)),
    'the response is not a HealthCheckResponse',
  ],
  ['less than a prefix', respond(Buffer.alloc(4)), 'the response is not a HealthCheckResponse'],
  ['two statuses, of which the last one counts', respond(frame(0x08, 2, 0x08, 1)), undefined],
  ['an empty message', respond(frame()), 'the status is UNKNOWN'],
  ['NOT_SERVING', respond(frame(0x08, 2)), 'the status is NOT_SERVING'],
  ['SERVICE_UNKNOWN', respond(frame(0x08, 3)), 'the status is SERVICE_UNKNOWN'],
  ['the status 300', respond(frame(0x08, 0xac, 2)), 'the status is 300'],
  [
    'UNIMPLEMENTED in the headers',
    refuse({ ...GRPC, 'grpc-status': 12, 'grpc-message': 'unknown service' }),
    undefined,
  ],
  ['UNIMPLEMENTED in the trailers', respond(Buffer.alloc(0), '12'), undefined],
  ['NOT_FOUND', refuse({ ...GRPC, 'grpc-status': 5 }), undefined],
  [
    'UNAVAILABLE with a message in percent-encoding',
    refuse({ ...GRPC, 'grpc-status': 14, 'grpc-message': 'not%0Aready%1b[31m %E2%9C%93' }),
    String.raw`gRPC status UNAVAILABLE: not\nready\u001b[31m ✓`,
  ],
  [
    'a message that is not percent-encoding',
    refuse({ ...GRPC, 'grpc-status': 2, 'grpc-message': '100% broken' }),
    'gRPC status UNKNOWN: 100% broken',
  ],
  [
    'a message of 5,000 characters',
    refuse({ ...GRPC, 'grpc-status': 13, 'grpc-message': 'x'.repeat(5_000) }),
    `gRPC status INTERNAL: ${'x'.repeat(200)}…`,
  ],
  ['an unknown gRPC status', refuse({ ...GRPC, 'grpc-status': 99 }), 'gRPC status 99'],
  ['no gRPC status', refuse(GRPC), 'the response has no gRPC status'],
  [
    'a message that ends early',
    respond(frame(0x08, 1).subarray(0, 6)),
    'the response is not a HealthCheckResponse',
  ],
  [
    'a compressed message',
    respond(Buffer.from([1, 0, 0, 0, 2, 8, 1])),
    'the response is not a HealthCheckResponse',
  ],
  [
    'an endless varint',
    respond(frame(...Array<number>(20).fill(0xff))),
    'the response is not a HealthCheckResponse',
  ],
  ['a length beyond the message', respond(frame(0x1a, 0x7f)), 'the response is not a HealthCheckResponse'],
  ['a group', respond(frame(0x0b)), 'the response is not a HealthCheckResponse'],
  ['4,101 bytes', respond(LARGEST), undefined],
  ['4,102 bytes', respond(Buffer.alloc(4102)), 'the response is larger than 4101 bytes'],
  ['1 MiB', respond(Buffer.alloc(1024 * 1024)), 'the response is larger than 4101 bytes'],
  [
    'a redirect',
    refuse({ ':status': 302, location: 'http://127.0.0.1:1/', 'content-type': 'text/html' }, '<p>moved'),
    'HTTP status 302: <p>moved',
  ],
  [
    'a web page',
    refuse({ ':status': 200, 'content-type': 'text/html' }, '<p>'),
    'the response is not gRPC: its content type is text/html',
  ],
  [
    'a content type with the prefix of the content type of gRPC',
    refuse({ ':status': 200, 'content-type': 'application/grpcx' }),
    'the response is not gRPC: its content type is application/grpcx',
  ],
  ['503 of a gRPC proxy', refuse({ ...GRPC, ':status': 503 }), 'HTTP status 503'],
  ['a closed stream', (stream) => stream.close(), 'the connection was closed without a response'],
  ['a closed session', (stream) => stream.session?.destroy(), 'the connection was closed without a response'],
];
for (const [what, respondTo, reason] of WHOLE) {
  test(`a server that responds with ${what}: ${reason ?? 'healthy'}`, async (t) => {
    const { address, sessions } = await grpcServer(t, respondTo);
    t.is(await reasonOf(t, address), reason);
    await until(() => sessions() === 0);
  });
}

test('the request is a unary call of gRPC with a time limit', async (t) => {
  const bodies: Buffer[] = [];
  const { address, requests } = await grpcServer(t, (stream, body, path) => {
    bodies.push(body);
    SERVING(stream, body, path);
  });
  t.is(await reasonOf(t, address), undefined);
  t.is(await reasonOf(t, address, { service: 'a.Service' }), undefined);
  t.deepEqual(bodies, [frame(), frame(0x0a, 9, ...Buffer.from('a.Service'))]);
  t.like(requests[0], {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': `/${METHOD}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-timeout': `${PATIENCE}m`,
  });
});

for (const [code, name] of [
  ['5', 'NOT_FOUND'],
  ['12', 'UNIMPLEMENTED'],
] as const) {
  test(`the health of one service: ${name} fails`, async (t) => {
    const { address } = await grpcServer(t, refuse({ ...GRPC, 'grpc-status': code, 'grpc-message': 'no x' }));
    t.is(await reasonOf(t, address, { service: 'x' }), `gRPC status ${name}: no x`);
  });
}

test('a name of a service with more than 127 bytes is refused', (t) => {
  const { format } = grpc.options.service;
  t.notThrows(() => format('x'.repeat(127)));
  t.throws(() => format('é'.repeat(64)), { message: 'must be a name of at most 127 bytes' });
});

const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** The header of a frame of HTTP/2. */
const header = (length: number, type: number, flags: number, stream: number): Buffer =>
  Buffer.from([length >> 16, (length >> 8) & 0xff, length & 0xff, type, flags, 0, 0, 0, stream]);

/** Sends settings, then the headers of a response that never end. */
function sendEndlessHeaders(socket: Socket): void {
  const piece = Buffer.alloc(1_000, 0x40);
  const field = Buffer.concat([
    Buffer.from([0, 4]),
    Buffer.from('x-aa'),
    Buffer.from([3]),
    Buffer.from('bbb'),
  ]);
  const fields = Buffer.concat(Array<Buffer>(100).fill(field));
  socket.write(SETTINGS);
  socket.once('data', () =>
    setTimeout(() => {
      socket.write(Buffer.concat([header(piece.length, 1, 0, 1), Buffer.alloc(0)]));
      socket.write(fields.subarray(0, piece.length));
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.concat([header(fields.length, 9, 0, 1), fields])));
      };
      socket.on('drain', more);
      more();
    }, 50),
  );
}

/** Begins the headers of a response in a frame that is not their last one, then sends something else. */
const beginHeaders =
  (next: Buffer) =>
  (socket: Socket): void => {
    const field = Buffer.from([0, 4, ...Buffer.from('x-aa'), 3, ...Buffer.from('bbb')]);
    socket.write(SETTINGS);
    socket.once('data', () => socket.write(Buffer.concat([header(field.length, 1, 0, 1), field, next])));
  };

const HOSTILE: readonly (readonly [what: string, accept: (socket: Socket) => void, reason: RegExp])[] = [
  ['sends nothing', () => undefined, /^the check took longer than 0\.3s$/],
  ['sends only settings', (socket) => socket.write(SETTINGS), /^the check took longer than 0\.3s$/],
  [
    'speaks HTTP/1.1',
    (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    /^the response is not valid HTTP\/2$/,
  ],
  [
    'sends garbage',
    (socket) => socket.write(Buffer.alloc(64 * 1024, 0xaa)),
    /^the response is not valid HTTP\/2$/,
  ],
  [
    'resets the connection',
    (socket) => socket.resetAndDestroy(),
    /^the connection was closed without a response$/,
  ],
  ['closes the connection', (socket) => socket.end(), /^the connection was closed without a response$/],
  ['sends endless headers', sendEndlessHeaders, /^a block of headers is longer than one frame$/],
  [
    'begins headers and sends nothing more',
    beginHeaders(Buffer.alloc(0)),
    /^a block of headers is longer than one frame$/,
  ],
  [
    'begins headers and sends garbage',
    beginHeaders(Buffer.alloc(64 * 1024, 0xaa)),
    /^a block of headers is longer than one frame$/,
  ],
  [
    'begins headers and sends data',
    beginHeaders(Buffer.concat([header(1, 0, 0, 1), Buffer.alloc(1)])),
    /^a block of headers is longer than one frame$/,
  ],
];
for (const [what, accept, reason] of HOSTILE) {
  test(`a server that ${what} fails in time, and its connection is closed`, async (t) => {
    const { address, connections } = await tcpServer(t, accept);
    const timeout = String(reason).includes('took longer') ? 300 : PATIENCE;
    t.regex((await reasonOf(t, address, { timeout })) ?? '', reason);
    await until(() => connections() === 0);
  });
}

test('a check that is aborted closes its connection', async (t) => {
  const { address, connections } = await tcpServer(t, (socket) => socket.write(SETTINGS));
  const { checker } = await startChecker(t, grpc, { ...DEFAULTS, address });
  const abort = new AbortController();
  const checked = Promise.resolve(checker.check(abort.signal));
  await until(() => connections() === 1);
  abort.abort(new Error('the agent stops'));
  await t.throwsAsync(checked, {
    message: `${METHOD} at 127.0.0.1:${address.port}: the agent stops`,
  });
  await until(() => connections() === 0);
});

test('no server: connection refused', async (t) => {
  t.is(await reasonOf(t, { host: '127.0.0.1', port: await freePort() }), 'connection refused');
});

const strict = {
  ca: readFileSync(ca.cert),
  cert: readFileSync(leaf.cert),
  key: readFileSync(leaf.key),
  requestCert: true,
  rejectUnauthorized: true,
};
const anyClient = { ...strict, requestCert: false };

const TLS: readonly (readonly [what: string, options: Partial<Options>, reason: string | undefined])[] = [
  ['a client certificate', { ca: ca.cert, ...clients['trusted'] }, undefined],
  ['exactly the server certificate trusted', { certificate: leaf.cert, ...clients['trusted'] }, undefined],
  ['another server name', { ca: ca.cert, ...clients['trusted'], serverName: 'localhost' }, undefined],
  [
    'a wrong server name',
    { ca: ca.cert, ...clients['trusted'], serverName: 'other' },
    'its certificate is not valid for this host name',
  ],
  ['no client certificate', { ca: ca.cert }, 'it requires a client certificate'],
  [
    'a CA that did not issue the server certificate',
    { ca: foreignCa.cert },
    'its certificate is not signed by a trusted CA',
  ],
  ['no CA', {}, 'its certificate is not signed by a trusted CA'],
  [
    'another certificate trusted',
    { certificate: clients['trusted']?.cert ?? '' },
    'its certificate is not the configured one',
  ],
];
for (const [what, options, reason] of TLS) {
  test(`gRPC over TLS with ${what}: ${reason ?? 'healthy'}`, async (t) => {
    const { address, requests } = await grpcServer(t, SERVING, strict);
    t.is(await reasonOf(t, address, { tls: true, ...options }), reason);
    t.is(requests.length, reason === undefined ? 1 : 0);
  });
}

test('the reason says that the server rejected the client certificate', async (t) => {
  const [host = '', port] = (
    await strictTls(t, { ca: ca.cert, cert: leaf.cert, key: leaf.key }, 'TLSv1.3')
  ).split(':');
  t.is(
    await reasonOf(t, { host, port: Number(port) }, { tls: true, ca: ca.cert, ...clients['foreign'] }),
    'it rejected the client certificate',
  );
});

test('TLS to a server without TLS, and no TLS to a server with TLS', async (t) => {
  const plain = await grpcServer(t, SERVING);
  t.is(await reasonOf(t, plain.address, { tls: true, ca: ca.cert }), 'it does not use TLS');
  const secure = await grpcServer(t, SERVING, anyClient);
  t.is(await reasonOf(t, secure.address), 'the connection was closed without a response');
});

test('a TLS server that does not support HTTP/2', async (t) => {
  const server = createTlsServer({ ...anyClient, ALPNProtocols: ['http/1.1'] }).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => undefined);
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.is(
    await reasonOf(t, { host: '127.0.0.1', port }, { tls: true, ca: ca.cert }),
    'the TLS handshake failed: no application protocol',
  );
});

test('a TLS handshake that hangs takes no longer than the time limit', async (t) => {
  const { address, connections } = await tcpServer(t, () => undefined);
  t.is(
    await reasonOf(t, address, { tls: true, ca: ca.cert, timeout: 300 }),
    'the check took longer than 0.3s',
  );
  await until(() => connections() === 0);
});

test('a renewed CA is used without a restart', async (t) => {
  const directory = temporaryFolder(t);
  const file = join(directory, 'ca.pem');
  copyFileSync(foreignCa.cert, file);
  const { address } = await grpcServer(t, SERVING, anyClient);
  const { check } = await startChecker(t, grpc, { ...DEFAULTS, address, tls: true, ca: file });
  t.truthy((await check())['']);
  copyFileSync(ca.cert, file);
  t.deepEqual(await check(), {});
});

const UNUSABLE: readonly (readonly [what: string, options: Partial<Options>, message: string])[] = [
  [
    'an address without a host',
    { address: { host: '', port: 1 } },
    'options.address: must be a host and a port to connect to: :1',
  ],
  ['a certificate without its key', { cert: 'a.pem' }, 'options.cert and options.key must be set together'],
  [
    'a missing CA',
    { tls: true, ca: '/none/ca.pem' },
    'options.ca: /none/ca.pem cannot be read: no such file',
  ],
];
for (const [what, options, message] of UNUSABLE) {
  test(`${what} prevents the start: ${message}`, async (t) => {
    const address = { host: '127.0.0.1', port: 1 };
    await t.throwsAsync(startChecker(t, grpc, { ...DEFAULTS, address, ...options }), { message });
  });
}
