import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createTestContext } from '../../../../core/testing/index.js';
import tcp from '../../../../plugins/health/tcp/index.js';
import { makeCertificates } from '../../../helpers/certificate-set.js';
import type { Leaf } from '../../../helpers/certificates.js';
import { startChecker } from '../../../helpers/checker.js';
import { bytesOnPort, engineOnPort, engineOverTls, ok, strictTls } from '../../../helpers/engine.js';
import { babbling, hanging, resetting } from '../../../helpers/faulty-servers.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { freePort } from '../../../helpers/free-port.js';
import { tcpOptions, tcpReason, type TcpOptions } from '../../../helpers/network-checkers.js';
import { PATIENCE } from '../../../helpers/patience.js';

const { ca, foreignCa, server, clients } = makeCertificates();
const trust = { tls: true, ca: ca.cert };

const tlsServer = (t: ExecutionContext, { cert, key }: Leaf = server): Promise<string> =>
  engineOverTls(t, { cert: readFileSync(cert), key: readFileSync(key) });
const strict = (t: ExecutionContext): Promise<string> => strictTls(t, { ca: ca.cert, ...server }, 'TLSv1.2');

test('a server that accepts connections is healthy, and the connection is closed at once', async (t) => {
  const sockets: Socket[] = [];
  const address = await bytesOnPort(t, (socket) => void sockets.push(socket.resume()));
  t.is(await tcpReason(t, address), undefined);
  const [socket] = sockets;
  if (socket?.closed === false) await once(socket, 'close');
  t.deepEqual([sockets.length, socket?.bytesRead], [1, 0]);
});

test('a server that does not use a changed CA yet is a warning', async (t) => {
  const file = join(temporaryFolder(t), 'ca.pem');
  copyFileSync(ca.cert, file);
  const address = await tlsServer(t);
  const options = tcpOptions(address, { tls: true, ca: file });
  const { check, severities } = await startChecker(t, tcp, options);
  t.deepEqual(await check(), {});
  copyFileSync(foreignCa.cert, file);
  await check();
  t.deepEqual(severities(), { '': 'warning' });
});

test('a name is looked up', async (t) => {
  const address = await engineOnPort(t, ok);
  t.is(await tcpReason(t, address.replace('127.0.0.1', 'localhost')), undefined);
});

test('the server of a plain connection may hang, reset or send garbage', async (t) => {
  for (const start of [hanging, resetting, babbling]) t.is(await tcpReason(t, await start(t)), undefined);
});

test('a server with TLS is healthy when the handshake succeeds', async (t) => {
  const address = await tlsServer(t);
  t.is(await tcpReason(t, address, trust), undefined);
  t.is(await tcpReason(t, address.replace('127.0.0.1', 'localhost'), trust), undefined);
  t.is(await tcpReason(t, address, { tls: true, certificate: server.cert }), undefined);
});

const FAULTS: readonly (readonly [
  what: string,
  start: (t: ExecutionContext) => Promise<string>,
  options: Partial<TcpOptions>,
  reason: string,
])[] = [
  ['nothing listens', async () => `127.0.0.1:${await freePort()}`, {}, 'connection refused'],
  ['an unknown host', async () => 'nowhere.invalid:1', {}, 'no such host'],
  ['no handshake', hanging, { ...trust, timeout: 100 }, 'the connection took longer than 0.1s'],
  ['a reset in the handshake', resetting, trust, 'the connection was closed without a response'],
  ['garbage instead of TLS', babbling, trust, 'it does not use TLS'],
  ['a server without TLS', (t) => engineOnPort(t, ok), trust, 'it does not use TLS'],
  ['no CA', (t) => tlsServer(t), { tls: true }, 'its certificate is not signed by a trusted CA'],
  [
    'another CA',
    (t) => tlsServer(t),
    { tls: true, ca: foreignCa.cert },
    'its certificate is not signed by a trusted CA',
  ],
  [
    'another certificate',
    (t) => tlsServer(t),
    { tls: true, certificate: foreignCa.cert },
    'its certificate is not the configured one',
  ],
  [
    'another server name',
    (t) => tlsServer(t),
    { ...trust, serverName: 'elsewhere' },
    'its certificate is not valid for this host name',
  ],
  ['an expired certificate', (t) => tlsServer(t, clients['expired']), trust, 'its certificate has expired'],
  ['no client certificate', strict, trust, 'the TLS handshake failed: handshake failure'],
  [
    'a rejected client certificate',
    strict,
    { ...trust, ...clients['foreign'] },
    'it rejected the client certificate',
  ],
];
for (const [what, start, options, reason] of FAULTS) {
  test(`a TCP check, ${what}: ${reason}`, async (t) => {
    const address = await start(t);
    t.is(await tcpReason(t, address, options), `failed to connect to ${address}: ${reason}`);
  });
}

test('an aborted TCP check ends with the reason and closes its connection', async (t) => {
  let onSocket: (socket: Socket) => void = () => undefined;
  const connected = new Promise<Socket>((resolve) => (onSocket = resolve));
  const address = await bytesOnPort(t, (socket) => onSocket(socket.resume()));
  const { checker } = await startChecker(t, tcp, tcpOptions(address, trust));
  const abort = new AbortController();
  const check = t.throwsAsync(async () => checker.check(abort.signal));
  const socket = await connected;
  abort.abort(new Error('too late'));
  t.is((await check).message, `failed to connect to ${address}: too late`);
  if (!socket.closed) await once(socket, 'close');
});

test('a changed CA is used by the next check', async (t) => {
  const file = join(temporaryFolder(t), 'ca.pem');
  copyFileSync(foreignCa.cert, file);
  const address = await tlsServer(t);
  const { check } = await startChecker(t, tcp, tcpOptions(address, { tls: true, ca: file }));
  t.deepEqual(await check(), {
    '': `failed to connect to ${address}: its certificate is not signed by a trusted CA`,
  });
  copyFileSync(ca.cert, file);
  t.deepEqual(await check(), {});
});

test('stopped checkers of this kind, http and couchdb leave no open handles', (t) => {
  const helper = new URL('../../../helpers/handles-of-network-checkers.js', import.meta.url);
  t.is(
    execFileSync(process.execPath, [helper.pathname], { encoding: 'utf8', timeout: PATIENCE }),
    'checked\n',
  );
});

const INVALID: readonly (readonly [address: string, options: Partial<TcpOptions>, message: string])[] = [
  ['127.0.0.1:0', {}, 'options.address: must be a host and a port to connect to: 127.0.0.1:0'],
  ['localhost:1', { cert: '/c.pem' }, 'options.cert and options.key must be set together'],
];
for (const [address, options, message] of INVALID) {
  test(`${address} with ${JSON.stringify(options)}: ${message}`, (t) => {
    const checker = tcp.create(createTestContext(tcp, tcpOptions(address, options)).context);
    t.throws(() => checker.init?.(), { message });
  });
}
