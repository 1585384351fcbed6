// Folders of config updates: reading them, and signing them in place.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { applyUpdate, readConfigFile, readEnvelope, writeConfig } from '../../../translator/channel/index.js';
import { certificateOf, IDENTITIES } from '../../helpers/channel-vectors.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { BLOCKS, configBlock } from '../../helpers/migration.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

/** A folder `updates` with updates, their block, another update outside the folder, and the MSP of an administrator. */
interface Files {
  readonly at: (name: string) => string;
  readonly run: (...args: readonly string[]) => Promise<CommandOutcome>;
  /** How many signatures a file has. */
  readonly signatures: (name: string) => number;
}

function makeFiles(t: ExecutionContext): Files {
  const folder = temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  for (const name of ['updates', 'msp/signcerts', 'msp/keystore']) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('msp/signcerts/cert.pem'), certificateOf('OrdererOrg/admin'));
  writeFileSync(at('msp/keystore/key'), IDENTITIES['OrdererOrg/admin']!.key);
  const { configs, cases } = readReviewCases();
  const refused = cases.find(({ note }) => note === 'BatchSize 0/5000000/5')!;
  writeFileSync(at('refused.pb'), bytesIn(refused.envelope));
  writeFileSync(at('block.pb'), bytesIn(configs[refused.config]!));
  return {
    at,
    run: async (...args) =>
      runCommand(
        t,
        args.map((each) => each.replace('DIR', at('.'))),
        '',
      ),
    signatures: (name) => readEnvelope(readFileSync(at(name))).signatures.length,
  };
}

/** Makes an update in the folder that sets a field. */
async function makeUpdate(
  t: ExecutionContext,
  { run }: Files,
  name: string,
  setting = 'orderer.batchTimeout=5s',
): Promise<void> {
  const made = await run(
    'edit',
    'DIR/block.pb',
    '--set',
    setting,
    '--channel_id',
    'ch1',
    '-o',
    `DIR/${name}`,
  );
  t.is(made.status, 0, made.stderr);
}

const REVIEWED = ['sign', 'DIR/updates', '--msp', 'DIR/msp', '--mspid', 'OrdererMSP', '--quiet'] as const;
const SIGN = [...REVIEWED, '--unreviewed'] as const;

for (const { command, args, more = '' } of [
  { command: 'sign', args: SIGN, more: '; no file of DIR/updates was signed' },
  { command: 'review', args: ['review', 'DIR/updates', '--block', 'DIR/block.pb'] },
  { command: 'merge', args: ['merge', 'DIR/updates', '-o', 'DIR/merged.pb'] },
  { command: 'submit', args: ['submit', 'DIR/updates', '--to', 'grpc://127.0.0.1:1/c'] },
])
  test(`${command} does not follow a link out of the folder`, async (t) => {
    const files = makeFiles(t);
    const { at, run, signatures } = files;
    await makeUpdate(t, files, 'updates/a.pb');
    await makeUpdate(t, files, 'outside.pb');
    symlinkSync('../outside.pb', at('updates/link.pb'));
    const { status, stdout, stderr } = await run(...args);
    t.deepEqual(
      [status, stdout, stderr.replaceAll(at('.'), 'DIR')],
      [
        1,
        '',
        `configtxlator: error: DIR/updates/link.pb is a symbolic link to DIR/outside.pb, which is not in the folder DIR/updates${more}\n`,
      ],
    );
    t.deepEqual([signatures('updates/a.pb'), signatures('outside.pb')], [0, 0]);
  });

test('links in a folder are the files that they name, and a link to the folder is the folder', async (t) => {
  const files = makeFiles(t);
  const { at, run, signatures } = files;
  mkdirSync(at('updates/..data'));
  await makeUpdate(t, files, 'updates/..data/a.pb');
  await makeUpdate(t, files, 'updates/b.pb', 'orderer.batchTimeout=6s');
  symlinkSync('..data/a.pb', at('updates/a.pb'));
  symlinkSync('b.pb', at('updates/c.pb'));
  symlinkSync('updates', at('link'));
  const { status, stderr } = await run('sign', 'DIR/link', ...SIGN.slice(2));
  t.deepEqual([status, stderr], [0, '']);
  t.deepEqual(
    ['..data/a.pb', 'a.pb', 'b.pb', 'c.pb'].map((name) => signatures(`updates/${name}`)),
    [1, 1, 1, 1],
  );
});

test('named pipes and directories of a folder are not read, and a link to nothing is an error', async (t) => {
  const files = makeFiles(t);
  const { at, run, signatures } = files;
  await makeUpdate(t, files, 'updates/a.pb');
  mkdirSync(at('updates/directory'));
  execFileSync('mkfifo', [at('updates/pipe')]);
  const { status, stderr } = await run(...SIGN);
  t.deepEqual([status, stderr], [0, `configtxlator: note: no config updates: ${at('updates/pipe')}\n`]);
  t.is(signatures('updates/a.pb'), 1);
  symlinkSync('nothing', at('updates/broken.pb'));
  t.regex((await run(...SIGN)).stderr, /error: open \S+\/updates\/broken\.pb: no such file; no file of/);
});

test('sign --block reviews the updates of a folder first: if one is refused or dangerous, none is signed', async (t) => {
  const files = makeFiles(t);
  const { at, run, signatures } = files;
  const sign = [...REVIEWED, '--block', 'DIR/block.pb'];
  await makeUpdate(t, files, 'updates/a.pb');
  await makeUpdate(t, files, 'updates/c.pb', 'orderer.batchTimeout=6s');
  writeFileSync(at('updates/b.pb'), readFileSync(at('refused.pb')));
  const before = signatures('updates/b.pb');
  const refused = await run(...sign);
  t.is(refused.status, 2);
  t.regex(
    refused.stderr,
    /\nconfigtxlator: error: \S+\/b\.pb was not signed: orderers would refuse it; no file of \S+\/updates was signed\n$/,
  );
  t.deepEqual(
    ['a', 'b', 'c'].map((name) => signatures(`updates/${name}.pb`)),
    [0, before, 0],
  );

  await makeUpdate(t, files, 'updates/b.pb', 'orderer.consensusType.metadata.options.tickInterval=1h');
  const dangerous = await run(...sign);
  t.is(dangerous.status, 4, dangerous.stderr);
  t.regex(
    dangerous.stderr,
    /\/b\.pb was not signed: it is dangerous; if that is wanted: --allow \S+; no file of/,
  );
  t.is(signatures('updates/a.pb'), 0);
  const allowed = await run(...sign, '--allow', 'raft-election-timeout');
  t.deepEqual([allowed.status, allowed.stderr], [0, '']);
  t.deepEqual(
    ['a', 'b', 'c'].map((name) => signatures(`updates/${name}.pb`)),
    [1, 1, 1],
  );
});

test('the files of a folder are signed in place, also config updates without an envelope', async (t) => {
  const files = makeFiles(t);
  const { at, run, signatures } = files;
  await makeUpdate(t, files, 'updates/a.pb');
  const { bytes: update } = readEnvelope(readFileSync(at('updates/a.pb'))).update;
  writeFileSync(at('updates/a.pb'), update);
  t.is((await run(...SIGN)).status, 0);
  t.is(signatures('updates/a.pb'), 1);
  const output = await run(...SIGN, '-o', 'DIR/out.pb');
  t.is(
    output.stderr,
    'configtxlator: error: the files of a folder are signed in place, without --output, try --help\n',
  );
});

test('review finds the updates in the folders of a folder, and merges the copies of one proposal', async (t) => {
  const files = makeFiles(t);
  const { at, run } = files;
  mkdirSync(at('updates/batch'));
  await makeUpdate(t, files, 'updates/batch/org1.pb');
  writeFileSync(at('updates/batch/org2.pb'), readFileSync(at('updates/batch/org1.pb')));
  await makeUpdate(t, files, 'updates/timeout.pb', 'orderer.batchTimeout=6s');
  const { status, stdout } = await run('review', 'DIR/updates', '--block', 'DIR/block.pb', '--json');
  t.is(status, 3);
  const { proposals } = JSON.parse(stdout.replaceAll(at('.'), 'DIR')) as { proposals: { files: string[] }[] };
  t.deepEqual(
    proposals.map((each) => each.files).toSorted((a, b) => b.length - a.length),
    [['DIR/updates/batch/org1.pb', 'DIR/updates/batch/org2.pb'], ['DIR/updates/timeout.pb']],
  );
});

const LEFT_OUT = 'would be left out, because they are hidden or';
for (const [what, command, where, error] of [
  [
    'in four folders',
    'review',
    'a/b/c/d/evil.pb',
    `${LEFT_OUT} in more than 3 folders: DIR/updates/a/b/c/d/evil.pb`,
  ],
  ['hidden', 'review', '.evil.pb', `${LEFT_OUT} in more than 3 folders: DIR/updates/.evil.pb`],
  [
    'in a hidden folder',
    'review',
    '.a/evil.pb',
    `${LEFT_OUT} in more than 3 folders: DIR/updates/.a/evil.pb`,
  ],
  [
    'with the name of new content',
    'review',
    '.ok.pb.lock.new',
    `${LEFT_OUT} in more than 3 folders: DIR/updates/.ok.pb.lock.new`,
  ],
  ['in a folder', 'sign', 'a/evil.pb', `${LEFT_OUT} in a folder of it: DIR/updates/a/evil.pb`],
  ['hidden', 'sign', '.evil.pb', `${LEFT_OUT} in a folder of it: DIR/updates/.evil.pb`],
  ['in a folder', 'merge', 'a/evil.pb', `${LEFT_OUT} in a folder of it: DIR/updates/a/evil.pb`],
  ['in a folder', 'submit', 'a/evil.pb', `${LEFT_OUT} in a folder of it: DIR/updates/a/evil.pb`],
] as const)
  test(`${command} of a folder with an update ${what} (${where}) is an error that names it`, async (t) => {
    const files = makeFiles(t);
    const { at, run, signatures } = files;
    mkdirSync(dirname(at(`updates/${where}`)), { recursive: true });
    await makeUpdate(t, files, 'updates/ok.pb');
    await makeUpdate(t, files, `updates/${where}`, 'orderer.batchTimeout=6s');
    const args = {
      review: ['review', 'DIR/updates', '--block', 'DIR/block.pb'],
      sign: SIGN,
      merge: ['merge', 'DIR/updates', '-o', 'DIR/merged.pb'],
      submit: ['submit', 'DIR/updates', '--to', 'grpc://127.0.0.1:1/c'],
    }[command];
    const { status, stdout, stderr } = await run(...args);
    const more = command === 'sign' ? '; no file of DIR/updates was signed' : '';
    t.deepEqual(
      [status, stdout, stderr.replaceAll(at('.'), 'DIR')],
      [1, '', `configtxlator: error: config updates in DIR/updates ${error}${more}\n`],
    );
    t.is(signatures('updates/ok.pb'), 0);
  });

test('five updates that would be left out are named, and the others are counted', async (t) => {
  const files = makeFiles(t);
  const { at, run } = files;
  await makeUpdate(t, files, 'updates/ok.pb');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    writeFileSync(at(`updates/.${name}.pb`), readFileSync(at('updates/ok.pb')));
  const { stderr } = await run(...SIGN);
  t.regex(stderr, /\.a\.pb, \S+\.b\.pb, \S+\.c\.pb, \S+\.d\.pb, \S+\.e\.pb, and 2 more; no file/);
});

test('an update in three folders is reviewed, and other files in deeper and hidden folders are no updates', async (t) => {
  const files = makeFiles(t);
  const { at, run } = files;
  for (const folder of ['a/b/c/d', '.git', '.idea']) mkdirSync(at(`updates/${folder}`), { recursive: true });
  await makeUpdate(t, files, 'updates/a/b/c/x.pb');
  writeFileSync(at('updates/a/b/c/d/notes.txt'), 'notes');
  writeFileSync(at('updates/.idea/x.xml'), '<x/>');
  writeFileSync(at('updates/.git/object'), readFileSync(at('updates/a/b/c/x.pb')));
  symlinkSync('me@host.1', at('updates/.#x.pb'));
  const { status, stdout, stderr } = await run('review', 'DIR/updates', '--block', 'DIR/block.pb', '--json');
  t.deepEqual([status, stderr], [3, '']);
  t.is((JSON.parse(stdout) as { proposals: unknown[] }).proposals.length, 1);
});

test('a link to a folder is followed neither out of the folder nor around it', async (t) => {
  const files = makeFiles(t);
  const { at, run } = files;
  mkdirSync(at('updates/a'));
  mkdirSync(at('outside'));
  await makeUpdate(t, files, 'updates/a/x.pb');
  symlinkSync('..', at('updates/a/loop'));
  symlinkSync('a', at('updates/again'));
  const review = ['review', 'DIR/updates', '--block', 'DIR/block.pb', '--json'];
  const { stdout } = await run(...review);
  t.deepEqual(
    (JSON.parse(stdout) as { proposals: { files: string[] }[] }).proposals.map((each) => each.files),
    [[at('updates/a/x.pb')]],
  );
  symlinkSync('../outside', at('updates/out'));
  t.regex((await run(...review)).stderr, /updates\/out is a symbolic link to \S+\/outside, which is not in/);
});

test('review of a folder begins with the conflicts; dangerous proposals come first, refused ones last', async (t) => {
  const files = makeFiles(t);
  const { at, run } = files;
  writeFileSync(at('updates/a.pb'), readFileSync(at('refused.pb')));
  await makeUpdate(t, files, 'updates/b.pb');
  await makeUpdate(t, files, 'updates/c.pb', 'orderer.batchTimeout=6s');
  await makeUpdate(t, files, 'updates/d.pb', 'orderer.consensusType.metadata.options.tickInterval=1h');
  const { status, stdout } = await run('review', 'DIR/updates', '--block', 'DIR/block.pb');
  t.is(status, 2);
  const lines = stdout.replaceAll(at('.'), 'DIR').split('\n');
  const rows = lines.slice(0, lines.indexOf('')).map((line) => line.trim().split(/ {2,}/).slice(0, 2));
  t.deepEqual(rows.slice(0, 2), [
    ['1 conflict: of two updates that change the same element only one can be accepted'],
    [
      'DIR/updates/b.pb and DIR/updates/c.pb both change /Channel/Orderer/BatchTimeout: once one is accepted, make the other again with configtxlator rebase',
    ],
  ]);
  const table = lines.slice(lines.indexOf('proposals') + 2);
  t.deepEqual(
    table.slice(0, 4).map((line) => line.trim().split(/ {2,}/).slice(0, 2)),
    [
      ['DIR/updates/d.pb', 'dangerous'],
      ['DIR/updates/b.pb', 'unsigned'],
      ['DIR/updates/c.pb', 'unsigned'],
      ['DIR/updates/a.pb', 'refused'],
    ],
  );
  const markdown = await run('review', 'DIR/updates', '--block', 'DIR/block.pb', '--format', 'markdown');
  t.regex(
    markdown.stdout,
    /^### Conflicts\n\n```text\n1 conflict: [^|]*\n```\n\n## Refused: orderers would refuse it\n/,
  );
});

test('a folder in which the channel has every proposal: the block stands in the table, and the exit status is 0', async (t) => {
  const at = (name: string): string => join(folder, name);
  const folder = temporaryFolder(t);
  mkdirSync(at('updates'));
  writeFileSync(at('block.pb'), BLOCKS[2]!);
  writeFileSync(at('updates/a.pb'), configBlock(2).lastUpdate!);
  const args = ['review', at('updates'), '--block', at('block.pb')];
  const { status, stdout, stderr } = await runCommand(t, args);
  t.deepEqual([status, stderr], [0, '']);
  t.regex(stdout, /a\.pb {2}already in block 2 {2}- {2,}-\n/);
});

test('an update that the channel has is not signed: the signature would not count', async (t) => {
  const files = makeFiles(t);
  const { at, run } = files;
  await makeUpdate(t, files, 'updates/a.pb');
  const { update } = readEnvelope(readFileSync(at('updates/a.pb')));
  const { config } = applyUpdate(readConfigFile(readFileSync(at('block.pb'))).config, update);
  writeFileSync(at('block.pb'), writeConfig(config));
  const sign = [...REVIEWED, '--block', 'DIR/block.pb'];
  const { status, stderr } = await run(...sign);
  t.is(status, 3, stderr);
  t.regex(stderr, /a\.pb was not signed: it is already in this config; no file of \S+ was signed\n$/);
});
