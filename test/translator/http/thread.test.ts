// Large bodies are translated in a thread, while the service handles other requests.

import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '../../../translator/http/operations.js';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { decode, encode, TranslateError } from '../../../proto/index.js';
import { MAX_LOOP_BODY, THREAD_IDLE_TIMEOUT } from '../../../translator/http/limits.js';
import { stopTimeouts } from '../../helpers/clock.js';
import { sendRequest, type ParsedResponse } from '../../helpers/raw-http.js';
import { BOUNDARY, FAKES, rawRequest, startTranslator, writeForm } from '../../helpers/translator.js';

const FORM = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const SIZE = MAX_LOOP_BODY + 8_000;
const TOO_BUSY = 'too many requests are in progress; try again later\n';
const NO_MEMORY =
  'the translation of this body takes more memory than the service has; send a smaller body\n';

/** A text that is too large for the event loop, with a command for the thread of the test (test/helpers/fake-thread.ts). */
const large = (command: string): string => `${command} `.padEnd(SIZE, 'x');
const decoding = (body: string): Buffer => rawRequest('POST /protolator/decode/test.Echo', [], body);
const encoding = (body: string): Buffer => rawRequest('POST /protolator/encode/test.Echo', [], body);

async function post(port: number, request: Buffer): Promise<ParsedResponse> {
  const [response] = await sendRequest(port, request);
  return response!;
}

/** A body that the thread translates until it is released. */
interface Held {
  readonly body: string;
  /** The thread translates it. */
  readonly isHeld: Promise<unknown>;
  readonly release: () => void;
}

function holdThread(t: ExecutionContext): Held {
  const name = randomUUID();
  const channel = new BroadcastChannel(name);
  t.teardown(() => channel.close());
  const isHeld = new Promise((resolve) => channel.addEventListener('message', resolve, { once: true }));
  // The rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  return { body: large(`hold ${name}`), isHeld, release: () => channel.postMessage(undefined) };
}

const ROUTES: readonly (readonly [string, (body: string) => Buffer])[] = [
  ['decode', decoding],
  ['encode', encoding],
  [
    'compute',
    (body) => {
      const parts = ['original', 'updated'].map((name) => ({ name, filename: name, content: body + name }));
      return rawRequest('POST /configtxlator/compute/update-from-configs', [FORM], writeForm(parts));
    },
  ],
];

for (const [what, toRequest] of ROUTES)
  test(`while the large body of ${what} is translated, small requests are answered`, async (t) => {
    const { port } = await startTranslator(t);
    const { body, isHeld, release } = holdThread(t);
    let isAnswered = false;
    const answer = post(port, toRequest(body)).finally(() => (isAnswered = true));
    await isHeld;
    t.is((await post(port, rawRequest('GET /healthz'))).status, 200);
    for (const [, toSmall] of ROUTES) t.is((await post(port, toSmall('abc'))).status, 200);
    t.false(isAnswered);
    release();
    t.is((await answer).status, 200);
  });

test('a small body with a large result is translated in the thread', async (t) => {
  const tooLarge = (): never => {
    throw new TranslateError('TOO_LARGE', 'too large for the event loop');
  };
  const { port } = await startTranslator(t, { operations: { ...FAKES, decode: tooLarge } });
  const response = await post(port, decoding('abc'));
  t.is(response.body, '{"type":"test.Echo","size":3}\n');
});

/** A group of nested groups: 30 KB become 27 MB of JSON. */
function nestedGroups(): Buffer {
  let json = '{}';
  for (let depth = 0; depth < 2200; depth += 1) json = `{"groups":{"a":${json}}}`;
  return Buffer.from(encode('common.ConfigGroup', Buffer.from(json)));
}
const addresses = JSON.stringify({
  addresses: Array.from({ length: 30_000 }, (_, index) => `orderer${index}`),
});
const manyAddresses = encode('common.OrdererAddresses', Buffer.from(addresses));

for (const [what, route, type, body, expected] of [
  ['30 KB of nested groups', 'decode', 'common.ConfigGroup', nestedGroups(), undefined],
  ['a message of 400 KB', 'decode', 'common.OrdererAddresses', manyAddresses, undefined],
  ['JSON of 500 KB', 'encode', 'common.OrdererAddresses', addresses, manyAddresses],
] as const)
  test(`${route} of ${what} in the thread gives the result of the function`, async (t) => {
    const { port } = await startTranslator(t, { operations: OPERATIONS });
    const response = await post(port, rawRequest(`POST /protolator/${route}/${type}`, [], Buffer.from(body)));
    t.is(response.status, 200);
    t.is(response.body, expected ? Buffer.from(expected).toString() : decode(type, Buffer.from(body)));
  });

for (const [size, isInThread] of [
  [MAX_LOOP_BODY, false],
  [MAX_LOOP_BODY + 1, true],
] as const)
  test(`a body of ${size} bytes is translated ${isInThread ? 'in the thread' : 'on the event loop'}`, async (t) => {
    const { port } = await startTranslator(t);
    const body = 'count '.padEnd(size, 'x');
    // The thread of the test encodes this text as a number.
    t.is((await post(port, encoding(body))).body, isInThread ? '1' : body);
  });

for (const [command, status, text] of [
  ['exit', 500, 'internal error\n'],
  ['memory', 413, NO_MEMORY],
] as const)
  test(`a body that ends the thread (${command}) is ${status}, and the waiting body is translated`, async (t) => {
    const { port } = await startTranslator(t, { maxBody: SIZE, maxOutput: 10 * SIZE });
    const { body, isHeld, release } = holdThread(t);
    const first = post(port, encoding(body));
    await isHeld;
    const second = post(port, encoding(large(command)));
    const third = post(port, encoding(large('third')));
    release();
    t.is((await first).body, body);
    const { status: given, body: reason } = await second;
    t.deepEqual([given, reason], [status, text]);
    t.is((await third).body, large('third'));
  });

test('a thread that does not start is 500, and small bodies are translated', async (t) => {
  const { port } = await startTranslator(t, { thread: new URL('no-such-module.js', import.meta.url) });
  for (const _ of [1, 2]) t.is((await post(port, encoding(large('')))).status, 500);
  t.is((await post(port, encoding('abc'))).body, 'abc');
});

test('with limits of two bodies, one of three waiting bodies is 503', async (t) => {
  const { port } = await startTranslator(t, { maxBody: SIZE, maxOutput: SIZE });
  const { body, isHeld, release } = holdThread(t);
  const held = post(port, decoding(body));
  await isHeld;
  const waiting = ['a', 'b', 'c'].map((name) => post(port, decoding(large(name))));
  const refused = await Promise.race(waiting);
  t.deepEqual([refused.status, refused.body], [503, TOO_BUSY]);
  release();
  t.is((await held).status, 200);
  const statuses = (await Promise.all(waiting)).map((response) => response.status);
  t.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 200, 503],
  );
});

test('the body of a client that disconnects while it waits is not translated', async (t) => {
  const { port } = await startTranslator(t);
  const { body, isHeld, release } = holdThread(t);
  const held = post(port, encoding(body));
  await isHeld;
  const gone = connect(port, '127.0.0.1');
  await new Promise<void>((resolve) => gone.write(encoding(large('gone')), () => resolve()));
  await post(port, rawRequest('GET /healthz'));
  // Without a reset, the client has only closed its sending side.
  gone.resetAndDestroy();
  await post(port, rawRequest('GET /healthz'));
  release();
  await held;
  t.is((await post(port, encoding(large('count')))).body, '2');
});

test('shutdown finishes the translation in the thread', async (t) => {
  const { port, server } = await startTranslator(t);
  const { body, isHeld, release } = holdThread(t);
  const answer = post(port, encoding(body));
  await isHeld;
  const closed = server.close();
  release();
  t.is((await answer).body, body);
  await closed;
});

test.serial('the thread ends when it is idle, and the next large body starts another one', async (t) => {
  const clock = stopTimeouts(t);
  const { port } = await startTranslator(t);
  const counts: string[] = [];
  for (const time of [0, THREAD_IDLE_TIMEOUT - 1, THREAD_IDLE_TIMEOUT]) {
    clock.tick(time);
    counts.push((await post(port, encoding(large('count')))).body);
  }
  t.deepEqual(counts, ['1', '2', '1']);
});
