// Handlers that do wrong: the client learns nothing, the log learns all, the service goes on.

import test from 'ava';
import type { Handler, Reply } from '../../../core/http/index.js';
import { ask } from '../../helpers/raw-http.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';

const GET = 'GET /bad HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const INTERNAL = '{"error":"internal error"}\n';

const FAULTS: Readonly<Record<string, Handler>> = {
  'rejects with an error': () => Promise.reject(new Error('secret /etc/passwd')),
  'throws at once': () => {
    throw new Error('secret');
  },
  'rejects with text': () => Promise.reject('secret'),
  'rejects with nothing': () => Promise.reject(undefined),
  'rejects with an object that cannot be shown': () =>
    Promise.reject(
      Object.create(null, {
        message: {
          get: () => {
            throw new Error('no');
          },
        },
      }) as never,
    ),
  'answers nothing': () => Promise.resolve(undefined as never),
  'answers with a status that is none': () => Promise.resolve({ status: 1000 }),
  'answers with an interim status': () => Promise.resolve({ status: 101 }),
  'answers with a status that is no number': () => Promise.resolve({ status: 'x' as never }),
  'answers with a header that breaks the line': () =>
    Promise.resolve({ status: 200, headers: { 'X-Bad': 'a\r\nX-Evil: yes' } }),
  'answers with a header name that is none': () => Promise.resolve({ status: 200, headers: { 'a b': 'x' } }),
  'answers with a body that is a number': () => Promise.resolve({ status: 200, body: 5 } as unknown as Reply),
};

for (const [what, handler] of Object.entries(FAULTS)) {
  test(`a handler that ${what} makes a 500 without details and a line in the log`, async (t) => {
    const { port, logged } = await startServer(t, [OK_ROUTE, { path: '/bad', handlers: { GET: handler } }]);
    const [answer] = await ask(port, GET);
    t.is(answer?.status, 500);
    t.is(answer?.body, INTERNAL);
    t.is(answer?.headers.get('content-type'), 'application/json');
    t.truthy(answer?.headers.get('x-request-id'));
    t.is(answer?.headers.get('x-evil'), undefined);
    t.is(logged.length, 1);
    t.is(logged[0]?.level, 'error');
    t.regex(logged[0]?.message ?? '', /^GET \/bad failed: ./);
    t.is((await ask(port, GET.replace('/bad', '/ok')))[0]?.status, 200);
  });
}

test('the log says what went wrong', async (t) => {
  const GETS = { GET: () => Promise.reject(new Error('the disk is full')) };
  const { port, logged } = await startServer(t, [{ path: '/bad', handlers: GETS }]);
  await ask(port, GET);
  t.is(logged[0]?.message, 'GET /bad failed: the disk is full');
});

test('bytes and empty bodies are sent as they are', async (t) => {
  const routes = [
    { path: '/bytes', handlers: { GET: async () => ({ status: 200, body: Buffer.from([0, 255, 10]) }) } },
    { path: '/empty', handlers: { GET: async () => ({ status: 200 }) } },
  ];
  const { port } = await startServer(t, routes);
  const [bytes] = await ask(port, GET.replace('/bad', '/bytes'));
  t.is(bytes?.headers.get('content-length'), '3');
  const [empty] = await ask(port, GET.replace('/bad', '/empty'));
  t.is(empty?.headers.get('content-length'), '0');
  t.is(empty?.body, '');
});

test('what the service says itself cannot be said by a handler', async (t) => {
  const headers = {
    'content-length': '3',
    'transfer-encoding': 'chunked',
    'x-request-id': 'other',
    DATE: 'never',
    'X-Own': 'kept',
  };
  const GETS = { GET: async () => ({ status: 200, headers, body: 'hello' }) };
  const { port } = await startServer(t, [{ path: '/bad', handlers: GETS }]);
  const [answer, ...others] = await ask(port, GET.replace('Host: x', 'Host: x\r\nX-Request-Id: mine'));
  t.deepEqual(others, []);
  t.is(answer?.body, 'hello');
  t.is(answer?.headers.get('content-length'), '5');
  t.is(answer?.headers.get('transfer-encoding'), undefined);
  t.is(answer?.headers.get('x-request-id'), 'mine');
  t.is(answer?.headers.get('x-own'), 'kept');
  t.not(answer?.headers.get('date'), 'never');
});
