// Responses with server-sent events: how many there can be, what keeps them open, and clients that do not read.

import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { EventStreams } from '../../../core/http/event-streams.js';
import { LIMITS } from '../../../core/http/limits.js';
import { until } from '../../helpers/until.js';

/** Starts streams, with functions that send an event to all of them and open one. The timer of the streams is stopped. */
async function startStreams(t: ExecutionContext, limits: Partial<typeof LIMITS> = {}) {
  const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldClearNativeTimers: true });
  t.teardown(() => clock.restore());
  const streams = new EventStreams({ ...LIMITS, ...limits });
  const listeners = new Set<(text: string) => void>();
  const server = createServer(({ url = '' }, response) => {
    streams.start(response, url, (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const open = async (client: string): Promise<{ response: IncomingMessage; received: () => string }> => {
    const request = get({ host: '127.0.0.1', port, path: client, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    let text = '';
    return {
      response,
      received: () => {
        text += (response.read() as Buffer | null)?.toString() ?? '';
        return text;
      },
    };
  };
  const send = (text: string): void => {
    for (const listener of listeners) listener(text);
  };
  return { clock, streams, listeners, open, send };
}

test.serial(
  'on a response without events a comment is sent every 15 s, until the last client has left',
  async (t) => {
    const { clock, listeners, open } = await startStreams(t);
    t.is(clock.countTimers(), 0);
    const [first, second] = [await open('/a'), await open('/b')];
    t.is(clock.countTimers(), 1);
    clock.tick(14_999);
    clock.tick(1);
    await until(() => first.received() === ':\n\n' && second.received() === ':\n\n');
    first.response.destroy();
    await until(() => listeners.size === 1);
    clock.tick(15_000);
    await until(() => second.received() === ':\n\n:\n\n');
    second.response.destroy();
    await until(() => listeners.size === 0);
    t.is(clock.countTimers(), 0);
  },
);

test.serial('a client that does not read its events loses its connection, and others get them', async (t) => {
  const { listeners, open, send } = await startStreams(t);
  const [slow, other] = [await open('/slow'), await open('/other')];
  other.response.resume();
  let received = 0;
  other.response.on('data', (chunk: Buffer) => (received += chunk.length));
  const text = 'x'.repeat(2 ** 20);
  let sent = 0;
  // The buffers of the operating system take some MiB.
  for (; listeners.size === 2; sent += 1) {
    send(text);
    await until(() => received === (sent + 1) * text.length);
  }
  t.true(sent >= 2);
  t.is(listeners.size, 1);
  slow.response.resume();
  await until(() => slow.response.destroyed);
  t.false(slow.response.complete);
  t.false(other.response.destroyed);
});

for (const [unsent, isWritten] of [
  [1_048_576, true],
  [1_048_577, false],
] as const)
  test(`the connection of a client that has left ${unsent} bytes unread is ${isWritten ? 'kept' : 'closed'} at the next event`, (t) => {
    const calls: string[] = [];
    const response = Object.assign(new EventEmitter(), {
      writableLength: unsent,
      writableEnded: false,
      destroyed: false,
      flushHeaders: () => undefined,
      end: () => calls.push('end'),
      write: (text: string) => calls.push(`write ${text}`),
      destroy: () => calls.push('destroy'),
    });
    const streams = new EventStreams(LIMITS);
    let send: (text: string) => void = () => undefined;
    streams.start(response as unknown as ServerResponse, '/a', (listener) => {
      send = listener;
      return () => undefined;
    });
    send('x');
    streams.end();
    t.deepEqual(calls, [isWritten ? 'write x' : 'destroy', 'end']);
  });

test.serial('each client has as many responses as allowed, and all together too', async (t) => {
  const { streams, open, listeners } = await startStreams(t, {
    maxEventStreams: 3,
    maxEventStreamsOfClient: 2,
  });
  t.is(streams.refusalOf('/a'), undefined);
  const first = await open('/a');
  t.is(streams.refusalOf('/a'), undefined);
  await open('/a');
  t.is(
    streams.refusalOf('/a'),
    'too many responses with events to this client: it has 2, the most that one client can have',
  );
  t.is(streams.refusalOf('/b'), undefined);
  await open('/b');
  t.is(streams.refusalOf('/c'), 'too many responses with events');
  first.response.destroy();
  await until(() => listeners.size === 2);
  t.is(streams.refusalOf('/a'), undefined);
});

test.serial('at the end all responses end, and nothing more is sent', async (t) => {
  const { clock, streams, open, send } = await startStreams(t);
  const { response, received } = await open('/a');
  send('data: 1\n\n');
  streams.end();
  t.is(clock.countTimers(), 0);
  t.notThrows(() => send('data: 2\n\n'));
  let text = '';
  await until(() => {
    text = received();
    return response.complete;
  });
  t.is(text, 'data: 1\n\n');
});
