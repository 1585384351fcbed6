// MSP folders on the page.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { makeOrganization } from '../../../translator/edit/org.js';
import type { Dropped } from '../../../translator/page/files.js';
import { isMspPart, mspsIn, signerOf } from '../../../translator/page/msp-folders.js';
import { CONFIG, writeMsp } from '../../helpers/edits.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const dropped = (path: string, bytes: Uint8Array): Dropped => ({ path, bytes, size: bytes.length });

/** The files of a folder as a browser gives them. */
const filesIn = (directory: string, name: string): readonly Dropped[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file))
    .map((path) => dropped(join(name, path.slice(directory.length + 1)), readFileSync(path)));

const droppedMsp = (t: ExecutionContext, name: string): readonly Dropped[] =>
  filesIn(writeMsp(t, name), name);

for (const [name, mspId] of [
  ['full', 'FullMSP'],
  ['units', 'UnitsMSP'],
] as const)
  test(`the folder of an organisation has the bytes of configtxgen: ${name}`, (t) => {
    const msps = mspsIn(droppedMsp(t, name));
    t.deepEqual([msps.length, msps[0]!.name], [1, name]);
    const made = makeOrganization('Application', mspId, msps[0]!.organization!);
    const expected = CONFIG.channelGroup.groups.get('Application')!.groups.get(name)!;
    t.deepEqual(Buffer.from(made.values.get('MSP')!.bytes), Buffer.from(expected.values.get('MSP')!.bytes));
  });

test('several folders and other files are distinguished by their paths', (t) => {
  const parts = [...droppedMsp(t, 'full'), ...droppedMsp(t, 'units')];
  t.deepEqual(
    mspsIn(parts).map(({ name }) => name),
    ['full', 'units'],
  );
  t.true(parts.every(({ path }) => isMspPart(path)));
  t.false(isMspPart('block.pb'));
});

test('a private key among the certificates of an organisation is refused', (t) => {
  const { key } = makeCertificate({ commonName: 'someone' });
  const pem = Buffer.from(key.export({ type: 'pkcs8', format: 'pem' }) as string);
  const msps = mspsIn([...droppedMsp(t, 'full'), dropped('full/cacerts/z.pem', pem)]);
  t.is(
    msps[0]!.error,
    'full/cacerts/z.pem contains a private key (PRIVATE KEY), which must not get into a channel',
  );
});

test('a broken config.yaml is an error of the folder, not of the page', (t) => {
  const msps = mspsIn([...droppedMsp(t, 'full'), dropped('full/config.yaml', Buffer.from('a: [b'))]);
  t.regex(msps[0]!.error!, /^config\.yaml: /);
});

test('the folder of a person without an MSP on the channel cannot sign', async (t) => {
  const person = makeCertificate({ commonName: 'someone' });
  const msps = mspsIn([
    dropped('me/signcerts/cert.pem', person.pem),
    dropped('me/keystore/key', Buffer.from(person.key.export({ type: 'pkcs8', format: 'pem' }) as string)),
  ]);
  await t.throwsAsync(signerOf('me', msps[0]!.person!, []), {
    code: 'BAD_KEY',
    message: 'the certificate belongs to no MSP of the channel',
  });
});
