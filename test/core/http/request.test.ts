// The id and the query of a request.

import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import { idOf, queryOf } from '../../../core/http/request.js';

/** A request with a target and these values of `X-Request-Id`. */
function requestWith(url: string, ...ids: readonly string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  for (const id of ids) request.rawHeaders.push('X-Request-Id', id);
  request.headers = ids.length === 0 ? {} : { 'x-request-id': ids.join(', ') };
  Object.defineProperty(request, 'headersDistinct', {
    value: ids.length === 0 ? {} : { 'x-request-id': [...ids] },
  });
  return request;
}

for (const [ids, id] of [
  [['a'], 'a'],
  [['a', 'b'], 'a'],
  [['x'.repeat(256)], 'x'.repeat(256)],
  [['x'.repeat(257)], 'x'.repeat(256)],
] as const)
  test(`the id of a request with ${ids.length} ids of ${ids[0].length} characters has ${id.length} characters`, (t) => {
    t.is(idOf(requestWith('/', ...ids)), id);
  });

test('a request without an id gets a new one', (t) => {
  const [one, other] = [idOf(requestWith('/')), idOf(requestWith('/', ''))];
  t.regex(one, /^[\da-f-]{36}$/);
  t.regex(other, /^[\da-f-]{36}$/);
  t.not(one, other);
});

for (const [url, query] of [
  ['/', ''],
  ['/?', ''],
  ['/a?b=c%20d&e', 'b=c+d&e='],
  ['/a?b=c?d', 'b=c%3Fd'],
] as const)
  test(`the query of ${url} is '${query}'`, (t) => {
    t.is(queryOf(requestWith(url)).toString(), query);
  });
