// The responses of a receiver: the retry table of the OTLP specification, partial success, and hostile receivers.

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import otlp from '../../../../plugins/metrics/otlp/index.js';
import { TestCa } from '../../../helpers/certificates.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { freePort } from '../../../helpers/free-port.js';
import {
  ACCEPT,
  otlpOptions,
  startOtlpReceiver,
  status,
  type OtlpReceiver,
  type Respond,
} from '../../../helpers/otlp-receiver.js';
import { startPushSink, type PushSinkUnderTest } from '../../../helpers/sink-under-test.js';
import { batchOf, sample } from '../../../helpers/statsd-sink.js';
import { stopClock } from '../../../helpers/clock.js';
import { until } from '../../../helpers/until.js';

const BATCH = batchOf({ counters: [sample('a', 1), sample('b', 2), sample('c', 3)] });
const never = (): AbortSignal => new AbortController().signal;

async function start(
  t: ExecutionContext,
  respond: Respond,
  options: Parameters<typeof otlpOptions>[0] = {},
): Promise<PushSinkUnderTest & { receiver: OtlpReceiver }> {
  const receiver = await startOtlpReceiver(t, respond);
  const { endpoint } = receiver;
  return { receiver, ...(await startPushSink(t, otlp, otlpOptions({ endpoint, ...options }))) };
}

/** Responds once, then accepts. */
const once =
  (respond: Respond): Respond =>
  (response, index) =>
    (index === 0 ? respond : ACCEPT)(response, index);

const RETRYABLE = [429, 502, 503, 504];
const NOT_RETRYABLE = [300, 307, 308, 400, 401, 403, 404, 405, 408, 413, 415, 422, 500, 501, 505];

for (const code of RETRYABLE)
  test(`the status ${code} is retried, and the second attempt is accepted`, async (t) => {
    const { sink, receiver, counted } = await start(t, once(status(code)));
    await sink.push.flush(BATCH, never());
    t.is(receiver.requests.length, 2);
    t.deepEqual(receiver.requests[0]?.bytes, receiver.requests[1]?.bytes);
    t.is(await counted('fabric_ops_agent_otlp_retries_total'), 1);
    t.is(await counted('fabric_ops_agent_otlp_flushes_total', 'succeeded'), 1);
  });

for (const code of NOT_RETRYABLE)
  test(`the status ${code} is not retried`, async (t) => {
    const { sink, receiver, counted } = await start(t, once(status(code, '{"code":3,"message":"no"}')));
    const reason = code < 400 ? `HTTP status ${code}; redirects are not followed` : `HTTP status ${code}: no`;
    await t.throwsAsync(sink.push.flush(BATCH, never()), { message: `POST ${receiver.endpoint}: ${reason}` });
    t.is(receiver.requests.length, 1);
    t.is(await counted('fabric_ops_agent_otlp_retries_total'), 0);
    t.is(await counted('fabric_ops_agent_otlp_flushes_total', 'failed'), 1);
    const isBadContent = [400, 413, 422].includes(code);
    t.is(await counted('fabric_ops_agent_otlp_dropped_total', 'rejected'), isBadContent ? 3 : 0);
  });

test('a request is sent at most five times in one push', async (t) => {
  const { sink, receiver } = await start(t, status(503, 'busy'));
  await t.throwsAsync(sink.push.flush(BATCH, never()), {
    message: `POST ${receiver.endpoint}: HTTP status 503: busy`,
  });
  t.is(receiver.requests.length, 5);
});

test('Retry-After in seconds is the wait before the next attempt', async (t) => {
  const { sink, receiver } = await start(t, once(status(429, '', { 'Retry-After': '1' })));
  await sink.push.flush(BATCH, never());
  const [first, second] = receiver.requests.map(({ at }) => at);
  t.true((second ?? 0) - (first ?? 0) >= 950, `${second} ${first}`);
});

for (const [what, header] of [
  ['in seconds', '60'],
  ['as a date', new Date(Date.now() + 3_600_000).toUTCString()],
  ['of many years, which counts as 5 minutes', '99999999999'],
] as const)
  test.serial(`a long Retry-After ${what} ends the push, and the next push sends nothing`, async (t) => {
    stopClock(t);
    const { sink, receiver } = await start(t, once(status(503, '', { 'Retry-After': header })));
    await t.throwsAsync(sink.push.flush(BATCH, never()), {
      message: `POST ${receiver.endpoint}: HTTP status 503`,
    });
    const seconds = header === '60' ? 60 : 300;
    await t.throwsAsync(sink.push.flush(BATCH, never()), {
      message: `POST ${receiver.endpoint}: not sent: the Retry-After of an earlier response ends in ${seconds} s`,
    });
    t.is(receiver.requests.length, 1);
  });

test.serial('after a refusal without Retry-After the next push is sent at once', async (t) => {
  stopClock(t);
  const { sink, receiver } = await start(t, once(status(401)));
  await t.throwsAsync(sink.push.flush(BATCH, never()), {
    message: `POST ${receiver.endpoint}: HTTP status 401`,
  });
  await sink.push.flush(BATCH, never());
  t.is(receiver.requests.length, 2);
});

for (const header of ['soon', '-5', ''])
  test(`Retry-After '${header}' does not delay the next attempt`, async (t) => {
    const { sink, receiver } = await start(t, once(status(503, '', { 'Retry-After': header })));
    await sink.push.flush(BATCH, never());
    t.is(receiver.requests.length, 2);
  });

test('a receiver that closes the connection without a response gets the request again', async (t) => {
  const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy();
  const { sink, receiver } = await start(t, once(reset));
  await sink.push.flush(BATCH, never());
  t.is(receiver.requests.length, 2);
});

test('without a receiver the push fails after its attempts', async (t) => {
  const endpoint = `http://127.0.0.1:${await freePort()}/v1/metrics`;
  const { sink, counted } = await startPushSink(t, otlp, otlpOptions({ endpoint }));
  await t.throwsAsync(sink.push.flush(BATCH, never()), { message: `POST ${endpoint}: connection refused` });
  t.is(await counted('fabric_ops_agent_otlp_retries_total'), 4);
});

test('a receiver that never responds is given up after the timeout, each time', async (t) => {
  const { sink, receiver, counted } = await start(t, () => undefined, { timeout: 50 });
  await t.throwsAsync(sink.push.flush(BATCH, never()), {
    message: `POST ${receiver.endpoint}: no response within 50 ms`,
  });
  t.is(await counted('fabric_ops_agent_otlp_retries_total'), 4);
});

test('an aborted push ends, also during a wait', async (t) => {
  const { sink, receiver } = await start(t, status(503, '', { 'Retry-After': '3' }));
  const abort = new AbortController();
  const push = t.throwsAsync(sink.push.flush(BATCH, abort.signal), {
    message: `POST ${receiver.endpoint}: the agent stops`,
  });
  await until(() => receiver.requests.length === 1);
  abort.abort(new Error('the agent stops'));
  await push;
  t.is(receiver.requests.length, 1);
});

test('a response over 1 MiB is refused, and the request is not sent again', async (t) => {
  const { sink, receiver } = await start(t, status(200, ' '.repeat(2 ** 20 + 1)));
  await t.throwsAsync(sink.push.flush(BATCH, never()), {
    message: `POST ${receiver.endpoint}: the response is larger than 1 MiB`,
  });
  t.is(receiver.requests.length, 1);
});

test('a receiver that announces a compressed response is refused', async (t) => {
  const { sink, receiver } = await start(t, status(200, 'x', { 'Content-Encoding': 'gzip' }));
  await t.throwsAsync(sink.push.flush(BATCH, never()), {
    message: `POST ${receiver.endpoint}: the response has an encoding that was not requested`,
  });
});

test('the target of a redirect gets no request', async (t) => {
  const target = await startOtlpReceiver(t);
  const { sink } = await start(t, status(308, '', { Location: target.endpoint }));
  await t.throwsAsync(sink.push.flush(BATCH, never()));
  t.is(target.requests.length, 0);
});

const PARTIAL: readonly (readonly [body: string, rejected: number, log: string | undefined])[] = [
  [
    '{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"too old"}}',
    2,
    '2 values were rejected: too old',
  ],
  ['{"partialSuccess":{"rejectedDataPoints":1}}', 1, '1 values were rejected'],
  ['{"partialSuccess":{"errorMessage":"use another name"}}', 0, 'all values were accepted: use another name'],
  ['{"partialSuccess":{"rejectedDataPoints":"99999999999999999999","errorMessage":7}}', 0, undefined],
  ['{"partialSuccess":{"rejectedDataPoints":"1000"}}', 3, '3 values were rejected'],
  ['{"partialSuccess":{"rejectedDataPoints":-4}}', 0, undefined],
  ['{"partialSuccess":{}}', 0, undefined],
  ['{"partialSuccess":null}', 0, undefined],
  ['null', 0, undefined],
  ['[]', 0, undefined],
  ['', 0, undefined],
  ['<html>', 0, undefined],
];

for (const [body, rejected, log] of PARTIAL)
  test(`the body '${body}' of a success means ${rejected} rejected values and is not retried`, async (t) => {
    const { sink, receiver, counted, log: lines } = await start(t, status(200, body));
    await sink.push.flush(BATCH, never());
    await sink.push.flush(BATCH, never());
    t.is(receiver.requests.length, 2);
    t.is(await counted('fabric_ops_agent_otlp_dropped_total', 'rejected'), 2 * rejected);
    t.is(await counted('fabric_ops_agent_otlp_flushes_total', 'succeeded'), 2);
    // Logged once.
    t.deepEqual([...lines], log === undefined ? [] : [`warn POST ${receiver.endpoint}: ${log}`]);
  });

test('requests are still sent after a request with refused content', async (t) => {
  const { sink, receiver, counted } = await start(t, once(status(400, '{"message":"bad"}')));
  const counters = Array.from({ length: 12_000 }, (_, index) => sample(`c${index}`, 1));
  await t.throwsAsync(sink.push.flush(batchOf({ counters }), never()), {
    message: `POST ${receiver.endpoint}: HTTP status 400: bad`,
  });
  t.is(receiver.requests.length, 3);
  t.is(await counted('fabric_ops_agent_otlp_dropped_total', 'rejected'), 5_000);
});

test('with TLS the CA and the client certificate are used', async (t) => {
  const directory = temporaryFolder(t);
  const ca = new TestCa(directory, 'ca');
  const [server, client] = [ca.issue('server', 'serverAuth'), ca.issue('client', 'clientAuth')];
  const receiver = await startOtlpReceiver(t, ACCEPT, {
    cert: readFileSync(server.cert),
    key: readFileSync(server.key),
    ca: readFileSync(ca.cert),
    requestCert: true,
    rejectUnauthorized: true,
  });
  const { endpoint } = receiver;
  const push = async (files: Parameters<typeof otlpOptions>[0]): Promise<void> => {
    const { sink } = await startPushSink(t, otlp, otlpOptions({ endpoint, ...files }));
    await sink.push.flush(BATCH, never());
  };
  await push({ ca: ca.cert, ...client });
  t.is(receiver.requests.length, 1);
  await t.throwsAsync(push({ ca: ca.cert }), {
    message: `POST ${endpoint}: it requires a client certificate`,
  });
  t.is(receiver.requests.length, 1);
  await t.throwsAsync(push({ ca: ca.cert, cert: client.cert }), {
    message: 'options.cert and options.key must be set together',
  });
});
