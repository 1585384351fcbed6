// The TLS layer itself: versions, suites, sessions, and what is not TLS at all.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectPlain } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import test from 'ava';
import type { Leaf } from '../../helpers/certificates.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { exchangeRaw } from '../../helpers/raw-http.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { askTls, clientOptions } from '../../helpers/tls-client.js';

const { folder, authority, server, clients } = makeCertificates();
const ROUTES = [OK_ROUTE, { ...OK_ROUTE, path: '/protected', isOpen: false }];
const TLS = {
  certFile: server.cert,
  keyFile: server.key,
  clientRootCAFiles: [authority.cert],
  clientAuthRequired: false,
};
const anonymous = clientOptions(authority.cert);
const trusted = clientOptions(authority.cert, clients.trusted);

/** A certificate that signed itself. */
function selfSigned(name: string, algorithm: string, subject: string, extension: string): Leaf {
  const leaf = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
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

/** Connects; resolves with what was agreed on, rejects when the handshake fails. */
function handshake(
  port: number,
  options: ConnectionOptions,
): Promise<{ protocol: string | null; suite: string }> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, ...options }, () => {
      resolve({ protocol: socket.getProtocol(), suite: socket.getCipher().name });
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

for (const version of ['TLSv1', 'TLSv1.1'] as const) {
  test(`${version} is refused`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    const options = { ...anonymous, minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' };
    await t.throwsAsync(handshake(port, options), { message: /protocol version/ });
  });
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`${version} is spoken`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    const agreed = await handshake(port, { ...anonymous, minVersion: version, maxVersion: version });
    t.is(agreed.protocol, version);
  });
}

for (const [suite, isSpoken] of Object.entries({
  'ECDHE-RSA-AES128-GCM-SHA256': true,
  'ECDHE-RSA-AES256-GCM-SHA384': true,
  'AES128-GCM-SHA256': false,
  'AES256-GCM-SHA384': false,
  'ECDHE-RSA-AES128-SHA256': false,
  'ECDHE-RSA-CHACHA20-POLY1305': false,
  'DHE-RSA-AES128-GCM-SHA256': false,
})) {
  test(`with an RSA key the suite ${suite} of TLS 1.2 is ${isSpoken ? 'spoken' : 'refused'}`, async (t) => {
    const tls = { ...TLS, certFile: rsa.cert, keyFile: rsa.key };
    const { port } = await startServer(t, ROUTES, tls);
    const options = { ...clientOptions(rsa.cert), maxVersion: 'TLSv1.2', ciphers: suite } as const;
    if (isSpoken) t.is((await handshake(port, options)).suite, suite);
    else await t.throwsAsync(handshake(port, options), { message: /handshake failure/ });
  });
}

for (const suite of ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']) {
  test(`the suite ${suite} of TLS 1.3 is spoken`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    t.is((await handshake(port, { ...anonymous, minVersion: 'TLSv1.3', ciphers: suite })).suite, suite);
  });
}

/** Asks on a new connection and keeps the session for the next. */
function askWithSession(
  port: number,
  options: ConnectionOptions,
): Promise<{ status: string; sessions: Buffer[]; isReused: boolean }> {
  return new Promise((resolve, reject) => {
    const sessions: Buffer[] = [];
    let answer = '';
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, ...options }, () =>
      socket.write('GET /protected HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    );
    socket.on('session', (session) => sessions.push(session));
    let isReused = false;
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      isReused = socket.isSessionReused();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve({ status: answer.slice(9, 12), sessions, isReused }));
  });
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  for (const [who, options, status] of [
    ['without a certificate', anonymous, '401'],
    ['with a trusted certificate', trusted, '200'],
  ] as const) {
    test(`${version}: a client ${who} that offers an earlier session gets ${status} again, in a full handshake`, async (t) => {
      const { port } = await startServer(t, ROUTES, TLS);
      const tls = { ...options, minVersion: version, maxVersion: version };
      const first = await askWithSession(port, tls);
      t.is(first.status, status);
      const session = first.sessions.at(-1);
      const second = await askWithSession(port, { ...tls, ...(session && { session }) });
      t.is(second.status, status);
      t.false(second.isReused);
    });
  }

  test(`${version}: a session of a trusted client does not help a client without a certificate`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    const versions = { minVersion: version, maxVersion: version };
    const session = (await askWithSession(port, { ...trusted, ...versions })).sessions.at(-1);
    const second = await askWithSession(port, { ...anonymous, ...versions, ...(session && { session }) });
    t.is(second.status, '401');
  });
}

test('a trusted certificate without a subject is good enough', async (t) => {
  const nameless = selfSigned('nameless', 'ec ec_paramgen_curve:P-256', '/', 'extendedKeyUsage=clientAuth');
  const { port } = await startServer(t, ROUTES, {
    ...TLS,
    clientRootCAFiles: [authority.cert, nameless.cert],
  });
  t.is((await askTls(port, '/protected', clientOptions(authority.cert, nameless))).status, 200);
});

test('a client that asks for HTTP/2 gets HTTP/1.1', async (t) => {
  const { port } = await startServer(t, ROUTES, TLS);
  for (const ALPNProtocols of [['http/1.1'], ['h2', 'http/1.1'], ['h2']])
    t.is((await askTls(port, '/ok', { ...anonymous, ALPNProtocols })).status, 200);
});

test('plain HTTP sent to the TLS port ends the connection at once and is logged', async (t) => {
  const { port, logged } = await startServer(t, ROUTES, TLS);
  const { closed, text } = await exchangeRaw(port, 'GET /ok HTTP/1.1\r\nHost: x\r\n\r\n');
  t.true(closed);
  t.false(text.includes('HTTP/1.1'));
  t.is(logged[0]?.message, 'TLS handshake failed: http request');
  t.is((await askTls(port, '/ok', anonymous)).status, 200);
});

for (const [what, bytes] of Object.entries({
  'nothing at all': '',
  'the beginning of a handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc',
})) {
  test(`a client of the TLS port that sends ${what} is cut after the time for a handshake`, async (t) => {
    const { port } = await startServer(t, ROUTES, TLS);
    const { closed, milliseconds } = await exchangeRaw(port, Buffer.from(bytes, 'latin1'), 15_000);
    t.true(closed);
    t.true(milliseconds > 9_000, `${milliseconds} ms`);
  });
}

test('a client that leaves in the middle of the handshake harms nobody', async (t) => {
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
  t.is((await askTls(port, '/ok', anonymous)).status, 200);
});

for (const [certificate, reason] of [
  ['foreign', 'its issuer is not among the client root CAs'],
  ['expired', 'it has expired'],
  ['serverAuth-only', 'it is not meant for clients'],
] as const) {
  test(`where a certificate is required, the log says why a ${certificate} one was refused`, async (t) => {
    const { port, logged } = await startServer(t, ROUTES, { ...TLS, clientAuthRequired: true });
    await t.throwsAsync(askTls(port, '/ok', clientOptions(authority.cert, clients[certificate])));
    t.is(logged[0]?.message, `TLS handshake failed: the client certificate was refused: ${reason}`);
    t.is(logged[0]?.level, 'warn');
    t.is(logged[0]?.fields?.remoteAddress, '127.0.0.1');
  });
}

test('where a certificate is required, the log says when none was sent', async (t) => {
  const { port, logged } = await startServer(t, ROUTES, { ...TLS, clientAuthRequired: true });
  await t.throwsAsync(askTls(port, '/ok', anonymous));
  t.is(logged[0]?.message, 'TLS handshake failed: peer did not return a certificate');
});

test('a refusal for want of a certificate is logged with what was asked for', async (t) => {
  const { port, logged } = await startServer(t, ROUTES, TLS);
  await askTls(port, '/protected?x=1', { ...anonymous, method: 'PUT' });
  const [entry] = logged;
  t.is(entry?.level, 'warn');
  t.is(entry?.message, 'unauthorized request: a verified client certificate is required, but none was sent');
  const { remoteAddress, ...fields } = entry?.fields ?? {};
  t.deepEqual(fields, { url: '/protected?x=1', method: 'PUT' });
  t.regex(String(remoteAddress), /^127\.0\.0\.1:\d+$/);
});

test('the expiry of certificates is a metric', async (t) => {
  const { metrics } = await startServer(t, ROUTES, TLS);
  const text = await metrics();
  const expiry = Date.parse('2049-12-31T23:59:59Z') / 1000;
  t.true(text.includes(`tls_certificate_expiry_timestamp_seconds{role="server"} ${expiry}\n`));
  t.regex(text, /tls_certificate_expiry_timestamp_seconds\{role="client_ca"\} \d{10}\n/);
  t.true(readFileSync(server.cert, 'utf8').startsWith('-----BEGIN CERTIFICATE'));
});
