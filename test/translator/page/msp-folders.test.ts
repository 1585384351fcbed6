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

const authority = makeCertificate({ commonName: 'ca.org9.example.com' });
const person = makeCertificate({ commonName: 'Admin@org9', issuer: authority });
const keyOf = (path: string): Dropped =>
  dropped(path, Buffer.from(person.key.export({ type: 'pkcs8', format: 'pem' })));

test('a dropped folder msp, and loose files, have the name of their owner', (t) => {
  for (const prefix of ['msp/', ''])
    t.is(mspsIn([dropped(`${prefix}cacerts/ca.pem`, authority.pem)])[0]!.name, 'msp of org9.example.com');
  t.is(mspsIn([dropped('cacerts/ca.pem', Buffer.from('x'))])[0]!.name, 'msp');
});

for (const [ca, domain] of [
  ['ca.org3.example.com', 'org3.example.com'],
  ['tlsca.org3.example.com', 'org3.example.com'],
  ['rootca-supplier', 'supplier'],
  ['ROOT-CA.org3', 'org3'],
  ['fabric', 'fabric'],
] as const)
  test(`the folder of an organisation whose CA is ${ca} is the folder of ${domain}`, (t) => {
    const [msp] = mspsIn([dropped('a/cacerts/ca.pem', makeCertificate({ commonName: ca }).pem)]);
    t.is(msp!.owner, domain);
  });

test('the folder of a person has the certificate, the keys and the CAs, and is no organisation', (t) => {
  const [msp, ...others] = mspsIn([
    dropped('me/signcerts/a.txt', Buffer.from('no PEM')),
    dropped('me/signcerts/cert.pem', person.pem),
    dropped('me/cacerts/ca.pem', authority.pem),
    dropped('me/intermediatecerts/ica.pem', authority.pem),
    keyOf('me/keystore/key_sk'),
    keyOf('me/keystore/more/old_sk'),
  ]);
  t.deepEqual(others, []);
  t.is(msp!.owner, 'Admin@org9');
  t.deepEqual(Buffer.from(msp!.person!.certificate), person.pem);
  t.deepEqual(
    msp!.person!.keys.map(({ path }) => path),
    ['me/keystore/key_sk', 'me/keystore/more/old_sk'],
  );
  t.deepEqual(
    msp!.person!.cas.map((each) => Buffer.from(each)),
    [authority.pem, authority.pem],
  );
  t.deepEqual([msp!.organization, msp!.identity?.keys?.length], [undefined, 2]);
});

test('a certificate without a key is an identity, and with its CAs also the MSP of the organisation', (t) => {
  const certificate = dropped('me/signcerts/cert.pem', person.pem);
  const [alone] = mspsIn([certificate]);
  t.deepEqual([alone!.person, alone!.organization, alone!.error], [undefined, undefined, undefined]);
  t.is(alone!.identity?.place, 'MSP folder');
  t.false('keys' in alone!.identity!);
  const [both] = mspsIn([certificate, dropped('me/cacerts/ca.pem', authority.pem)]);
  t.is(both!.organization?.roots.length, 1);
});

test('files in subdirectories are not read, as by Fabric, and files are in the order of their names', (t) => {
  const second = makeCertificate({ commonName: 'ca2' });
  const [msp] = mspsIn([
    dropped('org/cacerts/b.pem', second.pem),
    dropped('org/cacerts/a.pem', authority.pem),
    dropped('org/cacerts/old/c.pem', second.pem),
  ]);
  t.deepEqual(
    msp!.organization!.roots.map((each) => Buffer.from(each)),
    [authority.pem, second.pem],
  );
});

test('a config.yaml of more than 1 MiB is not read', (t) => {
  const yaml = 'NodeOUs:\n  Enable: true\n  PeerOUIdentifier:\n    OrganizationalUnitIdentifier: peer\n';
  const withSize = (size: number): unknown =>
    mspsIn([
      dropped('org/cacerts/ca.pem', authority.pem),
      dropped('org/config.yaml', Buffer.from(`${yaml}#`.padEnd(size, '#'))),
    ])[0]!.organization!.nodeOus;
  t.deepEqual(withSize(1_048_576), { peer: { unit: 'peer', certificate: undefined } });
  t.is(withSize(1_048_577), undefined);
});

test('a config.yaml that uses an anchor 99 times is read, and one that uses it 100 times is an error', (t) => {
  const msp = (count: number) =>
    mspsIn([
      dropped('org/cacerts/ca.pem', authority.pem),
      dropped('org/config.yaml', Buffer.from(`a: &a x\nb: [${'*a, '.repeat(count)}]\n`)),
    ])[0]!;
  t.is(msp(99).error, undefined);
  t.is(msp(100).error, 'Excessive alias count indicates a resource exhaustion attack');
});

test('the certificate of a signer belongs to one MSP of the channel', async (t) => {
  const [msp] = mspsIn([dropped('me/signcerts/cert.pem', person.pem), keyOf('me/keystore/key')]);
  t.like(await signerOf('me', msp!.person!, ['Org9MSP']), { name: 'me', mspid: 'Org9MSP' });
  await t.throwsAsync(signerOf('me', msp!.person!, ['A', 'B']), {
    code: 'BAD_KEY',
    message: 'the certificate belongs to several MSPs of the channel',
  });
});
