// The translator over TLS.

import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import test from 'ava';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { sendTlsRequest, clientOptions } from '../../helpers/tls-client.js';
import { startTranslator } from '../../helpers/translator.js';

const { ca, server, clients } = makeCertificates();
const oneSided: SecureContextOptions = { cert: readFileSync(server.cert), key: readFileSync(server.key) };
const mutual: SecureContextOptions = { ...oneSided, ca: readFileSync(ca.cert) };
const DECODE = '/protolator/decode/test.Echo';

test('messages are translated over TLS without a client certificate', async (t) => {
  const { port } = await startTranslator(t, { tls: oneSided });
  const options = { ...clientOptions(ca.cert), method: 'POST', requestBody: 'abc' };
  const { status, body } = await sendTlsRequest(port, DECODE, options);
  t.is(status, 200);
  t.is(body, '{"type":"test.Echo","size":3}\n');
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`${version} is accepted`, async (t) => {
    const { port } = await startTranslator(t, { tls: oneSided });
    const options = { ...clientOptions(ca.cert), minVersion: version, maxVersion: version };
    t.is((await sendTlsRequest(port, '/healthz', options)).status, 200);
  });
}

test('TLS 1.1 is refused', async (t) => {
  const { port } = await startTranslator(t, { tls: oneSided });
  await t.throwsAsync(
    sendTlsRequest(port, '/healthz', {
      ...clientOptions(ca.cert),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
    { message: /alert protocol version/ },
  );
});

test('with a client CA, a client with a certificate signed by it is accepted', async (t) => {
  const { port } = await startTranslator(t, { tls: mutual });
  const { status } = await sendTlsRequest(port, '/healthz', clientOptions(ca.cert, clients.trusted));
  t.is(status, 200);
});

for (const name of ['no', 'foreign', 'expired']) {
  test(`with a client CA, a client with ${name} certificate is refused, and others are accepted`, async (t) => {
    const { port } = await startTranslator(t, { tls: mutual });
    await t.throwsAsync(sendTlsRequest(port, '/healthz', clientOptions(ca.cert, clients[name])));
    const { status } = await sendTlsRequest(port, '/healthz', clientOptions(ca.cert, clients.trusted));
    t.is(status, 200);
  });
}
