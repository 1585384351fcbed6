// The TLS of the client of an operations endpoint, in the source.

import { setMaxListeners } from 'node:events';
import { copyFileSync, readFileSync, utimesSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { SourceError } from '../../../../core/contract/index.js';
import { makeCertificates } from '../../../helpers/certificate-set.js';
import type { Leaf } from '../../../helpers/certificates.js';
import { engineOnPort, engineOverTls, ok } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { startSource, type SourceOptions } from '../../../helpers/node-plugins.js';

const { ca, server, clients, directory } = makeCertificates();
const trusted = clients['trusted'] as Leaf;
const { signal } = new AbortController();
// Tests run concurrently.
setMaxListeners(0, signal);

/** Starts a node with TLS that requests client certificates; `subjects` gets the one of each request. */
function startNode(t: ExecutionContext, leaf: Leaf = server, subjects: unknown[] = []): Promise<string> {
  const files = { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key), ca: readFileSync(ca.cert) };
  return engineOverTls(
    t,
    { ...files, requestCert: true, rejectUnauthorized: false },
    (request: IncomingMessage, response) => {
      subjects.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
      response.end('a 1\n');
    },
  );
}

/** The failure of a reading, or undefined. */
async function failureOf(
  t: ExecutionContext,
  address: string,
  options: Partial<SourceOptions>,
): Promise<string | undefined> {
  const source = await startSource(t, address, { tls: true, ...options });
  try {
    await source.read(signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return `${error.failure}: ${error.message.replace(`GET https://${address}/metrics: `, '')}`;
  }
}

/** Options, and the failure with them. */
const CASES: readonly (readonly [
  title: string,
  options: Partial<SourceOptions>,
  failure: string | undefined,
])[] = [
  ['the CA of the node', { ca: ca.cert }, undefined],
  ['the CA of the node and a client certificate', { ca: ca.cert, ...trusted }, undefined],
  ['the certificate of the node', { certificate: server.cert }, undefined],
  ['no CA', {}, 'tls: its certificate is not signed by a trusted CA'],
  [
    'another certificate of the same CA',
    { certificate: trusted.cert },
    'tls: its certificate is not the configured one',
  ],
  ['the CA as the certificate', { certificate: ca.cert }, 'tls: its certificate is not the configured one'],
  [
    'another server name',
    { ca: ca.cert, serverName: 'elsewhere' },
    'tls: its certificate is not valid for this host name',
  ],
  ['a server name in the certificate', { ca: ca.cert, serverName: 'localhost' }, undefined],
  ['any server name and the certificate', { certificate: server.cert, serverName: 'elsewhere' }, undefined],
];
for (const [title, options, failure] of CASES)
  test(`with ${title}: ${failure ?? 'it is trusted'}`, async (t) => {
    t.is(await failureOf(t, await startNode(t), options), failure);
  });

test('the certificate of the node is trusted with any names, but not when it has expired', async (t) => {
  const elsewhere = ca.issue('elsewhere', 'serverAuth', undefined, 'DNS:elsewhere');
  t.is(await failureOf(t, await startNode(t, elsewhere), { certificate: elsewhere.cert }), undefined);
  const expired = ca.issue('expired-server', 'serverAuth', ['20200101000000Z', '20200201000000Z']);
  t.is(
    await failureOf(t, await startNode(t, expired), { certificate: expired.cert }),
    'tls: its certificate has expired',
  );
});

test('a node without TLS', async (t) => {
  t.is(await failureOf(t, await engineOnPort(t, ok), { ca: ca.cert }), 'tls: it does not use TLS');
});

test('a changed client certificate is used by the next reading', async (t) => {
  const folder = temporaryFolder(t);
  const file = { cert: join(folder, 'client.pem'), key: join(folder, 'client.key') };
  const install = (leaf: Leaf): void => {
    copyFileSync(leaf.cert, file.cert);
    copyFileSync(leaf.key, file.key);
  };
  install(trusted);
  const subjects: unknown[] = [];
  const address = await startNode(t, server, subjects);
  const source = await startSource(t, address, { tls: true, ca: ca.cert, ...file });
  await source.read(signal);
  const other = ca.issue('renewed', 'clientAuth');
  install(other);
  utimesSync(file.cert, 1, 1);
  await source.read(signal);
  await source.read(signal);
  t.deepEqual(subjects, ['client', 'renewed', 'renewed']);
  t.deepEqual(
    source.logged.map(({ message }) => message),
    ['the TLS files have changed and were read again'],
  );
});

test('files that cannot be used after a change leave the current ones in use, with one warning', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'ca.pem');
  copyFileSync(ca.cert, file);
  const source = await startSource(t, await startNode(t), { tls: true, ca: file });
  await source.read(signal);
  copyFileSync(trusted.key, file);
  await source.read(signal);
  await source.read(signal);
  t.deepEqual(
    source.logged.map(({ level, message }) => [level, message]),
    [
      [
        'warn',
        `the TLS files have changed but cannot be used, keeping the current ones: options.ca: ${file} contains no PEM certificate; it contains a private key: are the files swapped?`,
      ],
    ],
  );
});

test('a missing certificate file fails the start', async (t) => {
  const certificate = join(directory, 'none.pem');
  await t.throwsAsync(startSource(t, '127.0.0.1:1', { tls: true, certificate }), {
    message: `options.certificate: ${certificate} cannot be read: no such file`,
  });
});

test('a node with cert but without key fails init', async (t) => {
  await t.throwsAsync(startSource(t, '127.0.0.1:1', { tls: true, cert: trusted.cert }), {
    message: 'options.cert and options.key must be set together',
  });
});
