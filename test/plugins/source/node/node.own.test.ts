// The source against stand-ins for a node, healthy and hostile ones.

import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { AgentError, SourceError } from '../../../../core/contract/index.js';
import type { SourceFailure } from '../../../../core/contract/errors.js';
import { readingProblem } from '../../../../core/contract/reading-problem.js';
import { bytesOnPort, engineOnPort } from '../../../helpers/engine.js';
import { freePort } from '../../../helpers/free-port.js';
import { startSource } from '../../../helpers/node-plugins.js';
import { samplesOfFamilies, samplesOfText } from '../../../helpers/source-samples.js';

const { signal } = new AbortController();
// Tests run concurrently.
setMaxListeners(0, signal);
const PEER = readFileSync('test/vectors/node/peer-metrics.txt', 'utf8');

const respond =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

test('a reading has the families of the node and its start time', async (t) => {
  const requests: unknown[] = [];
  const address = await engineOnPort(t, (request, response) => {
    requests.push([request.method, request.url, request.headers['accept-encoding']]);
    respond(200, PEER)(request, response);
  });
  const source = await startSource(t, address);
  const { families, startTime } = await source.read(signal);
  t.deepEqual(samplesOfFamilies(families), samplesOfText(PEER));
  t.is(startTime, Number(/^process_start_time_seconds (.*)$/m.exec(PEER)?.[1]));
  t.deepEqual(requests, [['GET', '/metrics', 'identity']]);
});

test('families have the buckets and the label order of StatsD', async (t) => {
  const source = await startSource(t, await engineOnPort(t, respond(200, PEER)));
  const { families } = await source.read(signal);
  const family = families.find(({ name }) => name === 'ledger_transaction_count');
  t.deepEqual(family?.parts, { namespace: 'ledger', subsystem: '', name: 'transaction_count' });
  t.deepEqual(Object.keys(family?.series[0]?.labels ?? {}), [
    'channel',
    'transaction_type',
    'chaincode',
    'validation_code',
  ]);
});

test('a reading without process_start_time_seconds has no start time', async (t) => {
  const source = await startSource(t, await engineOnPort(t, respond(200, 'a 1\n')));
  t.false('startTime' in (await source.read(signal)));
});

for (const value of ['9e15', '7258118400', 'NaN', '+Inf', '-1', '0'])
  test(`a reading with process_start_time_seconds ${value} has no start time, and is valid`, async (t) => {
    const text = `process_start_time_seconds ${value}\n`;
    const source = await startSource(t, await engineOnPort(t, respond(200, text)));
    const reading = await source.read(signal);
    t.false('startTime' in reading);
    t.is(await readingProblem(reading), undefined);
  });

test('with metrics: false a reading is empty and sends no request, and the node says that', async (t) => {
  const source = await startSource(t, `127.0.0.1:${await freePort()}`, { metrics: false });
  t.deepEqual(await source.read(signal), { families: [] });
  t.false(source.node.metrics);
});

test('readings share one connection', async (t) => {
  const sockets = new Set<unknown>();
  const address = await engineOnPort(t, (request, response) => {
    sockets.add(request.socket);
    respond(200, 'a 1\n')(request, response);
  });
  const source = await startSource(t, address);
  for (let count = 0; count < 3; count += 1) await source.read(signal);
  t.is(sockets.size, 1);
});

test('a request on a connection that the node has closed meanwhile is sent again', async (t) => {
  let count = 0;
  const address = await bytesOnPort(t, (socket) => {
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      count += 1;
      // A node that was restarted: the first request on a kept connection gets no response.
      if (requests > 1) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na 1\n');
    });
  });
  const source = await startSource(t, address);
  await source.read(signal);
  t.is((await source.read(signal)).families.length, 1);
  t.is(count, 3);
});

/** Responses of a node, and why the reading is refused. */
const RESPONSES: readonly (readonly [
  title: string,
  listener: RequestListener,
  failure: SourceFailure,
  reason: string,
])[] = [
  [
    '404',
    respond(404, '404 page not found\n'),
    'status',
    'HTTP status 404: the metrics provider of the node is not prometheus',
  ],
  [
    '401',
    respond(401, ''),
    'status',
    'HTTP status 401: the node requires a client certificate that it trusts',
  ],
  ['500', respond(500, '{"error":"x\\ny"}'), 'status', 'HTTP status 500: x y'],
  ['204', respond(204, ''), 'status', 'HTTP status 204'],
  [
    'a redirect',
    respond(302, '', { Location: 'http://127.0.0.1:1/metrics' }),
    'status',
    'HTTP status 302; redirects are not followed',
  ],
  ['HTML', respond(200, '<html></html>\n'), 'invalid', 'line 1: it does not begin with a valid metric name'],
  ['bytes that are not UTF-8', respond(200, Buffer.from([97, 0xff, 10])), 'invalid', 'the text is not UTF-8'],
  [
    'gzip, which was not requested',
    respond(200, gzipSync(Buffer.alloc(1024 * 1024)), { 'Content-Encoding': 'gzip' }),
    'invalid',
    'the response has an encoding that was not requested',
  ],
  [
    '100,000 series',
    respond(200, Array.from({ length: 100_000 }, (_, at) => `a{b="${at}"} 1\n`).join('')),
    'too_large',
    'line 50001: more than 50000 samples',
  ],
  [
    'a large Content-Length',
    (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100000000' });
      response.flushHeaders();
    },
    'too_large',
    'the response is larger than 8 MiB',
  ],
  [
    'a body over 8 MiB without a Content-Length',
    respond(200, Buffer.alloc(8 * 1024 * 1024 + 1, 'a 1\n')),
    'too_large',
    'the response is larger than 8 MiB',
  ],
];
for (const [title, listener, failure, reason] of RESPONSES)
  test(`refused: ${title}`, async (t) => {
    const address = await engineOnPort(t, listener);
    const source = await startSource(t, address);
    const error = await t.throwsAsync(source.read(signal), { instanceOf: SourceError });
    t.is(error.message, `GET http://${address}/metrics: ${reason}`);
    t.is(error.failure, failure);
  });

for (const [title, bytes, failure, reason] of [
  [
    'in the middle of the body',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na 1\n\r\n',
    'unreachable',
    'the response was truncated',
  ],
  [
    'after a chunk without a size',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    'invalid',
    'the response is not HTTP',
  ],
] as const)
  test(`a connection that ends ${title}: ${failure}, ${reason}`, async (t) => {
    const address = await bytesOnPort(t, (socket) => socket.once('data', () => socket.end(bytes)));
    const source = await startSource(t, address);
    const error = await t.throwsAsync(source.read(signal), { instanceOf: SourceError });
    t.is(error.message, `GET http://${address}/metrics: ${reason}`);
    t.is(error.failure, failure);
  });

test('a node that sends its body slowly is given up at the deadline', async (t) => {
  const abort = new AbortController();
  const address = await engineOnPort(t, (_request, response) => {
    const drip = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(drip));
    setTimeout(() => abort.abort(new DOMException('too late', 'TimeoutError')), 50);
  });
  const source = await startSource(t, address);
  const error = await t.throwsAsync(source.read(abort.signal), { instanceOf: SourceError });
  t.is(error.failure, 'timeout');
  t.is(error.message, `GET http://${address}/metrics: too late`);
});

test('a port without a listener is unreachable', async (t) => {
  const address = `127.0.0.1:${await freePort()}`;
  const source = await startSource(t, address);
  const error = await t.throwsAsync(source.read(signal), { instanceOf: SourceError });
  t.is(error.message, `GET http://${address}/metrics: connection refused`);
  t.is(error.failure, 'unreachable');
});

test('a request is forwarded with its body and id, and every response but a redirect is returned', async (t) => {
  const requests: unknown[] = [];
  const address = await engineOnPort(t, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { 'x-request-id': id, 'content-type': type, 'content-length': length } = request.headers;
      requests.push([request.method, request.url, id, type, length, body]);
      respond(400, '{"error":"é"}', { 'Content-Type': 'application/json' })(request, response);
    });
  });
  const { node } = await startSource(t, address, { kind: 'orderer' });
  t.is(node.kind, 'orderer');
  const body = '{"spec":"débug"}';
  const response = await node.request({ method: 'PUT', path: '/logspec', body, requestId: 'abc', signal });
  t.is(response.status, 400);
  t.is(response.contentType, 'application/json');
  t.is(response.body.toString(), '{"error":"é"}');
  await node.request({ method: 'GET', path: '/version', signal });
  t.deepEqual(requests, [
    ['PUT', '/logspec', 'abc', 'application/json', '17', body],
    ['GET', '/version', undefined, undefined, undefined, ''],
  ]);
});

test('a forwarded request to a node that is down, redirects or sends too much fails', async (t) => {
  const failureOf = async (address: string): Promise<unknown> => {
    const { node } = await startSource(t, address);
    const error = await t.throwsAsync(node.request({ method: 'GET', path: '/logspec', signal }), {
      instanceOf: AgentError,
    });
    return [error.code, error.message.replace(`GET http://${address}/logspec: `, '')];
  };
  t.deepEqual(await failureOf(`127.0.0.1:${await freePort()}`), ['NODE_UNREACHABLE', 'connection refused']);
  t.deepEqual(await failureOf(await engineOnPort(t, respond(301, ''))), [
    'NODE_UNREACHABLE',
    'HTTP status 301; redirects are not followed',
  ]);
  t.deepEqual(await failureOf(await engineOnPort(t, respond(200, 'x'.repeat(2 ** 20 + 1)))), [
    'NODE_UNREACHABLE',
    'the response is larger than 1 MiB',
  ]);
});

test('a body of 65,536 bytes is forwarded, a larger one is refused', async (t) => {
  const { node } = await startSource(t, await engineOnPort(t, respond(204, '')));
  const put = (body: string): Promise<{ readonly status: number }> =>
    node.request({ method: 'PUT', path: '/logspec', body, signal });
  t.is((await put('é'.repeat(32 * 1024))).status, 204);
  await t.throwsAsync(put(`${'é'.repeat(32 * 1024)}a`), {
    code: 'BODY_TOO_LARGE',
    message: 'a body of 65537 bytes is not forwarded to the node',
  });
});

test('forwarded metrics may be larger than 1 MiB', async (t) => {
  const text = 'x'.repeat(2 ** 20 + 1);
  const { node } = await startSource(t, await engineOnPort(t, respond(200, text)));
  const { body } = await node.request({ method: 'GET', path: '/metrics', signal });
  t.is(body.length, text.length);
});

for (const address of [':9443', '127.0.0.1:0'])
  test(`the address ${address} is refused, since nothing can be connected to there`, async (t) => {
    await t.throwsAsync(startSource(t, address), {
      message: `options.address: must be a host and a port to connect to: ${address}`,
    });
  });

test('a stopped source does not read', async (t) => {
  const source = await startSource(t, await engineOnPort(t, respond(200, 'a 1\n')));
  await source.stop?.();
  await t.throwsAsync(source.read(signal), { message: 'the plugin is not started' });
});
