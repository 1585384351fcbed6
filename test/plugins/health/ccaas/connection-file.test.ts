// The address in a connection.json.

import test from 'ava';
import { parseConnection } from '../../../../plugins/health/ccaas/connection-file.js';

for (const [address, host, port] of [
  ['cc:1', 'cc', 1],
  ['cc.example.com:65535', 'cc.example.com', 65_535],
  ['[::1]:7052', '::1', 7052],
  [':7052', '', 7052],
] as const)
  test(`the address ${address} is the host '${host}' and the port ${port}, without TLS`, (t) => {
    t.deepEqual(parseConnection(JSON.stringify({ address })), {
      address,
      target: { host, port },
      hasClientCertificate: false,
    });
  });

for (const address of ['::1:7052', '[peer]:7052', 'a b:7052', 'cc:7052/'])
  test(`the address ${address} is refused`, (t) => {
    t.throws(() => parseConnection(JSON.stringify({ address })), {
      message: `connection.json: address must be host:port, found ${address}`,
    });
  });
