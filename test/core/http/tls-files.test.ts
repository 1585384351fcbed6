// Unusable TLS files are reported at start, before the agent listens.

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readTlsMaterial } from '../../../core/http/tls.js';
import { createAgent, defineSettings } from '../../../core/index.js';
import { startAgent } from '../../helpers/agent.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { CA, makeCertificate } from '../../helpers/make-certificate.js';
import { QUIET } from '../../helpers/quiet-backend.js';

const { directory, ca, foreignCa, server, clients } = makeCertificates();
const good = { certFile: server.cert, keyFile: server.key, clientRootCAFiles: [ca.cert] };
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};
const missing = join(directory, 'missing.pem');
const empty = file('empty.pem', '');
const otherText = file('other.pem', 'these are not certificates\n');
const broken = file('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
const cut = file('cut.pem', readFileSync(server.cert, 'utf8').slice(0, 200));
const brokenKey = file('broken.key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsaKey = file('rsa.key', rsa.export({ type: 'pkcs8', format: 'pem' }).toString());
const encryptedKey = file(
  'encrypted.key',
  rsa.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }).toString(),
);
const fifo = join(directory, 'fifo');
execFileSync('mkfifo', [fifo]);
const large = file('large.pem', ' '.repeat(1024 * 1024 + 1));
const otherKey = clients.trusted?.key ?? '';

const CASES: readonly (readonly [string, Partial<typeof good>, string | RegExp])[] = [
  [
    'a missing certificate',
    { certFile: missing },
    `server certificate ${missing} cannot be read: no such file`,
  ],
  ['a missing key', { keyFile: missing }, `private key ${missing} cannot be read: no such file`],
  [
    'a missing client root CA',
    { clientRootCAFiles: [missing] },
    `client root CA ${missing} cannot be read: no such file`,
  ],
  [
    'a second client root CA that is missing',
    { clientRootCAFiles: [ca.cert, missing] },
    `client root CA ${missing} cannot be read: no such file`,
  ],
  [
    'a directory instead of a certificate',
    { certFile: directory },
    `server certificate ${directory} cannot be read: it is a directory`,
  ],
  [
    'a named pipe instead of a certificate',
    { certFile: fifo },
    `server certificate ${fifo} cannot be read: it is a named pipe, not a regular file`,
  ],
  [
    'a named pipe instead of a key',
    { keyFile: fifo },
    `private key ${fifo} cannot be read: it is a named pipe, not a regular file`,
  ],
  [
    'a device instead of a client root CA',
    { clientRootCAFiles: ['/dev/zero'] },
    'client root CA /dev/zero cannot be read: it is a device, not a regular file',
  ],
  [
    'a certificate file of more than 1 MiB',
    { certFile: large },
    `server certificate ${large} cannot be read: it is larger than 1048576 bytes`,
  ],
  ['an empty certificate', { certFile: empty }, `server certificate ${empty} contains no PEM certificate`],
  [
    'a certificate file with other text',
    { certFile: otherText },
    `server certificate ${otherText} contains no PEM certificate`,
  ],
  ['a truncated certificate', { certFile: cut }, `server certificate ${cut} contains no PEM certificate`],
  [
    'an invalid certificate',
    { certFile: broken },
    new RegExp(`^server certificate ${broken} contains an invalid certificate: `),
  ],
  [
    'swapped certificate and key',
    { certFile: server.key, keyFile: server.cert },
    `server certificate ${server.key} contains no PEM certificate; it contains a private key: are the files swapped?`,
  ],
  [
    'the key of another certificate',
    { keyFile: otherKey },
    `private key ${otherKey} does not belong to server certificate ${server.cert}`,
  ],
  ['an invalid key', { keyFile: brokenKey }, new RegExp(`^private key ${brokenKey} is invalid: `)],
  [
    'a key of another type',
    { keyFile: rsaKey },
    `private key ${rsaKey} does not belong to server certificate ${server.cert}`,
  ],
  [
    'an encrypted key',
    { keyFile: encryptedKey },
    `private key ${encryptedKey} is encrypted; store it without a passphrase`,
  ],
  [
    'a certificate instead of a key',
    { keyFile: server.cert },
    `private key ${server.cert} contains no PEM private key; it contains a certificate: are the files swapped?`,
  ],
  [
    'a key file with other text',
    { keyFile: otherText },
    `private key ${otherText} contains no PEM private key`,
  ],
  [
    'no client root CA',
    { clientRootCAFiles: [] },
    'operations.tls.clientRootCAs.files is empty: no client certificate could be verified',
  ],
  [
    'a client root CA file without a certificate',
    { clientRootCAFiles: [otherText] },
    `client root CA ${otherText} contains no PEM certificate`,
  ],
  [
    'an invalid client root CA',
    { clientRootCAFiles: [broken] },
    new RegExp(`^client root CA ${broken} contains an invalid certificate: `),
  ],
];

for (const [what, files, message] of CASES) {
  test(`${what} is reported`, (t) => {
    t.throws(() => readTlsMaterial({ ...good, ...files }), { code: 'TLS_INVALID', message });
  });
}

test('createAgent fails if a certificate cannot be read', async (t) => {
  const settings = defineSettings(
    {
      'operations.tls.enabled': true,
      'operations.tls.cert.file': missing,
      'operations.tls.key.file': server.key,
      'operations.tls.clientRootCAs.files': [ca.cert],
      'operations.listenAddress': '127.0.0.1:0',
      plugins: QUIET,
    },
    directory,
  );
  await t.throwsAsync(createAgent(settings), {
    code: 'TLS_INVALID',
    message: `server certificate ${missing} cannot be read: no such file`,
  });
});

test('a chain, several CAs in one file, and text around certificates are accepted', (t) => {
  const pem = (name: string): string => readFileSync(name, 'utf8');
  const chain = file('chain.pem', `subject=x\n${pem(server.cert)}\nissuer\n${pem(ca.cert)}`);
  const bundle = file('bundle.pem', `# first\r\n${pem(ca.cert)}# second\r\n${pem(foreignCa.cert)}`);
  const { context } = readTlsMaterial({ ...good, certFile: chain, clientRootCAFiles: [bundle] });
  t.is((context.ca as string[]).length, 2);
});

test('two client root CAs with the same name, different keys and no key identifiers are refused', (t) => {
  const namesakes = ['one', 'two'].map(
    (name) => makeCertificate(directory, name, { subject: 'same', extensions: CA }).cert,
  );
  t.throws(() => readTlsMaterial({ ...good, clientRootCAFiles: namesakes }), {
    code: 'TLS_INVALID',
    message: /^operations\.tls\.clientRootCAs\.files: two CAs have the name CN=same and different keys/,
  });
});

test('the expiry of several CAs is the earliest one', (t) => {
  const { expiry } = readTlsMaterial({
    ...good,
    clientRootCAFiles: [server.cert, clients.expired?.cert ?? ''],
  });
  t.is(expiry.client_ca, Date.parse('2020-02-01T00:00:00Z'));
  t.is(expiry.server, Date.parse('2049-12-31T23:59:59Z'));
});

test('a renewed certificate that cannot be used is a warning with the end of the one in use, until a usable one is read', async (t) => {
  const certFile = file('renewed.pem', readFileSync(server.cert, 'utf8'));
  const { agent } = await startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': certFile,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
  });
  t.deepEqual((await agent.health.run()).warnings, []);
  t.true(agent.health.components.includes('tls (operations)'));
  writeFileSync(certFile, 'garbage');
  agent.reloadTls();
  const end = new Date(new X509Certificate(readFileSync(server.cert)).validTo).toISOString();
  t.deepEqual((await agent.health.run()).warnings, [
    {
      component: 'tls (operations)',
      reason: `certificates not reloaded: server certificate ${certFile} contains no PEM certificate; the server certificate in use ends ${end}`,
      severity: 'warning',
    },
  ]);
  writeFileSync(certFile, readFileSync(server.cert));
  agent.reloadTls();
  t.deepEqual((await agent.health.run()).warnings, []);
});
