import test from 'ava';
import { sendRequest } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

function get(target: string): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, 'latin1');
}

for (const [target, status] of Object.entries({
  '/ok': 200,
  '/ok?': 200,
  '/ok?x=1&y=/../z?': 200,
  '/%6fk': 200,
  '/./ok': 200,
  '/x/../ok': 200,
  '/%2e%2e/ok': 200,
  'http://example.com/ok': 200,
  'HTTPS://example.com:8443/ok?x': 200,
  'http://user@[::1]:80/ok': 200,
  'http://example.com': 404,
  'http://example.com?x=1': 404,
  '/': 404,
  '/OK': 404,
  '/ok/': 404,
  '//ok': 404,
  '/ok%00': 404,
  '/ok%3fa=1': 404,
  '/%256fk': 404,
  '/%2fok': 404,
  '/%ff': 404,
  '/%zz': 404,
  '/no-such-resource': 404,
  '/constructor': 404,
  '/__proto__': 404,
  '/:id': 404,
  '/*': 404,
  '/...': 404,
  '*': 400,
  'http://[/ok': 400,
  'ftp://x/ok': 400,
})) {
  test(`GET ${JSON.stringify(target)} receives ${status}`, async (t) => {
    const { port } = await startServer(t, undefined, undefined, { hosts: ['example.com'] });
    const [response] = await sendRequest(port, get(target));
    t.is(response?.status, status);
  });
}

test('GET "/ok\xff" finds no resource: the parser of Node.js 20.19 accepts the byte, newer ones refuse it', async (t) => {
  const { port } = await startServer(t);
  const [response] = await sendRequest(port, get('/ok\xff'));
  t.true([400, 404].includes(response!.status));
});

for (const target of ['*', 'http://[/ok', 'ftp://x/ok'])
  test(`the target ${target} is refused with a reason`, async (t) => {
    const { port } = await startServer(t);
    const [response] = await sendRequest(port, get(target));
    t.is(response?.body, '{"error":"the request target is neither a path nor an http URL"}\n');
  });

test('a path of several thousand characters is routed like any other', async (t) => {
  const { port } = await startServer(t);
  const [found] = await sendRequest(port, get(`/${'a/../'.repeat(3000)}ok`));
  t.is(found?.status, 200);
  const [unknown] = await sendRequest(port, get(`/${'%61'.repeat(5000)}`));
  t.is(unknown?.status, 404);
});

test('a path above the header limit is refused with 431', async (t) => {
  const { port } = await startServer(t);
  const [response] = await sendRequest(port, get(`/${'a'.repeat(70_000)}`));
  t.is(response?.status, 431);
});
