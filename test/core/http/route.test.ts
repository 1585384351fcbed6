// The replies that routes share.

import test from 'ava';
import { errorReply, jsonLineReply, jsonReply, NOT_FOUND, versionRoute } from '../../../core/http/route.js';

const TYPE = { 'Content-Type': 'application/json' };

test('JSON has the escapes that Go adds for HTML', (t) => {
  const body = String.raw`{"a":"\u003cb\u003e\u0026\u2028\u2029/'"}`;
  t.deepEqual(jsonReply(200, { a: "<b>&\u2028\u2029/'" }), { status: 200, headers: TYPE, body });
  t.deepEqual(jsonLineReply(201, [1]), { status: 201, headers: TYPE, body: '[1]\n' });
});

test('an error is a JSON document of one line, with further headers', (t) => {
  t.deepEqual(errorReply(503, 'why \ud800', { 'Retry-After': '1' }), {
    status: 503,
    headers: { ...TYPE, 'Retry-After': '1' },
    body: '{"error":"why \ufffd"}\n',
  });
});

test('an unknown path has the reply of Go', (t) => {
  t.deepEqual(NOT_FOUND, {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
    body: '404 page not found\n',
  });
});

for (const [version, commit, body] of [
  ['1.2.3', 'abc', '{"CommitSHA":"abc","Version":"1.2.3"}'],
  ['1.2.3', '', '{"Version":"1.2.3"}'],
  ['', '', '{}'],
] as const)
  test(`the version '${version}' with the commit '${commit}' is ${body}`, async (t) => {
    const { path, handlers, isOpen } = versionRoute({ version, commit });
    t.is(path, '/version');
    t.is(isOpen, undefined);
    t.deepEqual(await handlers.GET!(undefined as never), { status: 200, headers: TYPE, body });
  });
