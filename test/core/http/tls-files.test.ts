// What is wrong with the files of TLS is said before anything listens.

import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readTlsMaterial } from '../../../core/http/tls.js';
import { createAgent, defineSettings } from '../../../core/index.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { QUIET } from '../../helpers/quiet-backend.js';

const { folder, authority, foreign, server, clients } = makeCertificates();
const good = { certFile: server.cert, keyFile: server.key, clientRootCAFiles: [authority.cert] };
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const missing = join(folder, 'missing.pem');
const empty = file('empty.pem', '');
const words = file('words.pem', 'these are not certificates\n');
const broken = file('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
const cut = file('cut.pem', readFileSync(server.cert, 'utf8').slice(0, 200));
const brokenKey = file('broken.key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsaKey = file('rsa.key', rsa.export({ type: 'pkcs8', format: 'pem' }).toString());
const encryptedKey = file(
  'encrypted.key',
  rsa.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }).toString(),
);
const otherKey = clients.trusted?.key ?? '';

const CASES: readonly (readonly [string, Partial<typeof good>, string | RegExp])[] = [
  [
    'a missing certificate',
    { certFile: missing },
    `server certificate ${missing} cannot be read: no such file`,
  ],
  ['a missing key', { keyFile: missing }, `private key ${missing} cannot be read: no such file`],
  [
    'a missing authority',
    { clientRootCAFiles: [missing] },
    `client root CA ${missing} cannot be read: no such file`,
  ],
  [
    'a second authority that is missing',
    { clientRootCAFiles: [authority.cert, missing] },
    `client root CA ${missing} cannot be read: no such file`,
  ],
  [
    'a folder for a certificate',
    { certFile: folder },
    `server certificate ${folder} cannot be read: it is a directory`,
  ],
  [
    'an empty certificate',
    { certFile: empty },
    `server certificate ${empty} holds no certificate in PEM form`,
  ],
  [
    'a certificate file of words',
    { certFile: words },
    `server certificate ${words} holds no certificate in PEM form`,
  ],
  [
    'a certificate that is cut off',
    { certFile: cut },
    `server certificate ${cut} holds no certificate in PEM form`,
  ],
  [
    'a broken certificate',
    { certFile: broken },
    new RegExp(`^${broken} holds a certificate that cannot be read: `),
  ],
  [
    'certificate and key exchanged',
    { certFile: server.key, keyFile: server.cert },
    `server certificate ${server.key} holds no certificate in PEM form; it holds a private key: are the two files exchanged?`,
  ],
  [
    'the key of another certificate',
    { keyFile: otherKey },
    `private key ${otherKey} does not belong to server certificate ${server.cert}`,
  ],
  ['a broken key', { keyFile: brokenKey }, new RegExp(`^private key ${brokenKey} cannot be used: `)],
  [
    'a key of another type',
    { keyFile: rsaKey },
    `private key ${rsaKey} does not belong to server certificate ${server.cert}`,
  ],
  [
    'an encrypted key',
    { keyFile: encryptedKey },
    `private key ${encryptedKey} is encrypted: it must be stored without a passphrase`,
  ],
  [
    'a certificate for a key',
    { keyFile: server.cert },
    `private key ${server.cert} holds no private key in PEM form; it holds a certificate: are the two files exchanged?`,
  ],
  ['a key file of words', { keyFile: words }, `private key ${words} holds no private key in PEM form`],
  [
    'no authority',
    { clientRootCAFiles: [] },
    'no client root CA is set: nobody could use the protected resources',
  ],
  [
    'an authority file without a certificate',
    { clientRootCAFiles: [words] },
    `client root CA ${words} holds no certificate in PEM form`,
  ],
  [
    'a broken authority',
    { clientRootCAFiles: [broken] },
    new RegExp(`^${broken} holds a certificate that cannot be read: `),
  ],
];

for (const [what, files, message] of CASES) {
  test(`${what} is refused in clear words`, (t) => {
    t.throws(() => readTlsMaterial({ ...good, ...files }), { code: 'TLS_INVALID', message });
  });
}

test('an agent whose certificate cannot be read is not made', async (t) => {
  const settings = defineSettings(
    {
      'operations.tls.enabled': true,
      'operations.tls.cert.file': missing,
      'operations.tls.key.file': server.key,
      'operations.tls.clientRootCAs.files': [authority.cert],
      'operations.listenAddress': '127.0.0.1:0',
      plugins: QUIET,
    },
    folder,
  );
  await t.throwsAsync(createAgent(settings), {
    code: 'TLS_INVALID',
    message: `server certificate ${missing} cannot be read: no such file`,
  });
});

test('certificates with their chain, several authorities in one file and text around them are read', (t) => {
  const pem = (name: string): string => readFileSync(name, 'utf8');
  const chain = file('chain.pem', `subject=x\n${pem(server.cert)}\nissuer\n${pem(authority.cert)}`);
  const bundle = file('bundle.pem', `# first\r\n${pem(authority.cert)}# second\r\n${pem(foreign.cert)}`);
  const { context } = readTlsMaterial({ ...good, certFile: chain, clientRootCAFiles: [bundle] });
  t.is((context.ca as string[]).length, 2);
});

test('the expiry of authorities is that of the first to expire', (t) => {
  const { expiry } = readTlsMaterial({
    ...good,
    clientRootCAFiles: [server.cert, clients.expired?.cert ?? ''],
  });
  t.is(expiry.client_ca, Date.parse('2020-02-01T00:00:00Z'));
  t.is(expiry.server, Date.parse('2049-12-31T23:59:59Z'));
});
