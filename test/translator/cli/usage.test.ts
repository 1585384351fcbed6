// The command line of the translator: help, and invalid arguments.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { EDIT_COMMANDS } from '../../../translator/cli/commands/index.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { runProgram, TRANSLATOR } from '../../helpers/program.js';

const COMMANDS = [
  'help',
  'org list',
  'completion',
  'start',
  'proto_encode',
  'proto_decode',
  'compute_update',
  ...EDIT_COMMANDS.map(({ name }) => name),
  'types',
  'version',
];

const configtxlator = (t: ExecutionContext, args: readonly string[]): Promise<CommandOutcome> =>
  runCommand(t, args);

for (const args of [[], ['help'], ['--help'], ['help', '--help']]) {
  test(`configtxlator ${args.join(' ')} prints the commands on standard error with status 0`, async (t) => {
    const { status, stdout, stderr } = await configtxlator(t, args);
    t.is(status, 0);
    t.is(stdout, '');
    if (args.length < 2)
      t.true(stderr.startsWith('usage: configtxlator [<flags>] <command> [<args> ...]\n\n'), stderr);
    if (args.length < 2)
      for (const command of COMMANDS) t.regex(stderr, new RegExp(`^  ${command} +\\S`, 'm'));
  });
}

test('the help lists the commands in groups with titles', async (t) => {
  const { stderr } = await configtxlator(t, []);
  t.deepEqual(stderr.match(/^[A-Z].*:$/gm), [
    'Flags:',
    'Translate:',
    'Show a channel:',
    'Edit a channel:',
    'Review, sign and submit an update:',
    'Move channels from Raft to BFT:',
  ]);
  t.regex(stderr, /^Edit a channel:\n {2}edit  /m);
  t.true(stderr.split('\n').every((line) => line.length <= 80));
});

for (const command of COMMANDS) {
  test(`help ${command} and ${command} --help print the same page on standard error`, async (t) => {
    const [first, second] = await Promise.all([
      runCommand(t, ['help', ...command.split(' ')]),
      runCommand(t, [...command.split(' '), '--help']),
    ]);
    t.deepEqual(first, second);
    t.is(first.status, 0);
    t.is(first.stdout, '');
    t.true(first.stderr.startsWith(`usage: configtxlator ${command}`));
    t.true(first.stderr.includes('\n\nFlags:\n  --help'));
    t.true(first.stderr.split('\n').every((line) => line.length <= 80));
  });
}

test('the help of a command lists its flags with their defaults', async (t) => {
  const { stderr } = await configtxlator(t, ['help', 'proto_encode']);
  t.is(
    stderr,
    `usage: configtxlator proto_encode --type=TYPE [<flags>]

Converts a JSON document to a serialized message.

Flags:
  --help                Show help for the program or the command (also try
                        --help-long and --help-man).
  --type=TYPE           The full name of the message type to encode to, for
                        example 'common.Config'.
  --input=/dev/stdin    The file with the JSON document.
  --output=/dev/stdout  The file to write the message to.

Example:
  configtxlator proto_encode --type common.Config --input c.json --output c.pb

`,
  );
});

test('the help of start lists its flags with their defaults', async (t) => {
  const { stderr } = await configtxlator(t, ['start', '--help']);
  for (const flag of ['--hostname="0.0.0.0"', '--port=7059', '--CORS=CORS ...', '--max-body=100MB'])
    t.true(stderr.includes(`\n  ${flag} `), flag);
});

test('COLUMNS sets the width of the help', async (t) => {
  const helpIn = (COLUMNS: string): Promise<{ readonly stderr: string }> =>
    runProgram(t, ['help', 'types'], { program: TRANSLATOR, environment: { COLUMNS } });
  const { stderr } = await helpIn('50');
  const lines = stderr.split('\n');
  t.true(lines.every((line) => line.length <= 50));
  const wide = await helpIn('500');
  t.true(wide.stderr.split('\n').length < lines.length);
});

for (const args of [['--help-long'], ['start', '--help-long'], ['--help-long', '--bogus']]) {
  test(`configtxlator ${args.join(' ')} prints all flags on standard output`, async (t) => {
    const { status, stdout, stderr } = await configtxlator(t, args);
    t.is(status, 0);
    t.is(stderr, '');
    for (const text of [
      '  proto_decode --type=TYPE [<flags>]',
      '    --channel_id=CHANNEL_ID',
      '    --port=7059',
    ])
      t.true(stdout.includes(text), text);
  });
}

test('--help-man writes a manual page', async (t) => {
  const { status, stdout, stderr } = await configtxlator(t, ['--help-man']);
  t.is(status, 0);
  t.is(stderr, '');
  t.true(stdout.startsWith('.TH configtxlator 1\n.SH NAME\n'));
  for (const command of COMMANDS)
    t.regex(stdout, new RegExp(`^\\.SS ${command.replaceAll('-', '\\\\-')}`, 'm'));
});

test('version prints the version, the commit, Node.js and the platform', async (t) => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  const { status, stdout, stderr } = await configtxlator(t, ['version']);
  t.is(status, 0);
  t.is(stderr, '');
  const [first, ...rest] = stdout.split('\n');
  t.is(first, 'configtxlator:');
  t.is(rest[0], ` Version: ${version}`);
  t.regex(rest[1] ?? '', /^ Commit SHA: \S/);
  t.is(rest[2], ` Node version: ${process.version}`);
  t.regex(rest[3] ?? '', /^ OS\/Arch: [a-z0-9]+\/[a-z0-9]+$/);
  t.deepEqual(rest.slice(4), ['']);
});

const TYPE = ['--type', 'common.Config'];
const MISTAKES: readonly (readonly [readonly string[], string])[] = [
  [['bogus'], 'expected command but got "bogus"'],
  [['Start'], 'expected command but got "Start" (did you mean start?)'],
  [['proto_decod'], 'expected command but got "proto_decod" (did you mean proto_decode?)'],
  [['channel'], 'expected command but got "channel"'],
  [['help', 'revew'], 'expected command but got "revew" (did you mean review?)'],
  [['__proto__'], 'expected command but got "__proto__"'],
  [[''], 'expected command but got ""'],
  [['help', 'bogus'], 'expected command but got "bogus"'],
  [['--help', 'bogus'], 'expected command but got "bogus"'],
  [['--bogus'], "unknown long flag '--bogus'"],
  [['--version'], "unknown long flag '--version'"],
  [['--type', 'x', 'proto_decode'], "unknown long flag '--type'"],
  [['proto_decode', '--bogus'], "unknown long flag '--bogus'"],
  [['proto_decode', '--bogus=1', '--help'], "unknown long flag '--bogus'"],
  [['proto_decode', '--constructor'], "unknown long flag '--constructor'"],
  [['proto_decode', '--typ', 'x'], "unknown long flag '--typ' (did you mean --type?)"],
  [['proto_decode', '--=x'], "unknown long flag '--'"],
  [['-h'], "unknown short flag '-h' (did you mean --help?)"],
  [['proto_decode', '-type', 'x'], "unknown short flag '-t' (did you mean --type?)"],
  [['proto_decode', '-t', 'x'], "unknown short flag '-t' (did you mean --type?)"],
  [['compute_update', '-channelID', 'x'], "unknown short flag '-c' (did you mean --channel_id?)"],
  [['proto_decode', '-q'], "unknown short flag '-q'"],
  [
    ['list'],
    'expected command but got "list" (did you mean org list or consenter list or policy list or acl list?)',
  ],
  [['consenters'], 'expected command but got "consenters" (did you mean consenter?)'],
  [['history'], 'expected command but got "history" (did you mean log?)'],
  [['decode'], 'expected command but got "decode" (did you mean proto_decode?)'],
  [['acl'], 'expected list, set, remove after acl'],
  [['acl', 'lst'], 'expected list, set, remove after acl but got "lst" (did you mean list?)'],
  [['help', 'acl', 'lst'], 'expected list, set, remove after acl but got "lst" (did you mean list?)'],
  [['acl', '--bogus'], "unknown long flag '--bogus'"],
  [['proto_decode', ...TYPE, 'extra'], 'unexpected extra'],
  [['version', 'extra'], 'unexpected extra'],
  [['types', 'a', 'b'], 'unexpected b'],
  [['proto_encode'], 'required flag --type not provided'],
  [['proto_decode', '--input', '/dev/null'], 'required flag --type not provided'],
  [['compute_update', '--original', '/dev/null'], 'required flag --channel_id not provided'],
  [['proto_decode', '--type'], "expected argument for flag '--type'"],
  [['proto_decode', '--type', '--input', 'x'], "expected argument for flag '--type'"],
  [['proto_decode', '--input', '-', ...TYPE], "expected argument for flag '--input'"],
  [['start', '--port', '-1'], "expected argument for flag '--port'"],
  [['proto_decode', '--input', '/dev/null', '--input', '/dev/null'], "flag 'input' cannot be repeated"],
  [['proto_decode', '--type=a', '--type=a'], "flag 'type' cannot be repeated"],
  [['start', '--port', 'abc'], 'strconv.ParseFloat: parsing "abc": invalid syntax'],
  [['start', '--port', ''], 'strconv.ParseFloat: parsing "": invalid syntax'],
  [['start', '--port=70000'], 'strconv.ParseFloat: parsing "70000": value out of range'],
  [['start', '--port=-1'], 'strconv.ParseFloat: parsing "-1": value out of range'],
  [['start', '--max-body', 'x'], '--max-body must be a size between 1 and 512MB, such as 100MB: found "x"'],
  [['start', '--max-body=0'], '--max-body must be a size between 1 and 512MB, such as 100MB: found "0"'],
  [
    ['start', '--max-body=513M'],
    '--max-body must be a size between 1 and 512MB, such as 100MB: found "513M"',
  ],
  [['start', '--tls-cert', '/dev/null'], 'required flag --tls-key not provided'],
  [['start', '--tls-key', '/dev/null'], 'required flag --tls-cert not provided'],
  [['start', '--tls-client-ca', '/dev/null'], 'required flag --tls-cert not provided'],
  [['proto_decode', ...TYPE, '--input', '/nonexistent'], 'open /nonexistent: no such file'],
  [['proto_decode', '--input', '/nonexistent'], 'open /nonexistent: no such file'],
  [['proto_decode', ...TYPE, '--input', ''], 'open : no such file'],
  [['proto_decode', ...TYPE, '--input', '/dev/null/x'], 'open /dev/null/x: not a directory'],
  [['proto_encode', ...TYPE, '--output', '/nonexistent/x'], 'open /nonexistent/x: no such file'],
  [['proto_encode', ...TYPE, '--output', '/tmp'], 'open /tmp: it is a directory'],
  [['compute_update', '--channel_id=', '--updated', '/nonexistent'], 'open /nonexistent: no such file'],
  [['@/nonexistent'], 'open /nonexistent: no such file'],
];
for (const [args, message] of MISTAKES) {
  test(`configtxlator ${args.join(' ')} is an error: ${message}`, async (t) => {
    t.deepEqual(await runCommand(t, args), {
      status: 1,
      stdout: '',
      stderr: `configtxlator: error: ${message}, try --help\n`,
    });
  });
}

test('@file is replaced by the lines of the file, also as the value of a flag', async (t) => {
  const directory = temporaryFolder(t, {
    args: '# a comment\nproto_decode\n--type=test.Nope\n--input\n@more\n',
    more: '/dev/null\n',
  });
  const { status, stderr } = await runProgram(t, ['@args'], { program: TRANSLATOR, cwd: directory });
  t.is(status, 1);
  t.regex(stderr, /^configtxlator: error: Error decoding: error encode input: proto: not found/);
});

/** The error of arguments in files. Words that begin with `@` are files of the test. */
async function errorOfFiles(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const directory = temporaryFolder(t);
  const inFolder = (text: string): string => text.replaceAll(/^@/gm, `@${directory}/`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), inFolder(text));
  return (await configtxlator(t, args.map(inFolder))).stderr.replaceAll(`${directory}/`, '');
}

test('100 argument files are read, and one more is an error', async (t) => {
  const files = (count: number): Record<string, string> => ({
    first: '@more\n'.repeat(count - 2) + '@last',
    more: '',
    last: 'bogus',
  });
  t.is(
    await errorOfFiles(t, files(100), '@first'),
    'configtxlator: error: expected command but got "bogus", try --help\n',
  );
  for (const more of [files(101), { first: '@first\n' }])
    t.is(
      await errorOfFiles(t, more, '@first'),
      'configtxlator: error: more than 100 argument files, try --help\n',
    );
});

test('an argument file has at most 1 MiB', async (t) => {
  const comment = (size: number): string => `#${'x'.repeat(size - 1)}`;
  t.regex(
    await errorOfFiles(t, { a: comment(1_048_576) }, '@a', 'bogus'),
    /expected command but got "bogus"/,
  );
  t.is(
    await errorOfFiles(t, { a: comment(1_048_577) }, '@a'),
    'configtxlator: error: open a: it is larger than 1048576 bytes, try --help\n',
  );
});

for (const [what, text, error] of [
  ['an empty file', '', 'expected command but got "bogus"'],
  ['one empty line', '\n', 'expected command but got ""'],
  ['comments', '# one\n#two\n', 'expected command but got "bogus"'],
  ['an empty line', 'types\n\n', 'unexpected bogus'],
  ['lines that end in CR LF', 'types\r\nx\r\n', 'unexpected bogus'],
  ['a last line without an end', 'types\nx', 'unexpected bogus'],
  ['-- as a line', '--\ntypes\n--help', 'unexpected bogus'],
] as const)
  test(`an argument file with ${what} before the word bogus: ${error}`, async (t) => {
    t.is(await errorOfFiles(t, { a: text }, '@a', 'bogus'), `configtxlator: error: ${error}, try --help\n`);
  });

test('arguments after -- are not flags or files', async (t) => {
  const { stderr } = await configtxlator(t, ['types', '--', '--help']);
  t.is(stderr, 'configtxlator: error: no message type matches "--help"\n');
  const at = await configtxlator(t, ['types', '--', '@x']);
  t.is(at.stderr, 'configtxlator: error: no message type matches "@x"\n');
});

test('types lists all names, the names that contain a text, or the names that match a pattern', async (t) => {
  const lines = async (...args: string[]): Promise<string[]> =>
    (await configtxlator(t, ['types', ...args])).stdout.split('\n').slice(0, -1);
  const all = await lines();
  t.true(all.length > 150);
  t.deepEqual(all, all.toSorted());
  t.true(all.includes('common.Block'));
  const blocks = await lines('Block');
  t.deepEqual(
    blocks,
    all.filter((name) => /block/i.test(name)),
  );
  t.deepEqual(
    await lines('common.*Block'),
    all.filter((name) => /^common\..*Block$/.test(name)),
  );
  t.deepEqual(await lines('common.Bloc?'), ['common.Block']);
  t.deepEqual(await lines('c?mmon.Block*H?*r*'), ['common.BlockDataHashingStructure', 'common.BlockHeader']);
});

test('types ignores upper and lower case', async (t) => {
  const lines = async (pattern: string): Promise<string> =>
    (await configtxlator(t, ['types', pattern])).stdout;
  t.is(
    await lines('common.collection'),
    'common.CollectionConfig\ncommon.CollectionConfigPackage\ncommon.CollectionPolicyConfig\n',
  );
  t.is(await lines('COMMON.collectionconfig?*'), 'common.CollectionConfigPackage\n');
});

test('types with a pattern of many stars terminates', async (t) => {
  const { status } = await configtxlator(t, ['types', `${'*a'.repeat(30)}!`]);
  t.is(status, 1);
});
