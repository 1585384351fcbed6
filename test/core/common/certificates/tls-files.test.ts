// Files with certificates and keys.

import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  readCertificates,
  readKeyPair,
  readPrivateKey,
  validityProblem,
} from '../../../../core/common/certificates/tls-files.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { makeCertificate } from '../../../helpers/made-certificates.js';

const { pem: bytes, key } = makeCertificate({ commonName: 'a' });
const pem = bytes.toString();
const keyPem = key.export({ type: 'pkcs8', format: 'pem' }).toString();

const write = (t: ExecutionContext, text: string): string => join(temporaryFolder(t, { file: text }), 'file');

test('a file may have several certificates and 1 MiB, not more', (t) => {
  const text = `${pem}${pem}`.padEnd(1024 * 1024);
  const found = readCertificates(write(t, text), 'server certificate');
  t.deepEqual([found.certificates.length, found.pem], [2, text]);
  const file = write(t, `${text} `);
  t.throws(() => readCertificates(file, 'server certificate'), {
    message: new RegExp(`^server certificate ${file}.* larger than 1048576 bytes$`),
  });
});

for (const [text, problem] of [
  ['', 'contains no PEM certificate'],
  [keyPem, 'contains no PEM certificate; it contains a private key: are the files swapped?'],
] as const)
  test(`a file of certificates with ${text.length} characters: ${problem}`, (t) => {
    const file = write(t, text);
    t.throws(() => readCertificates(file, 'server certificate'), {
      message: `server certificate ${file} ${problem}`,
    });
  });

test('a private key is read', (t) => {
  t.is(readPrivateKey(write(t, keyPem), 'private key').pem, keyPem);
});

const other = makeCertificate({ commonName: 'other' });
const keyOf = (made: typeof other): string => made.key.export({ type: 'pkcs8', format: 'pem' }).toString();
const encrypted = key
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString();
const broken = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';

for (const [what, text, problem] of [
  ['nothing', '', 'contains no PEM private key'],
  ['a certificate', pem, 'contains no PEM private key; it contains a certificate: are the files swapped?'],
  ['an encrypted key', encrypted, 'is encrypted; store it without a passphrase'],
] as const)
  test(`a file of a private key with ${what}: ${problem}`, (t) => {
    const file = write(t, text);
    t.throws(() => readPrivateKey(file, 'private key'), { message: `private key ${file} ${problem}` });
  });

test('a key or a certificate that OpenSSL cannot read has its reason, without codes', (t) => {
  const file = write(t, broken);
  t.regex(t.throws(() => readPrivateKey(file, 'private key')).message, / is invalid: [^:]+$/);
  const invalid = write(t, `${pem}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`);
  t.regex(
    t.throws(() => readCertificates(invalid, 'client CA')).message,
    / contains an invalid certificate: [^:]+$/,
  );
});

test('a certificate and its key are read together, and a key of another certificate is refused', (t) => {
  const roles = { cert: 'server certificate', key: 'private key' };
  const files = { cert: write(t, pem + other.pem.toString()), key: write(t, keyPem) };
  const pair = readKeyPair(files, roles);
  t.deepEqual([pair.cert, pair.key, pair.certificates.length], [pem + other.pem.toString(), keyPem, 2]);
  const wrong = { ...files, key: write(t, keyOf(other)) };
  t.throws(() => readKeyPair(wrong, roles), {
    message: `private key ${wrong.key} does not belong to server certificate ${wrong.cert}`,
  });
});

const FROM = Date.UTC(2026, 0, 1);
const TO = Date.UTC(2036, 0, 1);
for (const [now, problem] of [
  [FROM - 1, 'is not valid before Jan  1 00:00:00 2026 GMT'],
  [FROM, undefined],
  [TO, undefined],
  [TO + 1, 'expired on Jan  1 00:00:00 2036 GMT'],
] as const)
  test(`a certificate from 2026 to 2036 ${problem ?? 'is valid'} at ${new Date(now).toISOString()}`, (t) => {
    t.is(validityProblem(new X509Certificate(bytes), now), problem);
  });
