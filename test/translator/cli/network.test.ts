// The flags and the profile of networks, folders of proposals, formats: tests without a running network.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { writeMsp } from '../../helpers/edits.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { networkBlock } from '../../helpers/network-block.js';

const run = (t: ExecutionContext, ...args: readonly string[]): Promise<CommandOutcome> => runCommand(t, args);

/** The last line of standard error without the name of the program. */
const errorOf = ({ stderr }: CommandOutcome): string =>
  stderr.trimEnd().split('\n').at(-1)!.replace('configtxlator: error: ', '');

/** A folder with the config block. */
function folderWithBlock(t: ExecutionContext): { readonly folder: string; readonly block: string } {
  const folder = temporaryFolder(t);
  const block = join(folder, 'block.pb');
  writeFileSync(block, networkBlock());
  return { folder, block };
}

const AT = 'grpcs://127.0.0.1:1/mychannel';
const FLAGS: readonly (readonly [args: readonly string[], error: string])[] = [
  [
    ['fetch', AT, '-o', '/dev/null'],
    'the CA of the TLS certificate of the orderer is needed: --tls-ca FILE, try --help',
  ],
  [
    ['fetch', AT.replace('grpcs', 'grpc'), '-o', '/dev/null'],
    'orderers respond to members of the channel only: --msp DIR --mspid ID, try --help',
  ],
  [
    ['review', '/dev/null', '--block', 'grpcs://o/c'],
    'grpcs://o/c is not the address of a channel: "o" is not HOST:PORT; write grpcs://HOST:PORT/CHANNEL, or several HOST:PORT with commas, try --help',
  ],
  [
    ['submit', '/dev/null', '--wait', '1h'],
    'flag \'wait\' must be a time such as 30s or 5m, found "1h", try --help',
  ],
  [
    ['submit', '/dev/null', '--allow', 'x'],
    'flag \'allow\' must be the id of a danger that can be allowed, as review --json shows it, found "x", try --help',
  ],
  [
    ['review', '/dev/null', '--format', 'html'],
    'flag \'format\' must be one of text, json, markdown, found "html", try --help',
  ],
  [
    ['check', '/dev/null', '--fabric', '2.4'],
    'flag \'fabric\' must be 2.5, 3.0, 3.1, or one of the releases 2.5.0 to 2.5.16, 3.0.0, 3.1.0 to 3.1.5, found "2.4", try --help',
  ],
];
for (const [args, error] of FLAGS)
  test(`${args.join(' ')}: ${error}`, async (t) => {
    const outcome = await run(t, ...args);
    t.deepEqual([outcome.status, errorOf(outcome)], [1, error]);
  });

test('an expired identity is named before anything is sent', async (t) => {
  const { certificate, key } = (
    JSON.parse(readFileSync('test/vectors/channel/identities.json', 'utf8')) as Record<
      string,
      { readonly certificate: string; readonly key: string }
    >
  )['Org1/expired-admin']!;
  const folder = temporaryFolder(t);
  for (const [name, text] of [
    ['signcerts', Buffer.from(certificate, 'base64')],
    ['keystore', key],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file.pem'), text);
  }
  const at = AT.replace('grpcs', 'grpc');
  const outcome = await run(t, 'fetch', at, '--msp', folder, '--mspid', 'Org1MSP', '-o', '/dev/null');
  t.deepEqual(
    [outcome.status, errorOf(outcome)],
    [1, `${folder}: CN=expired-admin@org1.example.com expired on 2026-11-21: orderers do not respond to it`],
  );
});

const PROFILES: readonly (readonly [text: string, error: string])[] = [
  [
    'nework: x',
    'the value "nework" is unknown or not a string; allowed are network, fabric, msp, mspid, password-file, tls-ca, tls-server-name, client-cert, client-key, trust, timeout',
  ],
  [
    'msp: 5',
    'the value "msp" is unknown or not a string; allowed are network, fabric, msp, mspid, password-file, tls-ca, tls-server-name, client-cert, client-key, trust, timeout',
  ],
  [
    '- x',
    'this is not a mapping of names to values; allowed are network, fabric, msp, mspid, password-file, tls-ca, tls-server-name, client-cert, client-key, trust, timeout',
  ],
];
for (const [text, error] of PROFILES)
  test(`a profile with ${text} is an error`, async (t) => {
    const file = join(temporaryFolder(t), 'profile.yaml');
    writeFileSync(file, text);
    const outcome = await run(t, 'fetch', AT, '-o', '/dev/null', '--profile', file);
    t.deepEqual([outcome.status, errorOf(outcome)], [1, `${file}: ${error}`]);
  });

test('paths of a profile are relative to its directory, and flags override it', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, 'msp: my-msp\nmspid: Org1MSP\ntls-ca: ca.pem\n');
  const missing = await run(t, 'fetch', AT, '-o', '/dev/null', '--profile', file);
  t.is(errorOf(missing), `--tls-ca ${folder}/ca.pem cannot be read: no such file`);
  const [, note] = /note: (.*)\n/.exec(missing.stderr) ?? [];
  t.is(note, `msp, mspid, tls-ca from ${file}`);
  const other = await run(t, 'fetch', AT.replace('grpcs', 'grpc'), '-o', '/dev/null', '--profile', file);
  t.is(errorOf(other), `open ${folder}/my-msp/signcerts: no such file`);
  const flag = await run(
    t,
    'fetch',
    AT.replace('grpcs', 'grpc'),
    '-o',
    '/dev/null',
    '--profile',
    file,
    '--msp',
    writeMsp(t, 'full'),
  );
  t.regex(errorOf(flag), /\/signcerts: no such file$/);
  t.notRegex(errorOf(flag), /my-msp/);
});

test('submit needs a network', async (t) => {
  const { block, folder } = folderWithBlock(t);
  await run(t, 'edit', block, '--set', 'orderer.batchTimeout=5s', '-o', join(folder, 'update.pb'));
  const outcome = await run(t, 'submit', join(folder, 'update.pb'), '--to', block);
  t.is(errorOf(outcome), `--to ${block} is no network: grpcs://HOST:PORT/CHANNEL is needed, try --help`);
  t.is(
    errorOf(await run(t, 'submit', join(folder, 'update.pb'))),
    'required flag --to not provided, and no network in configtxlator.yaml, try --help',
  );
});

test('a folder of proposals: copies are reviewed together, conflicts are named', async (t) => {
  const { block, folder } = folderWithBlock(t);
  const proposals = join(folder, 'proposals');
  mkdirSync(proposals);
  const make = (name: string, setting: string): Promise<CommandOutcome> =>
    run(t, 'edit', block, '--set', setting, '-o', join(proposals, name));
  await make('a.pb', 'orderer.batchSize.maxMessageCount=50');
  await make('a-again.pb', 'orderer.batchSize.maxMessageCount=50');
  await make('b.pb', 'orderer.batchSize.maxMessageCount=30');
  await make('c.pb', 'orderer.batchTimeout=5s');
  writeFileSync(join(proposals, 'README.md'), 'What we want to change.\n');
  writeFileSync(join(proposals, '.gitkeep'), '');

  const json = await run(t, 'review', proposals, '--block', block, '--json');
  t.is(json.status, 3);
  t.is(json.stderr, `configtxlator: note: no config updates: ${proposals}/README.md\n`);
  const { proposals: reviewed, conflicts } = JSON.parse(json.stdout) as {
    proposals: { files: string[]; review: { elements: { element: string }[] } }[];
    conflicts: { files: string[]; elements: string[] }[];
  };
  t.deepEqual(
    reviewed.map(({ files, review }) => [
      files.map((file) => file.slice(proposals.length + 1)),
      review.elements.map(({ element }) => element),
    ]),
    [
      [['a-again.pb', 'a.pb'], ['/Channel/Orderer/BatchSize']],
      [['b.pb'], ['/Channel/Orderer/BatchSize']],
      [['c.pb'], ['/Channel/Orderer/BatchTimeout']],
    ],
  );
  t.deepEqual(conflicts, [
    { files: [`${proposals}/a-again.pb`, `${proposals}/b.pb`], elements: ['/Channel/Orderer/BatchSize'] },
  ]);

  const text = await run(t, 'review', proposals, '--block', block);
  t.true(
    text.stdout.startsWith(
      `1 conflict: of two updates that change the same element only one can be accepted\n  ${proposals}/a-again.pb and ${proposals}/b.pb both change /Channel/Orderer/BatchSize: once one is accepted, make the other again with configtxlator rebase\n`,
    ),
    text.stdout,
  );
  const merged = await run(t, 'merge', proposals, '-o', join(folder, 'merged.pb'));
  t.regex(errorOf(merged), /^inputs 1 and 3 contain different config updates/);
});

test('a review in Markdown is a title and a block of text', async (t) => {
  const { block, folder } = folderWithBlock(t);
  const update = join(folder, 'update.pb');
  await run(t, 'edit', block, '--set', 'orderer.batchTimeout=5s', '-o', update);
  const [text, markdown] = await Promise.all([
    run(t, 'review', update, '--block', block),
    run(t, 'review', update, '--block', block, '--format', 'markdown'),
  ]);
  t.is(markdown.stdout, `### Unsigned: signatures are missing\n\n\`\`\`text\n${text.stdout}\`\`\`\n`);
  t.is(markdown.status, 3);
});

test('rebase of files needs the config for which the update was made', async (t) => {
  const { block, folder } = folderWithBlock(t);
  const update = join(folder, 'update.pb');
  await run(t, 'edit', block, '--set', 'orderer.batchTimeout=5s', '-o', update);
  const outcome = await run(t, 'rebase', update, '--block', block, '-o', '/dev/null');
  t.is(
    errorOf(outcome),
    'the config for which the update was made is needed: --base BLOCK, or a ledger or network for --block, try --help',
  );
  const same = await run(t, 'rebase', update, '--block', block, '--base', block, '-o', '/dev/null');
  t.is(errorOf(same), `${update} fits the newest config: no rebase is needed`);
});

test('check prints faults, and its exit status is as for review', async (t) => {
  const { block } = folderWithBlock(t);
  const fine = await run(t, 'check', block);
  t.deepEqual(
    [fine.status, fine.stdout.split('\n')[0]],
    [0, 'channel mychannel, block 0; harmless: orderers would load it'],
  );
  const json = await run(t, 'check', block, '--json', '--now', '2125-01-01');
  const { channel, verdict, summary, findings } = JSON.parse(json.stdout) as Readonly<
    Record<string, string>
  > & {
    readonly findings: readonly { id: string; text: string; severity: string }[];
  };
  t.deepEqual([channel, verdict], ['mychannel', 'warning']);
  t.regex(summary ?? '', new RegExp(`; ${findings.length - 1} more warnings; orderers would load it$`));
  t.true(findings.some(({ id }) => id === 'msp-ca-expired'));
});

test('the reviews of a folder begin with a table, and the dangerous proposal is the first', async (t) => {
  const { block, folder } = folderWithBlock(t);
  const proposals = join(folder, 'proposals');
  mkdirSync(proposals);
  const make = (name: string, setting: string): Promise<CommandOutcome> =>
    run(t, 'edit', block, '--set', setting, '-o', join(proposals, name));
  await make('a.pb', 'orderer.batchSize.maxMessageCount=50');
  await make('b.pb', 'orderer.batchSize.maxMessageCount=30');
  await make('z.pb', 'orderer.consensusType.metadata.options.tickInterval=1h');
  const [text, markdown] = await Promise.all([
    run(t, 'review', proposals, '--block', block),
    run(t, 'review', proposals, '--block', block, '--format', 'markdown'),
  ]);
  t.deepEqual([text.status, markdown.status], [4, 4]);
  // The conflict of a.pb and b.pb comes first.
  const [title, ...table] = text.stdout.split('\n\n')[1]!.split('\n');
  t.is(title, 'proposals');
  t.deepEqual(
    table.map((line) => line.replaceAll(`${proposals}/`, '').trim().split(/ {2,}/)),
    [
      ['FILE', 'VERDICT', 'MISSING SIGNATURES', 'CONFLICTS WITH'],
      ['z.pb', 'dangerous', 'OrdererMSP.admin', '-'],
      ['a.pb', 'unsigned', 'OrdererMSP.admin', 'b.pb'],
      ['b.pb', 'unsigned', 'OrdererMSP.admin', 'a.pb'],
    ],
  );
  const isHere = (line: string): boolean => line.startsWith(proposals);
  t.is(text.stdout.split('\n').find(isHere), `${proposals}/z.pb`);
  const lines = markdown.stdout.replaceAll(proposals, 'proposals').split('\n');
  t.is(lines[0], '### Conflicts');
  const head = lines.indexOf('## Dangerous: orderers would accept it');
  t.deepEqual(lines.slice(head, head + 7), [
    '## Dangerous: orderers would accept it',
    '',
    '| File | Verdict | Missing signatures | Conflicts with |',
    '| --- | --- | --- | --- |',
    '| <code>proposals/z.pb</code> | dangerous | OrdererMSP.admin | - |',
    '| <code>proposals/a.pb</code> | unsigned | OrdererMSP.admin | proposals/b.pb |',
    '| <code>proposals/b.pb</code> | unsigned | OrdererMSP.admin | proposals/a.pb |',
  ]);
  t.deepEqual(
    lines.filter((line) => /^<\/?(?:details|summary)/.test(line)),
    [
      '<details open>',
      '<summary><code>proposals/z.pb</code></summary>',
      '</details>',
      '<details>',
      '<summary><code>proposals/a.pb</code></summary>',
      '</details>',
      '<details>',
      '<summary><code>proposals/b.pb</code></summary>',
      '</details>',
    ],
  );
});

test('the name of a proposal is no markup', async (t) => {
  const { block, folder } = folderWithBlock(t);
  const proposals = join(folder, 'proposals');
  mkdirSync(proposals);
  const name = '<img src=x> | `a` [b](c) @admin #1.pb';
  await run(t, 'edit', block, '--set', 'orderer.batchTimeout=5s', '-o', join(proposals, name));
  const { stdout } = await run(t, 'review', proposals, '--block', block, '--format', 'markdown');
  const cell = '&#60;img src&#61;x&#62; &#124; &#96;a&#96; &#91;b&#93;&#40;c&#41; &#64;admin &#35;1.pb';
  t.is(
    stdout.split('\n')[4]!.replace(proposals, ''),
    `| <code>/${cell.slice(0)}</code> | unsigned | OrdererMSP.admin | - |`,
  );
  t.true(stdout.includes(`/${cell}</code></summary>`));
});
