// Servers that do not respond like orderers: every call ends, and it is known whether the request was sent. The clock of the process is replaced.

import type { ServerHttp2Stream } from 'node:http2';
import test, { type ExecutionContext } from 'ava';
import { openOrderer, type FailedRequest, type OpenedOrderer } from '../../../translator/orderer/index.js';
import { stopTimeouts } from '../../helpers/clock.js';
import { frame, grpcServer, refuse, respond, tcpServer, type Respond } from '../../helpers/grpc-server.js';

const TIMEOUT = 10_000;
const REQUEST = new Uint8Array([1]);

/** A server, and how many requests, or connections if it is no gRPC server, have arrived. */
interface Hostile {
  readonly port: number;
  readonly arrived: () => number;
}

type Start = (t: ExecutionContext) => Promise<Hostile>;

const streams =
  (respondTo: Respond): Start =>
  async (t) => {
    let count = 0;
    const { address } = await grpcServer(t, (stream, ...request) => {
      count += 1;
      respondTo(stream, ...request);
    });
    return { port: address.port, arrived: () => count };
  };
const bytes =
  (text: string): Start =>
  async (t) => {
    const { address, connections } = await tcpServer(t, (socket) => void (text !== '' && socket.write(text)));
    return { port: address.port, arrived: connections };
  };

/** Begins a response and writes chunks until the stream is closed. */
const endless =
  (begin: Buffer, chunk: Buffer): Respond =>
  (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.write(begin);
    const write = (): void => {
      while (!stream.destroyed && stream.write(chunk));
    };
    stream.on('drain', write);
    write();
  };

const open = async (t: ExecutionContext, { port }: Hostile): Promise<OpenedOrderer> => {
  const orderer = await openOrderer({ address: `127.0.0.1:${port}`, cas: undefined, timeout: TIMEOUT });
  t.teardown(() => orderer.close());
  return orderer;
};

/** The codes of the error of a broadcast. */
const codeOf = (isSent: boolean): string => (isSent ? 'NOT_SEEN' : 'UNREACHABLE');

/** A message of 64 MiB that is sent only partly. */
const LONG_MESSAGE = Buffer.from([0, 4, 0, 0, 0]);

const SILENT: readonly (readonly [what: string, start: Start, isSent: boolean])[] = [
  ['a server that accepts connections and sends nothing', bytes(''), false],
  ['an orderer that does not respond', streams(() => undefined), true],
  [
    'an orderer that responds with headers alone',
    streams((stream) => stream.respond({ ':status': 200, 'content-type': 'application/grpc' })),
    true,
  ],
  [
    'an orderer that sends a part of a message',
    streams((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.write(Buffer.concat([LONG_MESSAGE, Buffer.alloc(1000)]));
    }),
    true,
  ],
];

for (const [what, start, isSent] of SILENT)
  for (const end of ['the time limit', 'an abort', 'close'] as const)
    test.serial(`${what}: ${end} ends the calls`, async (t) => {
      const server = await start(t);
      const clock = stopTimeouts(t);
      const orderer = await open(t, server);
      const controller = new AbortController();
      const calls = [
        orderer.request(REQUEST, controller.signal),
        orderer.deliver(REQUEST, controller.signal),
      ];
      const broadcasts = end === 'an abort' ? [] : [orderer.broadcast(REQUEST)];
      const needed = isSent ? calls.length + broadcasts.length : 1;
      while (server.arrived() < needed) await new Promise((resolve) => void setImmediate(resolve));
      if (end === 'an abort') controller.abort();
      else if (end === 'close') orderer.close();
      else clock.tick(TIMEOUT);
      t.like(await calls[0], { isSent, isRefused: false });
      await t.throwsAsync(calls[1]!, { code: 'UNREACHABLE' });
      for (const each of broadcasts) await t.throwsAsync(each, { code: codeOf(isSent) });
    });

test.serial('a call with a signal that has aborted ends at once', async (t) => {
  const server = await streams(() => undefined)(t);
  stopTimeouts(t);
  const orderer = await open(t, server);
  t.like(await orderer.request(REQUEST, AbortSignal.abort()), { isSent: false });
});

test.serial('a call of an orderer that was closed is an error', async (t) => {
  const server = await streams(() => undefined)(t);
  stopTimeouts(t);
  const orderer = await open(t, server);
  orderer.close();
  const reason = 'the connection was closed';
  t.deepEqual(await orderer.request(REQUEST), { sign: 'unknown', isRefused: false, isSent: false, reason });
  await t.throwsAsync(orderer.broadcast(REQUEST), { code: 'UNREACHABLE' });
});

const ENDING: readonly (readonly [what: string, start: Start, isSent: boolean, reason: string])[] = [
  [
    'HTTP/1.1 101',
    bytes('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    false,
    'it closed the connection, probably because it uses TLS',
  ],
  [
    'HTML over HTTP/1.1',
    bytes('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>'),
    false,
    'it closed the connection, probably because it uses TLS',
  ],
  [
    'HTML',
    streams(refuse({ ':status': 200, 'content-type': 'text/html' }, '<html>')),
    true,
    'Received message larger than max (1752460652 vs 104857600)',
  ],
  [
    '502 and HTML',
    streams(refuse({ ':status': 502, 'content-type': 'text/html' }, '<html>')),
    true,
    'Received HTTP status code 502',
  ],
  [
    'a closed stream',
    streams((stream: ServerHttp2Stream) => stream.close()),
    true,
    'Received RST_STREAM with code 0 (Call ended without gRPC status)',
  ],
  [
    'a closed connection',
    streams((stream: ServerHttp2Stream) => stream.session!.destroy()),
    true,
    'Connection dropped',
  ],
  ['a status and no message', streams(respond(Buffer.alloc(0), '13', 'no')), true, 'no'],
  [
    'a message that never ends',
    streams(endless(Buffer.from([0, 0x7f, 0, 0, 0]), Buffer.alloc(16_384))),
    true,
    'Received message larger than max (2130706432 vs 104857600)',
  ],
];

for (const [what, start, isSent, reason] of ENDING)
  test.serial(`${what} as the response ends a call: ${reason}`, async (t) => {
    const server = await start(t);
    stopTimeouts(t);
    const orderer = await open(t, server);
    const found = await orderer.request(REQUEST);
    t.like(found, { isSent, isRefused: false });
    t.is((found as FailedRequest).reason, reason);
    await t.throwsAsync(orderer.deliver(REQUEST), { code: 'UNREACHABLE', message: reason });
    await t.throwsAsync(orderer.broadcast(REQUEST), { code: codeOf(isSent), message: reason });
  });

test.serial('only the first of endless responses is read', async (t) => {
  const server = await streams(endless(frame(8, 0x94, 3), frame(8, 200, 1)))(t);
  stopTimeouts(t);
  const orderer = await open(t, server);
  const message = 'the channel or the block does not exist there (404)';
  await t.throwsAsync(orderer.deliver(REQUEST), { code: 'REFUSED', message });
  t.deepEqual(await orderer.broadcast(REQUEST), { status: 404, info: '' });
});

test.serial('a response to a broadcast that cannot be read leaves it unclear', async (t) => {
  const server = await streams(respond(frame(0xff)))(t);
  stopTimeouts(t);
  const orderer = await open(t, server);
  await t.throwsAsync(orderer.broadcast(REQUEST), {
    code: 'NOT_SEEN',
    message: 'its response cannot be read: proto: cannot parse invalid wire-format data',
  });
});
