// Handlers that fail: the response has no details, the log has them, and the server continues.

import test from 'ava';
import type { Handler, Reply } from '../../../core/http/index.js';
import { sendRequest } from '../../helpers/raw-http.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';

const GET = 'GET /bad HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const INTERNAL = '{"error":"internal error"}\n';

const FAILURES: Readonly<Record<string, Handler>> = {
  'rejects with an error': () => Promise.reject(new Error('secret /etc/passwd')),
  'throws at once': () => {
    throw new Error('secret');
  },
  'rejects with a string': () => Promise.reject('secret'),
  'rejects with undefined': () => Promise.reject(undefined),
  'rejects with an object whose message throws': () =>
    Promise.reject(
      Object.create(null, {
        message: {
          get: () => {
            throw new Error('no');
          },
        },
      }) as never,
    ),
  'returns undefined': () => Promise.resolve(undefined as never),
  'returns an invalid status': () => Promise.resolve({ status: 1000 }),
  'returns an interim status': () => Promise.resolve({ status: 101 }),
  'returns a status that is not a number': () => Promise.resolve({ status: 'x' as never }),
  'returns a header with a line break': () =>
    Promise.resolve({ status: 200, headers: { 'X-Bad': 'a\r\nX-Evil: yes' } }),
  'returns an invalid header name': () => Promise.resolve({ status: 200, headers: { 'a b': 'x' } }),
  'returns a body that is a number': () => Promise.resolve({ status: 200, body: 5 } as unknown as Reply),
};

for (const [what, handler] of Object.entries(FAILURES)) {
  test(`a handler that ${what} results in a 500 without details and one log line`, async (t) => {
    const { port, logged } = await startServer(t, [OK_ROUTE, { path: '/bad', handlers: { GET: handler } }]);
    const [response] = await sendRequest(port, GET);
    t.is(response?.status, 500);
    t.is(response?.body, INTERNAL);
    t.is(response?.headers.get('content-type'), 'application/json');
    t.truthy(response?.headers.get('x-request-id'));
    t.is(response?.headers.get('x-evil'), undefined);
    t.is(logged.length, 1);
    t.is(logged[0]?.level, 'error');
    t.regex(logged[0]?.message ?? '', /^GET \/bad failed: ./);
    t.is((await sendRequest(port, GET.replace('/bad', '/ok')))[0]?.status, 200);
  });
}

test('the log has the message of the error', async (t) => {
  const GETS = { GET: () => Promise.reject(new Error('the disk is full')) };
  const { port, logged } = await startServer(t, [{ path: '/bad', handlers: GETS }]);
  await sendRequest(port, GET);
  t.is(logged[0]?.message, 'GET /bad failed: the disk is full');
});

test('binary and empty bodies are sent unchanged', async (t) => {
  const routes = [
    { path: '/bytes', handlers: { GET: async () => ({ status: 200, body: Buffer.from([0, 255, 10]) }) } },
    { path: '/empty', handlers: { GET: async () => ({ status: 200 }) } },
  ];
  const { port } = await startServer(t, routes);
  const [bytes] = await sendRequest(port, GET.replace('/bad', '/bytes'));
  t.is(bytes?.headers.get('content-length'), '3');
  const [empty] = await sendRequest(port, GET.replace('/bad', '/empty'));
  t.is(empty?.headers.get('content-length'), '0');
  t.is(empty?.body, '');
});

test('a handler cannot set the headers of the server', async (t) => {
  const headers = {
    'content-length': '3',
    'transfer-encoding': 'chunked',
    'x-request-id': 'other',
    DATE: 'never',
    'X-Own': 'kept',
  };
  const GETS = { GET: async () => ({ status: 200, headers, body: 'hello' }) };
  const { port } = await startServer(t, [{ path: '/bad', handlers: GETS }]);
  const [response, ...others] = await sendRequest(
    port,
    GET.replace('Host: localhost', 'Host: localhost\r\nX-Request-Id: mine'),
  );
  t.deepEqual(others, []);
  t.is(response?.body, 'hello');
  t.is(response?.headers.get('content-length'), '5');
  t.is(response?.headers.get('transfer-encoding'), undefined);
  t.is(response?.headers.get('x-request-id'), 'mine');
  t.is(response?.headers.get('x-own'), 'kept');
  t.not(response?.headers.get('date'), 'never');
});
