// Who a handler is told has asked.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import test from 'ava';
import { jsonReply, type Route } from '../../../core/http/index.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { ask } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';
import { askTls, clientOptions } from '../../helpers/tls-client.js';

const { folder, authority, server, clients } = makeCertificates();
const WHO: Route = {
  path: '/who',
  isOpen: true,
  handlers: { GET: async ({ caller }) => jsonReply(200, caller) },
};
const nameless = { cert: join(folder, 'nameless.pem'), key: join(folder, 'nameless.key') };
execFileSync(
  'openssl',
  ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-subj', '/'].concat([
    '-addext',
    'extendedKeyUsage=clientAuth',
    '-keyout',
    nameless.key,
    '-out',
    nameless.cert,
  ]),
  { stdio: 'ignore' },
);
const TLS = {
  certFile: server.cert,
  keyFile: server.key,
  clientRootCAFiles: [authority.cert, nameless.cert],
  clientAuthRequired: false,
};

test('over plain HTTP it is the address', async (t) => {
  const { port } = await startServer(t, [WHO]);
  const [answer] = await ask(port, 'GET /who HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  t.regex(answer?.body ?? '', /^"127\.0\.0\.1:\d+"$/);
});

test('over TLS it is the subject of a trusted certificate', async (t) => {
  const { port } = await startServer(t, [WHO], TLS);
  const { body } = await askTls(port, '/who', clientOptions(authority.cert, clients.trusted));
  t.is(body, '"O=Test,CN=client"');
});

test('over TLS it is the serial number of a trusted certificate without a subject', async (t) => {
  const { port } = await startServer(t, [WHO], TLS);
  const { serialNumber } = new X509Certificate(readFileSync(nameless.cert));
  const { body } = await askTls(port, '/who', clientOptions(authority.cert, nameless));
  t.is(body, `"certificate ${serialNumber}"`);
});

for (const certificate of ['no', 'foreign', 'expired']) {
  test(`over TLS it is the address of a client with ${certificate} certificate, on an open route`, async (t) => {
    const { port } = await startServer(t, [WHO], TLS);
    const { body } = await askTls(port, '/who', clientOptions(authority.cert, clients[certificate]));
    t.regex(body, /^"127\.0\.0\.1:\d+"$/);
  });
}
