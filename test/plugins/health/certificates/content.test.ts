// The content of files with certificates and keys.

import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readContent, readKeyContent } from '../../../../plugins/health/certificates/content.js';
import type { FoundFile } from '../../../../plugins/health/certificates/walk.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { makeCertificate } from '../../../helpers/made-certificates.js';

const { pem: bytes, key } = makeCertificate({ commonName: 'a' });
const pem = bytes.toString();
const keyPem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
const invalid = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

const write = (t: ExecutionContext, text: string): string => join(temporaryFolder(t, { file: text }), 'file');

for (const [what, text, certificates, problem] of [
  ['a certificate', pem, 1, undefined],
  ['nothing', '', 0, 'is empty'],
  ['other text', 'x', 0, 'contains no certificate'],
  ['a key', keyPem, 0, undefined],
  ['an invalid certificate', invalid, 0, 'contains an invalid certificate'],
  ['a valid and an invalid certificate', `${pem}${invalid}`, 1, 'certificate 2 of 2 is invalid'],
  ['two invalid certificates', invalid.repeat(2), 0, 'certificate 1 of 2 is invalid'],
  ['1,000 certificates', invalid.repeat(1000), 0, 'certificate 1 of 1000 is invalid'],
  ['1,001 certificates', invalid.repeat(1001), 0, 'contains more than 1000 certificates'],
  ['1 MiB', `${pem}${' '.repeat(1024 * 1024 - pem.length)}`, 1, undefined],
  [
    'a byte more than 1 MiB',
    `${pem}${' '.repeat(1024 * 1024 - pem.length + 1)}`,
    0,
    'it is larger than 1048576 bytes',
  ],
] as const)
  test(`a file with ${what} has ${certificates} certificates, and ${problem ?? 'no problem'}`, async (t) => {
    const found = await readContent({ path: write(t, text) } as FoundFile);
    t.deepEqual([found.certificates.length, found.problem], [certificates, problem]);
  });

for (const [what, text, isKey, problem] of [
  ['a key', keyPem, true, undefined],
  ['a certificate', pem, false, 'contains no PEM private key'],
  [
    'an invalid key',
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    false,
    'contains an invalid or encrypted private key',
  ],
] as const)
  test(`a key file with ${what}: ${problem ?? 'its public key'}`, async (t) => {
    const { publicKey, problem: found, certificates } = await readKeyContent(write(t, text));
    t.deepEqual([publicKey !== undefined, found, certificates], [isKey, problem, []]);
  });

test('a config.yaml refers to each file once', async (t) => {
  const text = [
    'NodeOUs:',
    '  ClientOUIdentifier: {Certificate: cacerts/a.pem, OrganizationalUnitIdentifier: client}',
    '  PeerOUIdentifier:',
    '    Certificate: "cacerts/b c.pem"',
    "    Certificate: 'cacerts/d.pem'",
    '    Certificate: cacerts/a.pem # again',
    '    # Certificate: cacerts/e.pem',
    '    MyCertificate: cacerts/f.pem',
    '    Certificate: ""',
  ].join('\n');
  const file = { path: write(t, text), msp: { role: 'units' } } as unknown as FoundFile;
  t.deepEqual((await readContent(file)).references, ['cacerts/a.pem', 'cacerts/b c.pem', 'cacerts/d.pem']);
});
