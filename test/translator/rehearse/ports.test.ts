// Free ports: real servers.

import { createServer } from 'node:net';
import { once } from 'node:events';
import test from 'ava';
import { freePorts } from '../../../translator/rehearse/ports.js';

test('free ports are different, and servers can listen on them', async (t) => {
  const ports = await freePorts(20);
  t.is(new Set(ports).size, 20);
  for (const port of ports) {
    const server = createServer().listen(port, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
  }
  t.true(ports.every((port) => port >= 10_000 && port < 32_000));
});
