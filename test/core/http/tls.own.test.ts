// TLS: versions, cipher suites, sessions, and clients that do not complete a handshake.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectPlain } from 'node:net';
import test from 'ava';
import type { Leaf } from '../../helpers/certificates.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { exchangeRaw } from '../../helpers/raw-http.js';
import { OK_ROUTE, SHORT_LIMITS, startServer } from '../../helpers/server.js';
import { clientOptions, handshake, sendTlsRequest, sendWithSession } from '../../helpers/tls-client.js';

const { directory, ca, server, clients } = makeCertificates();
const ROUTES = [OK_ROUTE, { ...OK_ROUTE, path: '/protected', isOpen: false }];
const TLS = {
  certFile: server.cert,
  keyFile: server.key,
  clientRootCAFiles: [ca.cert],
  clientAuthRequired: false,
};
const anonymous = clientOptions(ca.cert);
const trusted = clientOptions(ca.cert, clients.trusted);

/** Creates a self-signed certificate. */
function selfSigned(name: string, algorithm: string, subject: string, extension: string): Leaf {
  const leaf = { cert: join(directory, `${name}.pem`), key: join(directory, `${name}.key`) };
  const [type = '', option] = algorithm.split(' ');
  execFileSync(
    'openssl',
    ['req', '-x509', '-nodes', '-newkey', type, ...(option === undefined ? [] : ['-pkeyopt', option])].concat(
      ['-subj', subject, '-addext', extension, '-keyout', leaf.key, '-out', leaf.cert],
    ),
    { stdio: 'ignore' },
  );
  return leaf;
}
const rsa = selfSigned('rsa', 'rsa:2048', '/CN=rsa', 'subjectAltName=IP:127.0.0.1');

for (const version of ['TLSv1', 'TLSv1.1'] as const) {
  test(`${version} is refused`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    const options = { ...anonymous, minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' };
    await t.throwsAsync(handshake(port, options), { message: /protocol version/ });
  });
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`${version} is supported`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    const negotiated = await handshake(port, { ...anonymous, minVersion: version, maxVersion: version });
    t.is(negotiated.protocol, version);
  });
}

for (const [suite, isSupported] of Object.entries({
  'ECDHE-RSA-AES128-GCM-SHA256': true,
  'ECDHE-RSA-AES256-GCM-SHA384': true,
  'AES128-GCM-SHA256': false,
  'AES256-GCM-SHA384': false,
  'ECDHE-RSA-AES128-SHA256': false,
  'ECDHE-RSA-CHACHA20-POLY1305': false,
  'DHE-RSA-AES128-GCM-SHA256': false,
})) {
  test(`with an RSA key the TLS 1.2 suite ${suite} is ${isSupported ? 'supported' : 'refused'}`, async (t) => {
    const tls = { ...TLS, certFile: rsa.cert, keyFile: rsa.key };
    const { port } = await startServer(t, ROUTES, tls);
    const options = { ...clientOptions(rsa.cert), maxVersion: 'TLSv1.2', ciphers: suite } as const;
    if (isSupported) t.is((await handshake(port, options)).suite, suite);
    else await t.throwsAsync(handshake(port, options), { message: /handshake failure/ });
  });
}

for (const suite of ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']) {
  test(`the TLS 1.3 suite ${suite} is supported`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    t.is((await handshake(port, { ...anonymous, minVersion: 'TLSv1.3', ciphers: suite })).suite, suite);
  });
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  for (const [who, options, status] of [
    ['without a certificate', anonymous, '401'],
    ['with a trusted certificate', trusted, '200'],
  ] as const) {
    test(`${version}: a client ${who} that offers an earlier session receives ${status} after a full handshake`, async (t) => {
      const { port } = await startServer(t, ROUTES, TLS);
      const tls = { ...options, minVersion: version, maxVersion: version };
      const first = await sendWithSession(port, '/protected', tls);
      t.is(first.status, status);
      const session = first.sessions.at(-1);
      const second = await sendWithSession(port, '/protected', { ...tls, ...(session && { session }) });
      t.is(second.status, status);
      t.false(second.isReused);
    });
  }

  test(`${version}: a client without a certificate receives 401 if it offers the session of a trusted client`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    const versions = { minVersion: version, maxVersion: version };
    const session = (await sendWithSession(port, '/protected', { ...trusted, ...versions })).sessions.at(-1);
    const second = await sendWithSession(port, '/protected', {
      ...anonymous,
      ...versions,
      ...(session && { session }),
    });
    t.is(second.status, '401');
  });
}

test('a trusted certificate without a subject is accepted', async (t) => {
  const nameless = selfSigned('nameless', 'ec ec_paramgen_curve:P-256', '/', 'extendedKeyUsage=clientAuth');
  const { port } = await startServer(t, ROUTES, {
    ...TLS,
    clientRootCAFiles: [ca.cert, nameless.cert],
  });
  t.is((await sendTlsRequest(port, '/protected', clientOptions(ca.cert, nameless))).status, 200);
});

test('a client that offers HTTP/1.1 besides HTTP/2 is served over HTTP/1.1', async (t) => {
  const { port } = await startServer(t, ROUTES, TLS);
  for (const ALPNProtocols of [['http/1.1'], ['h2', 'http/1.1']])
    t.is((await sendTlsRequest(port, '/ok', { ...anonymous, ALPNProtocols })).status, 200);
});

test('plain HTTP on the TLS port closes the connection and is logged', async (t) => {
  const { port, logged } = await startServer(t, ROUTES, TLS);
  const { closed, text } = await exchangeRaw(port, 'GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n');
  t.true(closed);
  t.false(text.includes('HTTP/1.1'));
  t.is(logged[0]?.message, 'TLS handshake failed: http request');
  t.is((await sendTlsRequest(port, '/ok', anonymous)).status, 200);
});

for (const [what, bytes] of Object.entries({
  nothing: '',
  'the start of a handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc',
})) {
  test(`the connection of a client that sends ${what} is closed after the handshake timeout`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS, { limits: SHORT_LIMITS });
    const { closed, milliseconds } = await exchangeRaw(port, Buffer.from(bytes, 'latin1'));
    t.true(closed);
    t.true(milliseconds > 900, `${milliseconds} ms`);
  });
}

test('a client that disconnects during the handshake does not affect other clients', async (t) => {
  const { port } = await startServer(t, ROUTES, TLS);
  for (let count = 0; count < 20; count += 1) {
    await new Promise<void>((resolve) => {
      const socket = connectPlain({ host: '127.0.0.1', port }, () => {
        socket.write(Buffer.from('160301', 'hex'), () => socket.resetAndDestroy());
      });
      socket.on('close', () => resolve());
      socket.on('error', () => undefined);
    });
  }
  t.is((await sendTlsRequest(port, '/ok', anonymous)).status, 200);
});

for (const [certificate, reason] of [
  ['foreign', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['expired', 'CERT_HAS_EXPIRED'],
  ['serverAuth-only', 'INVALID_PURPOSE'],
] as const) {
  test(`with required certificates, the log has the reason for the refusal of one: ${certificate}`, async (t) => {
    const { port, logged } = await startServer(t, ROUTES, { ...TLS, clientAuthRequired: true });
    await t.throwsAsync(sendTlsRequest(port, '/ok', clientOptions(ca.cert, clients[certificate])));
    t.is(logged[0]?.message, `TLS handshake failed: the client certificate was refused: ${reason}`);
    t.is(logged[0]?.level, 'warn');
  });
}

test('with required certificates, the log reports a client without one', async (t) => {
  const { port, logged } = await startServer(t, ROUTES, { ...TLS, clientAuthRequired: true });
  await t.throwsAsync(sendTlsRequest(port, '/ok', anonymous));
  t.is(logged[0]?.message, 'TLS handshake failed: peer did not return a certificate');
});

test('a request without a required certificate is logged with its target and method', async (t) => {
  const { port, logged } = await startServer(t, ROUTES, TLS);
  await sendTlsRequest(port, '/protected?x=1', { ...anonymous, method: 'PUT' });
  const [entry] = logged;
  t.is(entry?.level, 'warn');
  t.is(entry?.message, 'unauthorized request: a verified client certificate is required, but none was sent');
  const { remoteAddress, ...fields } = entry?.fields ?? {};
  t.deepEqual(fields, { url: '/protected?x=1', method: 'PUT' });
  t.regex(String(remoteAddress), /^127\.0\.0\.1:\d+$/);
});

test('an expired server certificate is logged when the server starts', async (t) => {
  const expired = clients.expired as Leaf;
  const { logged } = await startServer(t, ROUTES, { ...TLS, certFile: expired.cert, keyFile: expired.key });
  t.deepEqual(
    logged.map(({ level, message }) => [level, message]),
    [
      [
        'warn',
        `clients refuse the server: server certificate ${expired.cert} expired on Feb  1 00:00:00 2020 GMT`,
      ],
    ],
  );
});

test('a metric has the expiry of certificates', async (t) => {
  const { metrics } = await startServer(t, ROUTES, TLS);
  const text = await metrics();
  const expiry = Date.parse('2049-12-31T23:59:59Z') / 1000;
  t.true(
    text.includes(`fabric_ops_agent_tls_certificate_expiry_timestamp_seconds{role="server"} ${expiry}\n`),
  );
  t.regex(text, /fabric_ops_agent_tls_certificate_expiry_timestamp_seconds\{role="client_ca"\} \d{10}\n/);
  t.true(readFileSync(server.cert, 'utf8').startsWith('-----BEGIN CERTIFICATE'));
});
