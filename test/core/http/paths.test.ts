import test from 'ava';
import { readTarget } from '../../../core/http/paths.js';
import { ask, exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

const PATHS: Readonly<Record<string, string>> = {
  '/': '/',
  '/healthz': '/healthz',
  '/healthz?': '/healthz',
  '/healthz?a=1&b=/../x?y': '/healthz',
  '/%68ealth%7A': '/healthz',
  '/healthz%3fa=1': '/healthz?a=1',
  '/healthz%00': '/healthz\0',
  '/healthz#f': '/healthz#f',
  '/HEALTHZ': '/HEALTHZ',
  '/healthz/': '/healthz/',
  '/%2568ealthz': '/%68ealthz',
  '/a%ff': '/a\xff',
  '/a\xff': '/a\xff',
  '/...': '/...',
  '/__proto__': '/__proto__',
  'http://example.com/healthz': '/healthz',
  'HTTPS://example.com:8443/healthz?x': '/healthz',
  'http://example.com': '/',
  'http://example.com?x=1': '/',
  'http://user@[::1]:80/healthz': '/healthz',
};
for (const [target, path] of Object.entries(PATHS)) {
  test(`the target ${JSON.stringify(target)} means the path ${JSON.stringify(path)}`, (t) => {
    t.deepEqual(readTarget(target), { path });
  });
}

const MOVED: Readonly<Record<string, string>> = {
  '//healthz': '/healthz',
  '/./healthz': '/healthz',
  '/healthz/.': '/healthz',
  '/x/../healthz': '/healthz',
  '/x/..': '/',
  '/../../etc/passwd': '/etc/passwd',
  '/a//b/': '/a/b/',
  '/%2fhealthz': '/healthz',
  '/%2e%2e/healthz': '/healthz',
  '//logspec?x=1&y=<b>': '/logspec?x=1&y=%3Cb%3E',
  '//a%3fb': '/a%3Fb',
  '//a%0d%0aX:%20y': '/a%0D%0AX:%20y',
  '//a%ff"<>': '/a%FF%22%3C%3E',
  '//example.com/%09': '/example.com/%09',
  'http://example.com//healthz': '/healthz',
};
for (const [target, moved] of Object.entries(MOVED)) {
  test(`the target ${JSON.stringify(target)} is to be asked for as ${moved}`, (t) => {
    t.deepEqual(readTarget(target), { moved });
  });
}

for (const target of [
  '',
  '*',
  'healthz',
  'example.com:443',
  '/%',
  '/%z',
  '/%zz',
  '/a%4',
  '%2fhealthz%',
  'ftp://x/healthz',
]) {
  test(`the target ${JSON.stringify(target)} cannot be read`, (t) => {
    t.is(readTarget(target), undefined);
  });
}

function get(target: string): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1');
}

for (const [target, status] of Object.entries({
  '/%6fk': 200,
  '/ok?x': 200,
  '/ok%00': 404,
  '/ok\xff': 400,
  '/%ff': 404,
  '/no-such-resource': 404,
  '/constructor': 404,
  '/:id': 404,
  '/*': 404,
  '//ok': 301,
  '/%zz': 400,
})) {
  test(`GET ${JSON.stringify(target)} is answered ${status}`, async (t) => {
    const { port } = await startServer(t);
    const [answer] = await ask(port, get(target));
    t.is(answer?.status, status);
  });
}

test('a redirection says where to, in its header and safely in its body', async (t) => {
  const { port } = await startServer(t);
  const [answer] = await ask(port, get("//a'&x?y=1&z"));
  t.is(answer?.headers.get('location'), "/a'&x?y=1&z");
  t.is(answer?.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(answer?.body, '<a href="/a&#39;&#38;x?y=1&#38;z">Moved Permanently</a>.\n\n');
});

test('a redirection cannot be made to write headers', async (t) => {
  const { port } = await startServer(t);
  const { text } = await exchangeRaw(port, get('//a%0d%0aX-Evil:%20yes'));
  t.false(text.includes('\r\nX-Evil'));
});

test('a path of 60,000 characters is answered like any other', async (t) => {
  const { port } = await startServer(t);
  const [answer] = await ask(port, get(`/${'a/../'.repeat(12_000)}ok`));
  t.is(answer?.status, 301);
  t.is(answer?.headers.get('location'), '/ok');
  const [unknown] = await ask(port, get(`/${'%61'.repeat(20_000)}`));
  t.is(unknown?.status, 404);
});

test('a path over the limit of the header is answered 431', async (t) => {
  const { port } = await startServer(t);
  const { bytes } = await exchangeRaw(port, get(`/${'a'.repeat(70_000)}`));
  t.is(parseAnswers(bytes)[0]?.status, 431);
});

test('OPTIONS * is answered, GET * is not', async (t) => {
  const { port } = await startServer(t);
  const [options] = await ask(port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  t.is(options?.status, 200);
  t.is(options?.headers.get('content-length'), '0');
  const [star] = await ask(port, get('*'));
  t.is(star?.status, 400);
  t.is(star?.body, '{"error":"the request target cannot be read"}\n');
});
