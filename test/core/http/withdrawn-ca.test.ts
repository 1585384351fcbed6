// A client CA that is withdrawn by a reload: its clients lose their open connections.

import { copyFileSync } from 'node:fs';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { connect } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import type { Route } from '../../../core/http/index.js';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { ECHO_ROUTE, startServer } from '../../helpers/server.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

/** A server with two client CAs, of which the second one can be withdrawn. */
async function start(t: ExecutionContext, routes: readonly Route[]) {
  const folder = temporaryFolder(t);
  const [own, other] = [new TestCa(folder, 'own'), new TestCa(folder, 'other')];
  const leaf = own.issue('agent', 'serverAuth');
  const second = join(folder, 'second.pem');
  copyFileSync(other.cert, second);
  const { port, server } = await startServer(t, routes, {
    certFile: leaf.cert,
    keyFile: leaf.key,
    clientRootCAFiles: [own.cert, second],
    clientAuthRequired: false,
  });
  return {
    port,
    reload: () => server.reloadTls(),
    withdraw: () => copyFileSync(own.cert, second),
    client: clientOptions(own.cert, other.issue('client', 'clientAuth')),
  };
}

test('idle connections of its clients are closed, and new ones get 401', async (t) => {
  const { port, reload, withdraw, client } = await start(t, [ECHO_ROUTE]);
  const socket = connect({ port, host: '127.0.0.1', ...client });
  t.teardown(() => socket.destroy());
  socket.write('GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [first] = (await once(socket, 'data')) as [Buffer];
  t.regex(first.toString(), /^HTTP\/1\.1 200 /);
  const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  withdraw();
  reload();
  await closed;
  t.is((await sendTlsRequest(port, '/echo', client)).status, 401);
});

test('a request in flight is completed, then its connection is closed; events end', async (t) => {
  let [open, reach] = [(): void => undefined, (): void => undefined];
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const gate: Route = {
    path: '/gate',
    handlers: {
      GET: async () => {
        reach();
        await new Promise<void>((resolve) => (open = resolve));
        return { status: 200, body: 'done' };
      },
    },
  };
  const events: Route = {
    path: '/events',
    handlers: {
      GET: () => ({
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
        events: () => () => undefined,
      }),
    },
  };
  const { port, reload, withdraw, client } = await start(t, [gate, events]);
  const options = { port, host: '127.0.0.1', ...client };
  const stream = request({ ...options, path: '/events', agent: false }).end();
  const [listener] = (await once(stream, 'response')) as [IncomingMessage];
  const ended = once(listener.resume(), 'end');
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const pending = sendTlsRequest(port, '/gate', { ...client, agent });
  await reached;
  withdraw();
  reload();
  await ended;
  open();
  t.is((await pending).body, 'done');
  t.is((await sendTlsRequest(port, '/gate', { ...client, agent })).status, 401);
});

test('a reload that withdraws no CA closes nothing', async (t) => {
  const { port, reload, client } = await start(t, [ECHO_ROUTE]);
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  await sendTlsRequest(port, '/echo', { ...client, agent });
  reload();
  const { status, isKept } = await sendTlsRequest(port, '/echo', { ...client, agent });
  t.deepEqual([status, isKept], [200, true]);
});
