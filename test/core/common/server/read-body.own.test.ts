// Reading request bodies, on a server of Node.

import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { scheduler } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { spy } from 'sinon';
import { ByteBudget } from '../../../../core/common/server/byte-budget.js';
import { readBody, type BodyLimits } from '../../../../core/common/server/read-body.js';
import { exchangeRaw, parseResponses } from '../../../helpers/raw-http.js';
import { stopTimeouts } from '../../../helpers/clock.js';
import { until } from '../../../helpers/until.js';

const LIMITS: BodyLimits = { maxSize: 10, maxDiscarded: 5, timeout: 10_000, timeoutKind: 'total' };

/** Starts a server that responds with the body, or with 500 and the problem; it reads the body after `prepare`. */
async function serve(
  t: ExecutionContext,
  limits: Partial<BodyLimits> = {},
  prepare: (request: IncomingMessage) => Promise<unknown> = () => Promise.resolve(),
): Promise<{ port: number; problems: string[] }> {
  const problems: string[] = [];
  const server = createServer();
  for (const event of ['request', 'checkContinue'])
    server.on(event, (request, response) => {
      prepare(request)
        .then(() => readBody(request, response, { ...LIMITS, ...limits }, (problem) => new Error(problem)))
        .then(
          (body) => response.end(body),
          ({ message }: Error) => {
            problems.push(message);
            // Not a chain of calls: restify patches `writeHead`, which then returns nothing.
            response.writeHead(500, { Connection: 'close' });
            response.end(message);
          },
        );
    });
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, problems };
}

const post = (headers: string, body = ''): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n${body}`;
const sized = (size: number): string => post(`Content-Length: ${size}`, 'x'.repeat(size));

/** The status and body of each response. */
async function responsesTo(
  port: number,
  request: string | ((socket: Socket) => void),
): Promise<(number | string)[][]> {
  const { bytes } = await exchangeRaw(port, request);
  return parseResponses(bytes).map(({ status, body }) => [status, body]);
}

const CHUNKED = 'Transfer-Encoding: chunked';
const CASES: Readonly<Record<string, readonly [request: string, status: number, body: string]>> = {
  'no body': [post('Accept: */*'), 200, ''],
  'a body of the limit': [sized(10), 200, 'x'.repeat(10)],
  'a chunked body': [post(CHUNKED, '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'), 200, 'abcde'],
  'a body above the limit, up to maxDiscarded': [sized(15), 500, 'TOO_LARGE'],
  'a chunked body above the limit': [post(CHUNKED, `c\r\n${'x'.repeat(12)}\r\n0\r\n\r\n`), 500, 'TOO_LARGE'],
  'a chunked body above maxDiscarded': [post(CHUNKED, `ff\r\n${'x'.repeat(16)}`), 500, 'TOO_LARGE'],
  'a Content-Length above maxDiscarded, without the body': [post('Content-Length: 16'), 500, 'TOO_LARGE'],
};
for (const [what, [request, status, body]] of Object.entries(CASES)) {
  test(`${what}: ${status} ${body}`, async (t) => {
    const { port } = await serve(t);
    t.deepEqual(await responsesTo(port, request), [[status, body]]);
  });
}

test.serial('a body in 100,000 chunks of one byte is collected in a few pieces', async (t) => {
  const count = 100_000;
  const { port } = await serve(t, { maxSize: count });
  const concat = spy(Buffer, 'concat');
  t.teardown(() => concat.restore());
  const responses = await responsesTo(port, (socket) => {
    socket.write(post(CHUNKED, `${'1\r\na\r\n'.repeat(count)}0\r\n\r\n`));
  });
  t.deepEqual(responses, [[200, 'a'.repeat(count)]]);
  t.deepEqual(
    concat.args.filter(([pieces]) => pieces.length > 100 && pieces[0]?.length === 1),
    [],
  );
});

test('a body above the limit is read to its end before the error', async (t) => {
  const { port, problems } = await serve(t);
  const exchange = responsesTo(port, (socket) => {
    socket.write(post('Content-Length: 15', 'x'.repeat(14)));
    setTimeout(() => {
      t.deepEqual(problems, []);
      socket.write('x');
    }, 200);
  });
  t.deepEqual(await exchange, [[500, 'TOO_LARGE']]);
});

test('a client that sends Expect: 100-continue receives 100 Continue', async (t) => {
  const { port } = await serve(t);
  const exchange = responsesTo(port, (socket) => {
    socket.write(post('Expect: 100-continue\r\nContent-Length: 3'));
    socket.once('data', () => socket.write('abc'));
  });
  t.deepEqual(await exchange, [
    [100, ''],
    [200, 'abc'],
  ]);
});

test('Expect: 100-continue with a Content-Length above the limit is an error without 100 Continue', async (t) => {
  const { port } = await serve(t);
  const request = post('Expect: 100-continue\r\nContent-Length: 11');
  t.deepEqual(await responsesTo(port, request), [[500, 'TOO_LARGE']]);
});

test('a client that announces a body of the limit receives 100 Continue', async (t) => {
  const { port } = await serve(t);
  const exchange = responsesTo(port, (socket) => {
    socket.write(post('Expect: 100-continue\r\nContent-Length: 10'));
    socket.once('data', () => socket.write('0123456789'));
  });
  t.deepEqual(await exchange, [
    [100, ''],
    [200, '0123456789'],
  ]);
});

test('HTTP/1.0 receives no 100 Continue', async (t) => {
  const { port } = await serve(t);
  const request = post('Expect: 100-continue\r\nContent-Length: 3', 'abc').replace('HTTP/1.1', 'HTTP/1.0');
  t.deepEqual(await responsesTo(port, request), [[200, 'abc']]);
});

for (const [timeoutKind, status, expected] of [
  ['total', 500, 'TIMED_OUT'],
  ['idle', 200, 'xxxxxx'],
] as const)
  test.serial(
    `of 6 bytes with pauses of 300 ms, a timeout of 400 ms of the kind ${timeoutKind}: ${expected}`,
    async (t) => {
      const clock = stopTimeouts(t);
      let received = (): number => 0;
      const { port, problems } = await serve(t, { timeout: 400, timeoutKind }, async ({ socket }) => {
        received = () => socket.bytesRead;
      });
      const head = post('Content-Length: 6');
      const send = async (socket: Socket): Promise<void> => {
        socket.write(head);
        for (let sent = 1; sent <= 6; sent += 1) {
          socket.write('x');
          await until(() => received() === head.length + sent || problems.length > 0);
          clock.tick(300);
        }
      };
      const exchange = responsesTo(port, (socket) => void send(socket));
      t.deepEqual(await exchange, [[status, expected]]);
    },
  );

test('a body that stalls exceeds an idle timeout', async (t) => {
  const { port } = await serve(t, { timeout: 200, timeoutKind: 'idle' });
  t.deepEqual(await responsesTo(port, post('Content-Length: 2', 'x')), [[500, 'TIMED_OUT']]);
});

for (const timeoutKind of ['total', 'idle'] as const) {
  test(`data that arrived while the event loop was blocked is in time for a timeout of kind ${timeoutKind}`, async (t) => {
    const { port } = await serve(t, { timeout: 200, timeoutKind });
    const exchange = responsesTo(port, (socket) => {
      socket.write(post('Content-Length: 2', 'x'));
      setTimeout(() => {
        socket.write('x');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      }, 50);
    });
    t.deepEqual(await exchange, [[200, 'xx']]);
  });
}

const closed = (request: IncomingMessage): Promise<unknown> =>
  new Promise((resolve) => request.on('error', () => undefined).on('close', resolve));

for (const [when, prepare] of [
  ['while the body is read', () => Promise.resolve()],
  ['before the body is read', closed],
] as const) {
  test(`a client that disconnects ${when}: CUT_OFF`, async (t) => {
    const { port, problems } = await serve(t, {}, prepare);
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(post('Content-Length: 9', 'x'), () => setTimeout(() => socket.resetAndDestroy(), 100));
    });
    while (problems.length === 0) await scheduler.wait(10);
    t.deepEqual(problems, ['CUT_OFF']);
  });
}

test('of bodies that need more memory than all may have, the one without progress is refused', async (t) => {
  const budget = new ByteBudget(10);
  const { port, problems } = await serve(t, { budget });
  let first: Socket | undefined;
  let received = 0;
  const stalled = responsesTo(port, (socket) => {
    first = socket;
    socket.write(post('Content-Length: 8', '0123'));
  });
  await until(() => first !== undefined);
  // The first body has begun before the second one is sent.
  await until(async () => {
    received += 1;
    const answer = responsesTo(port, post('Content-Length: 7', '0123456'));
    t.deepEqual(await answer, [[200, '0123456']]);
    return problems.length > 0;
  });
  t.deepEqual(await stalled, [[500, 'EVICTED']]);
  t.true(received > 0);
  t.deepEqual(problems, ['EVICTED']);
});

test('a body that was read, refused or cut off needs no memory any more', async (t) => {
  const evicted: string[] = [];
  const budget = new ByteBudget(10);
  const other = budget.open(() => void evicted.push('other'));
  const { port, problems } = await serve(t, { budget });
  t.deepEqual(await responsesTo(port, sized(10)), [[200, 'x'.repeat(10)]]);
  t.deepEqual(await responsesTo(port, sized(12)), [[500, 'TOO_LARGE']]);
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(post('Content-Length: 9', 'x'), () => socket.resetAndDestroy());
  });
  await until(() => problems.length === 2);
  const last = budget.open(() => void evicted.push('last'));
  last.add(10);
  t.deepEqual(evicted, []);
  other.add(1);
  t.deepEqual(evicted, ['last']);
});
