// URLs of servers in options.

import test from 'ava';
import { checkUrl, endpointOf, isServerUrl } from '../../../core/kit/url.js';

for (const [text, host, port, tls, path] of [
  ['http://h', 'h', 80, false, '/'],
  ['https://h', 'h', 443, true, '/'],
  ['http://h:443/a?b=c', 'h', 443, false, '/a?b=c'],
  ['https://[::1]:80/', '::1', 80, true, '/'],
] as const)
  test(`${text} is a server with the host ${host}, the port ${port} and the path ${path}`, (t) => {
    t.true(isServerUrl(text));
    t.notThrows(() => checkUrl(text));
    t.deepEqual(endpointOf(new URL(text)), { address: { host, port }, tls, path });
  });

for (const text of [
  '',
  'h',
  'ftp://h/',
  'http://u@h/',
  'http://:p@h/',
  'http://h/#f',
  'http://h:0/',
  7,
  undefined,
])
  test(`${JSON.stringify(text)} is no URL of a server`, (t) => {
    t.false(isServerUrl(text));
    t.throws(() => checkUrl(text), {
      message: 'must be a URL that begins with http:// or https://, without user name and fragment',
    });
  });
