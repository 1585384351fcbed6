// Free ports: real servers.

import { createServer } from 'node:net';
import { once } from 'node:events';
import test from 'ava';
import { freePorts } from '../../../translator/rehearse/ports.js';

test('a port that is taken is not among the free ones', async (t) => {
  const all = Array.from({ length: 22_000 }, (_, index) => 10_000 + index);
  t.deepEqual(await freePorts(1, new Set(all.filter((port) => port !== 10_007))), [10_007]);
  await t.throwsAsync(freePorts(1, new Set(all)), {
    code: 'BAD_NODE',
    message: 'only 0 of 1 ports of 127.0.0.1 from 10000 to 32000 are free',
  });
});

test('zero ports are always free', async (t) => {
  t.deepEqual(await freePorts(0), []);
});

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
