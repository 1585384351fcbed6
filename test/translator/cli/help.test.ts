// Pages of help, examples, and the completion of shells.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { COMMANDS } from '../../../translator/cli/commands/index.js';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { writeFileSync } from 'node:fs';

test('help with the first word of several commands lists them', async (t) => {
  const outcome = await runCommand(t, ['help', 'acl']);
  t.deepEqual(outcome, {
    status: 0,
    stdout: '',
    stderr: `usage: configtxlator acl <command> [<flags>] [<args> ...]

  acl list    Lists the policy that each resource of the peers requires
  acl set     Sets the policy that a resource of the peers requires
  acl remove  Removes the policy of a resource

More: configtxlator help acl list
`,
  });
  for (const args of [
    ['acl', '--help'],
    ['--help', 'acl'],
  ])
    t.deepEqual(await runCommand(t, args), outcome);
});

test('the flags of networks are described on one page', async (t) => {
  const { stderr } = await runCommand(t, ['help', 'network']);
  t.regex(stderr, /^A config block can be read from a file, /);
  t.regex(stderr, /^ {2}--tls-ca=TLS_CA {2,}\S/m);
  const page = await runCommand(t, ['help', 'show']);
  t.regex(page.stderr, /^Identity and network \(configtxlator help network\): --msp, --mspid,/m);
  t.notRegex(page.stderr, /--tls-ca=/);
});

test('the help of a command shows which arguments are optional', async (t) => {
  const usage = async (name: string): Promise<string> =>
    (await runCommand(t, ['help', ...name.split(' ')])).stderr.split('\n', 1)[0]!;
  t.is(await usage('show'), 'usage: configtxlator show [<flags>] [<file>]');
  t.is(await usage('sign'), 'usage: configtxlator sign [<flags>] <file>');
  t.is(await usage('merge'), 'usage: configtxlator merge [<flags>] [<file>...]');
  t.is(
    await usage('anchor-peers set'),
    'usage: configtxlator anchor-peers set [<flags>] <block> <org> <host:port>...',
  );
});

/** The words of an example; quotes in it are single ones. */
const wordsOf = (example: string): readonly string[] =>
  [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

for (const { name, example } of COMMANDS.filter(({ run }) => run !== undefined))
  test(`the example of ${name} has known flags and all arguments: ${example}`, async (t) => {
    t.true(example === name || example.startsWith(`${name} `));
    // 80 columns with the indent and the name of the program.
    t.true(example.length <= 64, String(example.length));
    const { stderr } = await runCommand(t, [...wordsOf(example), '--help']);
    t.regex(stderr, new RegExp(`^usage: configtxlator ${name}\\b`));
    if (name === 'start' || name === 'version' || name === 'types' || name === 'page') return;
    const outcome = await runCommand(t, wordsOf(example));
    // Files and networks do not exist.
    t.notRegex(outcome.stderr, /not provided|must be|unknown|unexpected|exclude|is needed, try/);
  });

/** What bash offers for the last word. */
function completed(
  t: Parameters<typeof temporaryFolder>[0],
  script: string,
  words: readonly string[],
): string[] {
  const directory = temporaryFolder(t);
  writeFileSync(join(directory, 'completion'), script);
  const list = words.map((word) => `'${word}'`).join(' ');
  const command = `source ./completion; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _configtxlator; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', command], { cwd: directory, encoding: 'utf8' }).split('\n').slice(0, -1);
}

for (const [words, expected] of [
  [['con'], ['consenter']],
  [
    ['consenter', ''],
    ['list', 'add', 'remove', 'rotate'],
  ],
  [
    ['consenter', 'r'],
    ['remove', 'rotate'],
  ],
  [['help', 'netw'], ['network']],
  [['sign', 'update.pb', '--dig'], ['--digest']],
  [['acl', 'list', '--js'], ['--json']],
  [['show', '--j'], ['--json']],
  [['show', 'fi'], ['']],
  [['sho', '--j'], ['']],
  [
    ['completion', ''],
    ['bash', 'zsh'],
  ],
] as const)
  test(`bash completes configtxlator ${words.join(' ')} to ${expected.join(', ')}`, async (t) => {
    const { stdout, status } = await runCommand(t, ['completion', 'bash']);
    t.is(status, 0);
    t.deepEqual(completed(t, stdout, ['configtxlator', ...words]), [...expected]);
  });

test('completion for zsh contains every command and flag, and another shell is an error', async (t) => {
  const { stdout } = await runCommand(t, ['completion', 'zsh']);
  t.true(stdout.startsWith('#compdef configtxlator\n'));
  for (const { name, flags } of COMMANDS)
    for (const flag of flags)
      t.regex(stdout, new RegExp(`^ +'${name} ?'\\*?\\) compadd -- .*--${flag.name}\\b`, 'm'));
  t.is(
    (await runCommand(t, ['completion', 'fish'])).stderr,
    'configtxlator: error: argument \'shell\' must be bash or zsh, found "fish", try --help\n',
  );
});
