// Files with certificates and keys.

import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readCertificates, readPrivateKey } from '../../../../core/common/certificates/tls-files.js';
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
