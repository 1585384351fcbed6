import { inspect } from 'node:util';
import test from 'ava';
import { formatHostPort, parseHostPort } from '../../config/host-port.js';

const ACCEPTED: readonly (readonly [string, string, number])[] = [
  ['127.0.0.1:9443', '127.0.0.1', 9443],
  [':9443', '', 9443],
  ['localhost:0', 'localhost', 0],
  ['peer0.org1.example.com:65535', 'peer0.org1.example.com', 65_535],
  ['my_host-1:80', 'my_host-1', 80],
  ['[::1]:9443', '::1', 9443],
  ['[::]:9443', '::', 9443],
  ['[fe80::1]:1', 'fe80::1', 1],
];
for (const [text, host, port] of ACCEPTED) {
  test(`${text} is host '${host}' and port ${port}, and is written the same`, (t) => {
    t.deepEqual(parseHostPort(text), { host, port });
    t.is(formatHostPort({ host, port }), text);
  });
}

const FAULT = 'must be host:port, such as 127.0.0.1:9443, :9443 for all addresses, or [::1]:9443';
const PORT = `${FAULT}; the port is a number from 0 to 65535`;
const REFUSED: readonly (readonly [unknown, string])[] = [
  ['', FAULT],
  ['localhost', FAULT],
  [9443, FAULT],
  [null, FAULT],
  ['::1:9443', FAULT],
  ['::1', FAULT],
  ['http://localhost:80', FAULT],
  ['[::1]', FAULT],
  ['[::1:9443', FAULT],
  ['localhost:', PORT],
  ['localhost:http', PORT],
  ['localhost:65536', PORT],
  ['localhost:-1', PORT],
  ['localhost: 1', PORT],
  ['localhost:1\n', PORT],
  ['[localhost]:1', `${FAULT}; the brackets hold an IPv6 address`],
  ['[]:1', `${FAULT}; the brackets hold an IPv6 address`],
  ['127.0.0.256:1', `${FAULT}; 127.0.0.256 is not an IPv4 address`],
  ['127.1:1', `${FAULT}; 127.1 is not an IPv4 address`],
  ['a b:1', `${FAULT}; the host has a character that no host name has`],
  ['a/b:1', `${FAULT}; the host has a character that no host name has`],
];
for (const [value, message] of REFUSED) {
  test(`${inspect(value)} is refused as an address`, (t) => {
    t.throws(() => parseHostPort(value), { message });
  });
}
