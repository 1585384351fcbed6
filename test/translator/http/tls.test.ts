// The translator over TLS.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import type { TranslatorTls } from '../../../translator/http/index.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { CA, makeCertificate } from '../../helpers/make-certificate.js';
import { clientOptions, handshake, sendTlsRequest, sendWithSession } from '../../helpers/tls-client.js';
import { startTranslator } from '../../helpers/translator.js';

const { directory, ca, server, clients } = makeCertificates();
const read = (file: string): X509Certificate => new X509Certificate(readFileSync(file));
const oneSided: TranslatorTls = {
  cert: readFileSync(server.cert, 'utf8'),
  key: readFileSync(server.key, 'utf8'),
  clientCAs: [],
};
const mutual: TranslatorTls = { ...oneSided, clientCAs: [read(ca.cert)] };
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

test('a TLS 1.2 suite without forward secrecy is refused', async (t) => {
  const { port } = await startTranslator(t, { tls: oneSided });
  const options = { ...clientOptions(ca.cert), maxVersion: 'TLSv1.2', ciphers: 'ALL:!ECDH:!DH' } as const;
  await t.throwsAsync(handshake(port, options), { message: /handshake failure/ });
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`${version}: a client that offers an earlier session gets a full handshake`, async (t) => {
    const { port } = await startTranslator(t, { tls: mutual });
    const tls = { ...clientOptions(ca.cert, clients.trusted), minVersion: version, maxVersion: version };
    const { sessions } = await sendWithSession(port, '/healthz', tls);
    const [session] = sessions;
    const { status, isReused } = await sendWithSession(port, '/healthz', {
      ...tls,
      ...(session && { session }),
    });
    t.deepEqual([status, isReused], ['200', false]);
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

test('with a client CA, a client with an RSA key of 1024 bits is refused', async (t) => {
  const issuer = makeCertificate(directory, 'one', { extensions: CA });
  const { port } = await startTranslator(t, { tls: { ...oneSided, clientCAs: [read(issuer.cert)] } });
  const ciphers = 'DEFAULT:@SECLEVEL=0';
  for (const [bits, isAccepted] of [
    [1024, false],
    [2048, true],
  ] as const) {
    const client = makeCertificate(directory, `rsa-${bits}`, { issuer, key: `rsa:${bits}` });
    const response = sendTlsRequest(port, '/healthz', { ...clientOptions(ca.cert, client), ciphers });
    if (isAccepted) t.is((await response).status, 200);
    else await t.throwsAsync(response);
  }
});
