// The addresses on which the server cannot listen.

import test from 'ava';
import { LeveledLoggers } from '../../../core/contract/index.js';
import { createOperationsServer, LIMITS } from '../../../core/http/index.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { startServer } from '../../helpers/server.js';

/** A server that does not listen yet. */
const create = () =>
  createOperationsServer({
    routes: [],
    tls: undefined,
    hosts: [],
    log: new LeveledLoggers({ write: () => undefined }).logger('operations'),
    metrics: new MetricStore(100),
    limits: LIMITS,
  });

test('an address that another server has is an error that names the setting', async (t) => {
  const { port } = await startServer(t);
  const server = create();
  await t.throwsAsync(server.listen({ host: '127.0.0.1', port }), {
    code: 'LISTEN_FAILED',
    message: `cannot listen on 127.0.0.1:${port}: the address is already in use; set operations.listenAddress to another one`,
  });
  t.is(server.address(), undefined);
});

test('an address of another machine is an error', async (t) => {
  await t.throwsAsync(create().listen({ host: '192.0.2.1', port: 0 }), {
    code: 'LISTEN_FAILED',
    message: /^cannot listen on 192\.0\.2\.1:0: (?!the address is already in use).+/,
  });
});

test('without TLS there are no certificates to reload or to check', (t) => {
  const server = create();
  t.notThrows(() => server.reloadTls());
  t.notThrows(() => server.checkTls());
});
