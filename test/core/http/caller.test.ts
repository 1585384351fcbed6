// The name of the client that handlers see.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { Socket } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { clientOf } from '../../../core/http/client-certificate.js';
import { jsonReply, type Route } from '../../../core/http/index.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { sendRequest } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

const { directory, ca, server, clients } = makeCertificates();
const CALLER: Route = {
  path: '/caller',
  isOpen: true,
  handlers: { GET: async ({ caller }) => jsonReply(200, caller) },
};
const nameless = { cert: join(directory, 'nameless.pem'), key: join(directory, 'nameless.key') };
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
  clientRootCAFiles: [ca.cert, nameless.cert],
  clientAuthRequired: false,
};

test('without TLS the caller is the address', async (t) => {
  const { port } = await startServer(t, [CALLER]);
  const [response] = await sendRequest(
    port,
    'GET /caller HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  t.regex(response?.body ?? '', /^"127\.0\.0\.1:\d+"$/);
});

test('with TLS the caller is the subject of the verified certificate', async (t) => {
  const { port } = await startServer(t, [CALLER], TLS);
  const { body } = await sendTlsRequest(port, '/caller', clientOptions(ca.cert, clients.trusted));
  t.is(body, '"O=Test,CN=client"');
});

test('with TLS the caller is the serial number of a verified certificate without a subject', async (t) => {
  const { port } = await startServer(t, [CALLER], TLS);
  const { serialNumber } = new X509Certificate(readFileSync(nameless.cert));
  const { body } = await sendTlsRequest(port, '/caller', clientOptions(ca.cert, nameless));
  t.is(body, `"certificate ${serialNumber}"`);
});

for (const certificate of ['no', 'foreign', 'expired']) {
  test(`with TLS the caller with ${certificate} certificate is the address on an open route`, async (t) => {
    const { port } = await startServer(t, [CALLER], TLS);
    const { body } = await sendTlsRequest(port, '/caller', clientOptions(ca.cert, clients[certificate]));
    t.regex(body, /^"127\.0\.0\.1:\d+"$/);
  });
}

test('a connection that was closed before its address was read has an unknown client', (t) => {
  t.deepEqual(clientOf(new Socket()), { refusal: undefined, name: 'unknown:0', id: 'unknown' });
});
