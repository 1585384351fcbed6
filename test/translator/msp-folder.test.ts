// The readers of MSP directories for Node.js, imported as by another program. Errors name the path.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import {
  findSigningIdentity,
  readMspFolder,
  readSignerFiles,
  TranslateError,
} from 'fabric-ops-agent/translator';
import { mspFilesOf } from 'fabric-ops-agent/translator/edit';
import { certificateOf, IDENTITIES } from '../helpers/channel-vectors.js';
import { writeMsp } from '../helpers/edits.js';
import { temporaryFolder } from '../helpers/folder.js';

const CERTIFICATE = certificateOf('Org1/admin').toString();
const { key: KEY } = IDENTITIES['Org1/admin']!;
const LARGE = '-'.repeat(1024 * 1024 + 1);

test('the MSP directory of a person makes a signing identity', async (t) => {
  const path = temporaryFolder(t, {
    'signcerts/a.txt': 'no certificate',
    'signcerts/cert.pem': CERTIFICATE,
    'keystore/a_sk': IDENTITIES['Org1/user1']!.key,
    'keystore/b_sk': KEY,
    'keystore/c_sk': LARGE,
    'keystore/folder/d_sk': KEY,
  });
  const files = readSignerFiles(path);
  t.deepEqual(
    files.keys.map((each) => each.path),
    [join(path, 'keystore/a_sk'), join(path, 'keystore/b_sk')],
  );
  const { certificate } = await findSigningIdentity({ ...files, mspid: 'Org1MSP' });
  t.true(certificate.subject.text.startsWith('CN=Admin@org1.example.com'));
});

test('the MSP directory of an organisation has its files and the value of config.yaml', async (t) => {
  const path = writeMsp(t, 'full', { 'cacerts/z.pem': LARGE });
  const folder = await readMspFolder(path);
  t.deepEqual([folder.path, typeof folder.config], [path, 'object']);
  t.false(folder.filesIn('cacerts').some((each) => each.path.endsWith('z.pem')));
  t.deepEqual(folder.filesIn('no-such-folder'), []);
  t.is(folder.file('no-such-file'), undefined);
  t.truthy(mspFilesOf(folder).nodeOus);
});

test('of more than a thousand files in a directory of an MSP, the first are read', async (t) => {
  const path = writeMsp(t, 'plain');
  mkdirSync(join(path, 'crls'));
  for (let index = 0; index < 1001; index++) writeFileSync(join(path, 'crls', `${10_000 + index}`), '');
  const crls = (await readMspFolder(path)).filesIn('crls');
  t.deepEqual([crls.length, crls.at(-1)!.path], [1000, join(path, 'crls/10999')]);
});

const ERRORS: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  read: (path: string) => unknown,
  code: string,
  message: string,
])[] = [
  ['no signcerts', { a: '' }, readSignerFiles, 'BAD_FILE', 'open DIR/signcerts: no such file'],
  [
    'no certificate',
    { 'signcerts/a': '' },
    readSignerFiles,
    'BAD_MSP_FOLDER',
    'DIR: signcerts contains no certificate in PEM; the MSP directory of a person is needed',
  ],
  [
    'an empty keystore',
    { 'signcerts/a': CERTIFICATE, 'keystore/folder/a': '' },
    readSignerFiles,
    'BAD_MSP_FOLDER',
    'DIR: keystore is empty; the private key of the certificate is needed',
  ],
  [
    'a file in place of the directory',
    { a: '' },
    (path) => readMspFolder(join(path, 'a')),
    'BAD_MSP_FOLDER',
    'DIR/a is a file, an MSP directory is needed',
  ],
  ['no directory', {}, (path) => readMspFolder(join(path, 'a')), 'BAD_FILE', 'open DIR/a: no such file'],
  [
    'no cacerts',
    {},
    async (path) => (await readMspFolder(path)).filesIn('cacerts'),
    'BAD_FILE',
    'open DIR/cacerts: no such file',
  ],
  [
    'a config.yaml with too many aliases',
    { 'config.yaml': `a: &a [1]\nb: [${Array.from({ length: 200 }, () => '*a').join(', ')}]` },
    readMspFolder,
    'BAD_FILE',
    'DIR/config.yaml: Excessive alias count indicates a resource exhaustion attack',
  ],
];

for (const [what, files, read, code, message] of ERRORS)
  test(`an error of an MSP directory: ${what}`, async (t) => {
    const path = temporaryFolder(t, files);
    const { code: found, message: text } = await t.throwsAsync(async () => read(path), {
      instanceOf: TranslateError,
    });
    t.deepEqual([found as string, text.replaceAll(path, 'DIR')], [code, message]);
  });

test('a file of an MSP directory that is a symbolic link to itself is an error', (t) => {
  const path = temporaryFolder(t, { 'keystore/a': '' });
  mkdirSync(join(path, 'signcerts'));
  symlinkSync('cert.pem', join(path, 'signcerts/cert.pem'));
  const error = t.throws(() => readSignerFiles(path), { instanceOf: TranslateError });
  t.is(error.code, 'BAD_FILE');
  t.true(error.message.startsWith(`open ${join(path, 'signcerts/cert.pem')}: `));
});
