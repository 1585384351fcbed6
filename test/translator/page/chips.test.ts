// The files on the page as chips.

import test from 'ava';
import { readConfigFile, writeConfig } from '../../../translator/channel/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { chipsOf } from '../../../translator/page/chips.js';
import { readPageFile } from '../../../translator/page/files.js';
import { mspsIn, guessedMspId, type SigningFolder } from '../../../translator/page/msp-folders.js';
import { certificateOf, IDENTITIES } from '../../helpers/channel-vectors.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { networkBlock } from '../../helpers/network-block.js';

const BASE = readConfigFile(networkBlock());
const file = (path: string, bytes: Uint8Array) => readPageFile({ path, bytes, size: bytes.length });
const part = (path: string, bytes: Uint8Array) => ({ path, bytes, size: bytes.length });
const chips = (...files: readonly ReturnType<typeof file>[]) => chipsOf(files, [], [], () => '');

test('a file that is no config is a red chip with its kind and what to do', (t) => {
  const [chip] = chips(file('photo.zip', Buffer.from('PK\u0003\u0004 and more')));
  t.deepEqual(chip, {
    name: 'photo.zip',
    text: 'photo.zip: it is a ZIP archive; a config block or a config update is needed. Remove it, or choose another file',
    title: 'photo.zip',
    kind: 'bad',
  });
});

test('a block that ends too early is to be fetched again', (t) => {
  const [chip] = chips(file('folder/truncated.pb', networkBlock().subarray(0, 3000)));
  t.is(chip?.kind, 'bad');
  t.regex(chip?.text ?? '', /^truncated\.pb: .*\. Fetch it again$/);
});

test('a config block is a chip with its name, and its number in the title', (t) => {
  t.deepEqual(chips(file('config_block.pb', networkBlock())), [
    { name: 'config_block.pb', text: 'config_block.pb', title: 'config block 0', kind: 'plain' },
  ]);
});

const folder = (name: string, who: string) => [
  part(`${name}/signcerts/cert.pem`, certificateOf(who)),
  part(`${name}/keystore/key_sk`, Buffer.from(IDENTITIES[who]!.key)),
];

test('two folders that are both called msp have the names of their owners', (t) => {
  const [one] = mspsIn(folder('msp', 'Org1/admin'));
  const [other] = mspsIn(folder('msp', 'Org2/admin'));
  t.not(one!.name, other!.name);
  t.true(one!.name.startsWith('msp of '));
  const signer = { name: one!.name } as SigningFolder;
  t.deepEqual(
    chipsOf([], [one!, other!], [signer, { name: other!.name, error: 'no MSP' }], ({ name }) =>
      name === one!.name ? 'Org1 admin' : 'Admin@org2',
    ).map(({ text, kind }) => [text, kind]),
    [
      ['you: Org1 admin', 'you'],
      ['Admin@org2 belongs to no organisation of this channel', 'stranger'],
    ],
  );
});

const UPDATE = unsignedUpdate(
  BASE.config,
  setPolicy(BASE.config, '/Channel/Admins', 'ANY Admins').config,
  'mychannel',
).bytes;

for (const [what, given, expected] of [
  ['an update', file('a/u.pb', UPDATE), { text: 'u.pb', title: 'config update', kind: 'plain' }],
  [
    'a config without a block',
    file('config.pb', writeConfig(BASE.config)),
    { text: 'config.pb', title: 'config without a block', kind: 'plain' },
  ],
  [
    'a certificate',
    file('me.pem', certificateOf('Org1/admin')),
    { text: 'me.pem', title: 'certificate', kind: 'plain' },
  ],
] as const)
  test(`the chip of ${what} has the title "${expected.title}"`, (t) => {
    t.like(chips(given)[0], expected);
  });

const AUTHORITY = [part('org/cacerts/ca.pem', makeCertificate({ commonName: 'ca.org9.example.com' }).pem)];

for (const [what, parts, expected] of [
  [
    'an organisation',
    AUTHORITY,
    {
      text: 'MSP of org9.example.com',
      title:
        'org; org has neither NodeOUs in config.yaml nor certificates in admincerts: orderers refuse an MSP without admins',
      kind: 'plain',
    },
  ],
  [
    'a person without a key',
    folder('me', 'Org1/admin').slice(0, 1),
    { text: 'Admin@org1.example.com, without a key', title: 'me', kind: 'plain' },
  ],
  [
    'a person, before a channel is there',
    folder('me', 'Org1/admin'),
    { text: 'you: Admin@org1.example.com', title: 'me', kind: 'plain' },
  ],
  [
    'a folder without certificates',
    [part('x/config.yaml', Buffer.from('a: 1'))],
    {
      text: 'x: x: cacerts contains no certificate in PEM; the MSP directory of an organisation is needed. Choose the whole MSP folder',
      title: 'x',
      kind: 'bad',
    },
  ],
] as const)
  test(`the chip of the MSP folder of ${what} is: ${expected.text}`, (t) => {
    t.like(chipsOf([], mspsIn(parts), [], () => '')[0], expected);
  });

for (const [domain, mspid] of [
  ['org3.example.com', 'Org3MSP'],
  ['supplier', 'SupplierMSP'],
  ['', ''],
  ['3.example.com', ''],
] as const)
  test(`the MSP id for the domain "${domain}" is probably "${mspid}"`, (t) =>
    t.is(guessedMspId(domain), mspid));
