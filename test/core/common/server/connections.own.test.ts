// The connections of a server that is closed.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { Connections } from '../../../../core/common/server/connections.js';
import { stopTimeouts } from '../../../helpers/clock.js';
import { PATIENCE } from '../../../helpers/patience.js';

/** A server with one connection on which nothing was sent. */
async function start(t: ExecutionContext) {
  const clock = stopTimeouts(t);
  const server = createServer((_, response) => response.end('ok'));
  const connections = new Connections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await accepted;
  return { clock, socket, close: () => connections.close(PATIENCE) };
}

test.serial('a request that arrives when the server is closed gets its response', async (t) => {
  const { socket, close } = await start(t);
  const closed = close();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  t.regex(await text(socket), /^HTTP\/1\.1 200 /);
  await closed;
});

test.serial(
  'a connection without a request does not delay the end, after which no timeout is left',
  async (t) => {
    const { clock, socket, close } = await start(t);
    socket.on('error', () => undefined).resume();
    const ended = once(socket, 'close');
    await close();
    await ended;
    t.is(clock.countTimers(), 0);
  },
);
