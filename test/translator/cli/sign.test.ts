// The commands sign and merge, in the test process.

import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readSerializedIdentity } from '../../../translator/msp/index.js';
import { creatorOf, readEnvelope } from '../../../translator/channel/index.js';
import { certificateOf, IDENTITIES, readVectors } from '../../helpers/channel-vectors.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { application, inMsp, org1, type Group } from '../../helpers/changed-config.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';

const BEFORE = Buffer.from(readVectors<readonly { before: string }[]>('sign-cases')[0]!.before, 'base64');

/** A directory with an update, the MSP directories of two people, and one with the key of another certificate. */
function makeFiles(t: ExecutionContext): (name: string) => string {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('update.pb'), BEFORE);
  writeFileSync(at('bare.pb'), readEnvelope(BEFORE).update.bytes);
  mkdirSync(at('folder'));
  writeFileSync(at('folder/update.pb'), BEFORE);
  for (const [folder, certificate, keys] of [
    ['one', 'Org1/admin', ['Org1/user1', 'Org1/admin']],
    ['two', 'Org2/admin', ['Org2/admin']],
    ['bad', 'Org1/admin', ['Org1/user1']],
  ] as const) {
    for (const name of ['signcerts', 'keystore']) mkdirSync(at(`${folder}/${name}`), { recursive: true });
    writeFileSync(at(`${folder}/signcerts/cert.pem`), certificateOf(certificate));
    for (const [index, key] of keys.entries())
      writeFileSync(at(`${folder}/keystore/${index}_sk`), IDENTITIES[key]!.key);
  }
  return at;
}

const signersIn = (bytes: Uint8Array): readonly string[] =>
  readEnvelope(bytes).signatures.map(({ header }) => readSerializedIdentity(creatorOf(header)).mspid);

test('sign finds the key in keystore, merge collects the signatures of two people', async (t) => {
  const at = makeFiles(t);
  const one = await runCommand(t, [
    'sign',
    at('update.pb'),
    '--msp',
    at('one'),
    '--mspid',
    'Org1MSP',
    '--unreviewed',
    '--quiet',
    '-o',
    at('1.pb'),
  ]);
  const two = await runCommand(t, [
    'sign',
    at('bare.pb'),
    `--msp=${at('two')}`,
    '--mspid=Org2MSP',
    '--unreviewed',
    '--quiet',
    `--output=${at('2.pb')}`,
  ]);
  t.deepEqual(
    [one, two],
    [
      { status: 0, stdout: '', stderr: '' },
      { status: 0, stdout: '', stderr: '' },
    ],
  );
  t.deepEqual(signersIn(readFileSync(at('2.pb'))), ['Org2MSP']);
  copyFileSync(at('1.pb'), at('3.pb'));
  const merged = await runCommand(t, ['merge', at('2.pb'), at('1.pb'), at('3.pb'), '-o', at('all.pb')]);
  t.deepEqual(merged, {
    status: 0,
    stdout: '',
    stderr: 'configtxlator: note: 2 signatures, 1 duplicate dropped\n',
  });
  t.deepEqual(signersIn(readFileSync(at('all.pb'))), ['Org2MSP', 'Org1MSP']);
});

const FINGERPRINT = '073578742219659862567fc3a7fe9244e66270f062829a866b3990030378c18a';

test('sign shows what it signs and signs only the update with the expected fingerprint', async (t) => {
  const at = makeFiles(t);
  const signing = [
    'sign',
    at('update.pb'),
    '--unreviewed',
    '--msp',
    at('one'),
    '--mspid',
    'Org1MSP',
    '-o',
    at('1.pb'),
  ];
  const { stderr } = await runCommand(t, [...signing, '--expect', FINGERPRINT]);
  t.is(
    stderr,
    `config update of channel testchannel
changes
  ~ /Channel/Application/M01 (policy)  changed, version 1: ANY Writers
signatures
  none
fingerprint ${FINGERPRINT}
not reviewed: whether orderers accept it, and what stops working afterwards, is unknown
`,
  );
  t.deepEqual(signersIn(readFileSync(at('1.pb'))), ['Org1MSP']);
  const other = await runCommand(t, [...signing.slice(0, -1), at('2.pb'), '--expect', 'abc']);
  t.is(other.status, 1);
  t.is(
    other.stderr,
    `configtxlator: error: ${at('update.pb')} has the fingerprint ${FINGERPRINT}, not abc: it was not signed\n`,
  );
  t.false(existsSync(at('2.pb')));
});

/** A directory with a recorded update, its original block, and the MSP directory of an admin of Org1. */
function makeReviewed(t: ExecutionContext, note: string): (name: string) => string {
  const at = makeFiles(t);
  const { configs, cases } = readReviewCases();
  const each = cases.find((one) => one.note === note)!;
  writeFileSync(at('update.pb'), bytesIn(each.envelope));
  writeFileSync(at('block.pb'), bytesIn(configs[each.config]!));
  return at;
}

test('sign --block reviews first: an update that orderers would refuse is not signed', async (t) => {
  const at = makeReviewed(t, 'BatchSize 0/5000000/5');
  const { status, stderr } = await runCommand(t, [
    'sign',
    at('update.pb'),
    '--msp',
    at('one'),
    '--block',
    at('block.pb'),
    '-o',
    at('1.pb'),
  ]);
  // As submit and review.
  t.is(status, 2);
  t.regex(stderr, /\nconfigtxlator: error: \S+update\.pb was not signed: orderers would refuse it\n$/);
  t.regex(stderr, /refused: max_message_count of the batch size is 0\n/);
  t.false(existsSync(at('1.pb')));
});

test('sign --block refuses an MSP id that the block disproves', async (t) => {
  const at = makeReviewed(t, 'BatchSize 0/5000000/5');
  const { status, stderr } = await runCommand(t, [
    'sign',
    at('update.pb'),
    '--msp',
    at('one'),
    '--block',
    at('block.pb'),
    '--mspid',
    'Org9MSP',
    '-o',
    at('1.pb'),
  ]);
  t.is(status, 1);
  t.regex(
    stderr,
    /^configtxlator: error: --mspid Org9MSP is wrong for \S+block\.pb: the channel has no such MSP; the MSPs of the channel are \S/,
  );
});

/** Makes an update of the recorded config `app3` with an edit, and the MSP directories of people of it. */
async function makeSignable(
  t: ExecutionContext,
  edit: readonly string[],
): Promise<{
  readonly at: (name: string) => string;
  /** Signs the update as somebody, in place. */
  readonly signAs: (identity: string, mspid: string, ...more: readonly string[]) => Promise<CommandOutcome>;
}> {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('config.pb'), configWith(false));
  const made = await runCommand(
    t,
    [
      ...edit.slice(0, 2),
      at('config.pb'),
      ...edit.slice(2),
      '--channel_id',
      'testchannel',
      '-o',
      at('update.pb'),
    ],
    '',
  );
  t.is(made.status, 0, made.stderr);
  const signAs = async (
    identity: string,
    mspid: string,
    ...more: readonly string[]
  ): Promise<CommandOutcome> => {
    const folder = at(identity.replace('/', '-'));
    for (const name of ['signcerts', 'keystore']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'signcerts/cert.pem'), certificateOf(identity));
    writeFileSync(join(folder, 'keystore/key'), IDENTITIES[identity]!.key);
    const who = ['--msp', folder, '--mspid', mspid];
    return runCommand(t, ['sign', at('update.pb'), ...who, '-o', at('update.pb'), ...more]);
  };
  return { at, signAs };
}

const PEERS = ['anchor-peers', 'set', 'Org1MSP', 'peer9:7051'];

for (const [what, identity, mspid, reason] of [
  [
    'an admin of another organisation',
    'Org2/admin',
    'Org2MSP',
    /the signature of CN=\S+ of Org2MSP would not count: no policy that must sign asks for it/,
  ],
  [
    'a person who is no admin',
    'Org1/user1',
    'Org1MSP',
    /the signature of CN=\S+ of Org1MSP would not count: no policy that must sign asks for it/,
  ],
] as const)
  for (const flags of [[], ['--digest'], ['--sign-with', 'touch USED']])
    test(`${what} is told before the signature that it does not count, and nothing is signed: ${flags.join(' ') || 'key in a file'}`, async (t) => {
      const { at, signAs } = await makeSignable(t, PEERS);
      const before = readFileSync(at('update.pb'));
      const given = flags.map((flag) => flag.replace('USED', at('used')));
      const { status, stderr } = await signAs(identity, mspid, '--block', at('config.pb'), ...given);
      t.is(status, 3, stderr);
      t.regex(stderr, /^channel testchannel; the update fits this config; /m);
      t.regex(
        stderr,
        new RegExp(`\\nconfigtxlator: error: \\S+update\\.pb was not signed: ${reason.source}\\n$`),
      );
      t.deepEqual(readFileSync(at('update.pb')), before);
      t.false(existsSync(at('used')));
    });

test('an admin who has signed is told that a second signature does not count', async (t) => {
  const { at, signAs } = await makeSignable(t, PEERS);
  t.is((await signAs('Org1/admin', 'Org1MSP', '--block', at('config.pb'))).status, 0);
  const { status, stderr } = await signAs('Org1/admin', 'Org1MSP', '--block', at('config.pb'));
  t.is(status, 3);
  t.regex(stderr, / of Org1MSP has signed it already, and orderers count a signer once\n$/);
  t.deepEqual(signersIn(readFileSync(at('update.pb'))), ['Org1MSP']);
});

test('an edit with --sign of somebody whose signature does not count is written with a warning', async (t) => {
  const { at } = await makeSignable(t, PEERS);
  for (const name of ['signcerts', 'keystore']) mkdirSync(at(`two/${name}`), { recursive: true });
  writeFileSync(at('two/signcerts/cert.pem'), certificateOf('Org2/admin'));
  writeFileSync(at('two/keystore/key'), IDENTITIES['Org2/admin']!.key);
  const edit = [...PEERS.slice(0, 2), at('config.pb'), ...PEERS.slice(2), '--channel_id', 'testchannel'];
  const sign = ['--sign', '--msp', at('two'), '--mspid', 'Org2MSP', '-o', at('signed.pb')];
  const { status, stderr } = await runCommand(t, [...edit, ...sign]);
  t.is(status, 0);
  t.regex(
    stderr,
    /\nconfigtxlator: warning: the signature of CN=\S+ of Org2MSP would not count: no policy that must sign asks for it\n/,
  );
  t.deepEqual(signersIn(readFileSync(at('signed.pb'))), ['Org2MSP']);
});

test('a signature that counts is added, although the policies are satisfied without it', async (t) => {
  const { at, signAs } = await makeSignable(t, PEERS);
  for (const identity of ['Org1/admin', 'Org1/admin2'])
    t.is((await signAs(identity, 'Org1MSP', '--block', at('config.pb'))).status, 0);
  t.deepEqual(signersIn(readFileSync(at('update.pb'))), ['Org1MSP', 'Org1MSP']);
});

test('sign --unreviewed signs without a review, and says so', async (t) => {
  const { at, signAs } = await makeSignable(t, PEERS);
  const { status, stderr } = await signAs('Org2/admin', 'Org2MSP', '--unreviewed');
  t.is(status, 0);
  t.regex(
    stderr,
    /\nnot reviewed: whether orderers accept it, and what stops working afterwards, is unknown\n$/,
  );
  t.deepEqual(signersIn(readFileSync(at('update.pb'))), ['Org2MSP']);
});

test('sign --quiet with a review that refuses nothing prints nothing', async (t) => {
  const { at, signAs } = await makeSignable(t, PEERS);
  const outcome = await signAs('Org1/admin', 'Org1MSP', '--block', at('config.pb'), '--quiet');
  t.deepEqual(outcome, { status: 0, stdout: '', stderr: '' });
});

/** The config of a channel, in which the MSP of Org2 also has the CA of Org1 if it is shared. */
function configWith(isShared: boolean): Buffer {
  const tree = parse('common.Config', bytesIn(readReviewCases().configs.app3!));
  const channel = tree.channel_group as Group;
  if (isShared) {
    let ca = new Uint8Array();
    inMsp(org1(channel), (msp) => void ([ca] = msp.root_certs as [Uint8Array<ArrayBuffer>]));
    inMsp(application(channel).groups.Org2!, (msp) => {
      (msp.root_certs as Uint8Array[]).push(ca);
      for (const unit of Object.values(msp.fabric_node_ous as Record<string, Tree>))
        unit.certificate &&= Buffer.alloc(0);
    });
  }
  return serialize('common.Config', tree);
}

for (const [what, certificate, isShared, error] of [
  [
    'no MSP',
    'OrgEd/ed-admin',
    false,
    /^the certificate belongs to no MSP in (\S+) \(([^)]*)\): give its id with --mspid$/,
  ],
  [
    'two MSPs',
    'Org1/admin',
    true,
    /^the certificate belongs to several MSPs in (\S+) \((Org1MSP, Org2MSP)\): choose one with --mspid$/,
  ],
] as const)
  test(`sign --block with a certificate of ${what} needs the id of the MSP`, async (t) => {
    const at = makeFiles(t);
    writeFileSync(at('config.pb'), configWith(isShared));
    writeFileSync(at('one/signcerts/cert.pem'), certificateOf(certificate));
    writeFileSync(at('one/keystore/0_sk'), IDENTITIES[certificate]!.key);
    const args = ['sign', at('update.pb'), '--msp', at('one'), '--block', at('config.pb'), '-o', at('1.pb')];
    const { status, stderr } = await runCommand(t, args);
    t.is(status, 1);
    const [, path, msps = ''] = error.exec(stderr.replace('configtxlator: error: ', '').trimEnd()) ?? [];
    t.is(path, at('config.pb'), stderr);
    t.true(msps.startsWith('Org1MSP, Org2MSP'), msps);
  });

test('an encrypted key in SEC 1 form is reported as encrypted', async (t) => {
  const at = makeFiles(t);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'sec1', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' });
  writeFileSync(at('two/keystore/0_sk'), pem);
  const { stderr } = await runCommand(t, [
    'sign',
    at('update.pb'),
    '--unreviewed',
    '--msp',
    at('two'),
    '--mspid',
    'Org2MSP',
  ]);
  t.is(
    stderr,
    `configtxlator: error: --msp ${at('two')}: no private key belongs to the certificate (${at('two/keystore/0_sk')}: the private key is encrypted in the old form of OpenSSL; convert it with openssl pkcs8 -topk8 -v2 aes-256-cbc)\n`,
  );
});

const ERRORS: readonly (readonly [
  what: string,
  args: (at: (name: string) => string) => readonly string[],
  error: string,
])[] = [
  [
    'sign without a file',
    (at) => ['sign', '--msp', at('one')],
    "required argument 'file' not provided, try --help",
  ],
  [
    'sign without --msp',
    (at) => ['sign', at('update.pb'), '--unreviewed'],
    'required flag --msp not provided, try --help',
  ],
  [
    'sign without an MSP id',
    (at) => ['sign', at('update.pb'), '--unreviewed', '--msp', at('one')],
    'the id of the MSP is needed: --mspid ID, or --block with a config block of the channel, try --help',
  ],
  [
    'sign of a file that is not a message',
    (at) => ['sign', at('one/keystore/0_sk'), '--msp', at('one'), '--mspid', 'A'],
    'DIR/one/keystore/0_sk: this is a PEM file (PRIVATE KEY); a config update is needed',
  ],
  [
    'sign with the key of another certificate',
    (at) => ['sign', at('update.pb'), '--unreviewed', '--msp', at('bad'), '--mspid', 'A'],
    '--msp DIR/bad: no private key belongs to the certificate (DIR/bad/keystore/0_sk: the key does not belong to the certificate of CN=Admin@org1.example.com,OU=admin,L=San Francisco,ST=California,C=US)',
  ],
  [
    'sign with a directory that is not an MSP',
    (at) => ['sign', at('update.pb'), '--unreviewed', '--msp', at('one/keystore'), '--mspid', 'A'],
    'open DIR/one/keystore/signcerts: no such file',
  ],
  [
    'sign with an update as block',
    (at) => ['sign', at('update.pb'), '--msp', at('one'), '--block', at('bare.pb')],
    'DIR/bare.pb: this is a config update; a config block is needed',
  ],
  [
    'sign without a block',
    (at) => ['sign', at('update.pb'), '--msp', at('one'), '--mspid', 'Org1MSP'],
    'DIR/update.pb was not signed, it is not reviewed: give --block, or --unreviewed to sign without a review',
  ],
  [
    'sign of a folder without a block',
    (at) => ['sign', at('folder'), '--msp', at('one'), '--mspid', 'Org1MSP'],
    'DIR/folder/update.pb was not signed, it is not reviewed: give --block, or --unreviewed to sign without a review; no file of DIR/folder was signed',
  ],
  [
    'sign --digest without a block',
    (at) => [
      'sign',
      at('update.pb'),
      '--digest',
      '--certificate',
      at('one/signcerts/cert.pem'),
      '--mspid',
      'Org1MSP',
    ],
    'DIR/update.pb was not signed, it is not reviewed: give --block, or --unreviewed to sign without a review',
  ],
  [
    'sign with a block and without a review',
    (at) => ['sign', at('update.pb'), '--block', at('bare.pb'), '--unreviewed', '--msp', at('one')],
    '--block and --unreviewed exclude each other, try --help',
  ],
  ['merge without a file', () => ['merge'], 'at least one file is needed, try --help'],
  [
    'sign with a key in hardware',
    (at) => ['sign', at('update.pb'), '--unreviewed', '--msp', 'pkcs11:token=x', '--mspid', 'A'],
    '--msp pkcs11:token=x: configtxlator reads keys from files; if the private key is in hardware, sign with --sign-with COMMAND, or with --digest and --signature',
  ],
];

for (const [what, args, error] of ERRORS)
  test(`${what}: ${error}`, async (t) => {
    const at = makeFiles(t);
    const outcome: CommandOutcome = await runCommand(t, args(at));
    t.is(outcome.status, 1);
    t.is(outcome.stderr.replaceAll(at('x').slice(0, -2), 'DIR'), `configtxlator: error: ${error}\n`);
  });
