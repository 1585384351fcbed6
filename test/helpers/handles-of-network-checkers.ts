// A program: checks a server that responds and one that hangs. It ends by itself only if the checkers leave no open handles.

import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createTestContext } from '../../core/testing/index.js';
import couchdb from '../../plugins/health/couchdb/index.js';
import http from '../../plugins/health/http/index.js';
import tcp from '../../plugins/health/tcp/index.js';
import { couchDbOptions, httpOptions, tcpOptions } from './network-checkers.js';

const server = createServer((request, response) => {
  if (request.headers.host?.startsWith('localhost') === true) return;
  response.writeHead(200, { Connection: 'keep-alive' });
  response.end('OK');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

for (const host of ['127.0.0.1', 'localhost']) {
  const address = `${host}:${port}`;
  const timeout = 200;
  const checkers = [
    tcp.create(createTestContext(tcp, tcpOptions(address, { timeout })).context),
    tcp.create(createTestContext(tcp, tcpOptions(address, { timeout, tls: true })).context),
    http.create(createTestContext(http, httpOptions(`http://${address}/`, { timeout })).context),
    couchdb.create(createTestContext(couchdb, couchDbOptions(address, { timeout })).context),
  ];
  for (const checker of checkers) {
    await checker.start?.(new AbortController().signal);
    await Promise.resolve(checker.check(new AbortController().signal)).catch(() => undefined);
    await checker.stop?.();
  }
}
// A connection that a checker did not close would keep the server and this process running.
server.close();
connect(port).on('error', () => console.log('checked'));
