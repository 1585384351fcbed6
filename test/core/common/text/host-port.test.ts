import { inspect } from 'node:util';
import test from 'ava';
import { formatHostPort, isAnyHost, parseHostPort } from '../../../../core/common/text/host-port.js';

const VALID: readonly (readonly [string, string, number])[] = [
  ['127.0.0.1:9443', '127.0.0.1', 9443],
  [':9443', '', 9443],
  ['localhost:0', 'localhost', 0],
  ['peer0.org1.example.com:65535', 'peer0.org1.example.com', 65_535],
  ['my_host-1:80', 'my_host-1', 80],
  ['[::1]:9443', '::1', 9443],
  ['[::]:9443', '::', 9443],
  ['[fe80::1]:1', 'fe80::1', 1],
];
for (const [text, host, port] of VALID) {
  test(`${text} has the host '${host}' and the port ${port}, and is formatted back`, (t) => {
    t.deepEqual(parseHostPort(text), { host, port });
    t.is(formatHostPort({ host, port }), text);
  });
}

const ALLOWED = 'must be host:port, such as 127.0.0.1:9443, :9443 for all addresses, or [::1]:9443';
const PORT = `${ALLOWED}; the port must be a number from 0 to 65535`;
const INVALID: readonly (readonly [unknown, string])[] = [
  ['', ALLOWED],
  ['localhost', ALLOWED],
  [9443, ALLOWED],
  [null, ALLOWED],
  ['::1:9443', ALLOWED],
  ['::1', ALLOWED],
  ['http://localhost:80', ALLOWED],
  ['[::1]', ALLOWED],
  ['[::1:9443', ALLOWED],
  ['localhost:', PORT],
  ['localhost:http', PORT],
  ['localhost:65536', PORT],
  ['localhost:-1', PORT],
  ['localhost: 1', PORT],
  ['localhost:1\n', PORT],
  ['[localhost]:1', `${ALLOWED}; only an IPv6 address may be in brackets`],
  ['[]:1', `${ALLOWED}; only an IPv6 address may be in brackets`],
  ['127.0.0.256:1', `${ALLOWED}; 127.0.0.256 is not an IPv4 address`],
  ['127.1:1', `${ALLOWED}; 127.1 is not an IPv4 address`],
  ['a b:1', `${ALLOWED}; the host contains a character that host names cannot have`],
  ['a/b:1', `${ALLOWED}; the host contains a character that host names cannot have`],
];
for (const [value, message] of INVALID) {
  test(`${inspect(value)} is not an address: ${message}`, (t) => {
    t.throws(() => parseHostPort(value), { message });
  });
}

for (const [host, isAny] of [
  ['', true],
  ['0.0.0.0', true],
  ['::', true],
  ['::1', false],
  ['127.0.0.1', false],
  ['localhost', false],
] as const)
  test(`the host '${host}' means ${isAny ? 'all addresses' : 'one address'}`, (t) => {
    t.is(isAnyHost(host), isAny);
  });
