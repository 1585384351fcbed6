import { readFileSync } from 'node:fs';
import test from 'ava';
import { SETTINGS_HELP } from '../../../core/cli/arguments.js';
import { runAgentCommand } from '../../helpers/agent-command.js';
import { runProgram } from '../../helpers/program.js';

const COMMANDS = [
  'start',
  'config',
  'plugins',
  'check',
  'healthcheck',
  'status',
  'silence',
  'bundle',
  'preflight',
  'rescue',
  'snapshot',
  'demo',
  'nodes',
  'version',
  'help',
];

for (const args of [[], ['help'], ['--help'], ['-h']]) {
  test(`fabric-ops-agent ${args.join(' ')} lists every command and exits with 0`, async (t) => {
    const { status, stdout, stderr } = await runAgentCommand(args);
    t.is(status, 0);
    t.is(stderr, '');
    // The summaries are in one column.
    for (const command of COMMANDS) t.regex(stdout, new RegExp(`^  ${command.padEnd(12)} \\S`, 'm'));
  });
}

for (const command of COMMANDS) {
  test(`help ${command}, ${command} --help and ${command} -h print the same text`, async (t) => {
    const outcomes = await Promise.all([
      runAgentCommand(['help', command]),
      runAgentCommand([command, '--help']),
      runAgentCommand([command, '-h', '--unknown']),
    ]);
    const [first] = outcomes;
    t.true(first.stdout.startsWith(`Usage: fabric-ops-agent ${command}`));
    for (const { status, stdout, stderr } of outcomes)
      t.deepEqual({ status, stdout, stderr }, { status: 0, stdout: first.stdout, stderr: '' });
    t.true(first.stdout.split('\n').every((line) => line.length <= 80));
  });
}

for (const command of ['start', 'check', 'bundle', 'preflight', 'rescue', 'status'])
  test(`${command} takes the flags of settings, with the same help`, async (t) => {
    t.true((await runAgentCommand([command, '--help'])).stdout.includes(SETTINGS_HELP));
  });

for (const command of ['check', 'preflight', 'rescue'])
  for (const [args, message] of [
    [['--config', 'none.yaml'], 'none.yaml: cannot be read: no such file'],
    [['--node-env', 'node.env'], '--node-env node.env: must follow the --node of its node'],
    [['--set', 'node.conf=x'], 'flag --set: node.conf: unknown key; did you mean node.config?'],
  ] as const)
    test(`${command} ${args.join(' ')} exits with 2 and says ${message}`, async (t) => {
      t.deepEqual(await runAgentCommand([command, ...args]), {
        status: 2,
        stdout: '',
        stderr: `fabric-ops-agent: error: ${message}\n`,
      });
    });

test('version, --version and -v print the package version and the commit', async (t) => {
  const manifest = new URL('../../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  for (const name of ['version', '--version', '-v']) {
    const { status, stdout } = await runProgram(t, [name]);
    t.is(status, 0);
    t.regex(stdout, /^fabric-ops-agent \S+ \(.+\)\n$/);
    t.true(stdout.startsWith(`fabric-ops-agent ${version} (`));
  }
});

const USAGE_ERRORS: readonly (readonly [readonly string[], string])[] = [
  [['strat'], "unknown command 'strat'; did you mean start?"],
  [
    ['xyzzy'],
    "unknown command 'xyzzy'; expected one of bundle, check, config, demo, healthcheck, help, nodes, plugins, preflight, rescue, silence, snapshot, start, status, version",
  ],
  [['--confg'], "unknown command '--confg'; did you mean config?"],
  [['help', 'plugin'], "unknown command 'plugin'; did you mean plugins?"],
  [
    ['__proto__'],
    "unknown command '__proto__'; expected one of bundle, check, config, demo, healthcheck, help, nodes, plugins, preflight, rescue, silence, snapshot, start, status, version",
  ],
  [['start', '--confg', 'x'], "unknown flag '--confg'; did you mean --config?"],
  [['start', '--confg=x'], "unknown flag '--confg'; did you mean --config?"],
  [['start', '-x'], "unknown flag '-x'; expected one of --config, --help, --node, --node-env, --set"],
  [['healthcheck', '--cacrt', 'x'], "unknown flag '--cacrt'; did you mean --cacert?"],
  [['version', '--json'], "unknown flag '--json'; expected one of --help"],
  [['start', '--config'], '--config requires a value'],
  [['start', '--node'], '--node requires a value'],
  [['start', '--config', '--set', 'a=b'], "Option '--config' argument is ambiguous"],
  [['start', 'now'], "Unexpected argument 'now'"],
  [['version', 'now'], "Unexpected argument 'now'"],
  [['plugins', 'docker', 'statsd'], "unexpected argument 'statsd'"],
  [['plugins', 'dokcer'], "unknown plugin 'dokcer'; did you mean docker?"],
  [['config'], 'config requires check or print: found neither'],
  [['config', 'chck'], "config requires check or print: found 'chck'"],
  [['config', 'check', 'print'], "config requires check or print: found 'check print'"],
  [
    ['healthcheck', '--url', 'ftp://localhost'],
    "--url must be host:port, or an http or https URL: found 'ftp://localhost'",
  ],
  [
    ['healthcheck', '--url', 'localhost:99999'],
    "--url must be host:port, or an http or https URL: found 'localhost:99999'",
  ],
  [
    ['healthcheck', '--url', 'nonsense'],
    "--url must be host:port, or an http or https URL: found 'nonsense'",
  ],
  [
    ['healthcheck', '--timeout', '5'],
    "--timeout: must have a unit: write 5s for seconds or 5ms for milliseconds: found '5'",
  ],
  [['status', 'now'], "unexpected argument 'now'"],
  [['status', '--watch', '1s', '2s'], "unexpected argument '2s'"],
  [['status', '--watch', '99ms'], "--watch: must be from 100ms to 24h: found '99ms'"],
  [['status', '--watch=25h'], "--watch: must be from 100ms to 24h: found '25h'"],
  [
    ['status', '--watch=5'],
    "--watch: must have a unit: write 5s for seconds or 5ms for milliseconds: found '5'",
  ],
  [['status', '--url', 'nonsense'], "--url must be host:port, or an http or https URL: found 'nonsense'"],
  [['check', 'now'], "Unexpected argument 'now'"],
  [['check', '--format', 'xml'], "--format must be text or nagios: found 'xml'"],
  [['check', '--timeout', '0s'], "--timeout: must be longer than 0s: found '0s'"],
  [['bundle', '--output', ''], '--output must be a file or a directory: found an empty text'],
  [['bundle', '--url', 'nonsense'], "--url must be host:port, or an http or https URL: found 'nonsense'"],
  [['healthcheck', '--timeout', '0s'], "--timeout: must be longer than 0s: found '0s'"],
];
for (const [args, message] of USAGE_ERRORS) {
  test(`fabric-ops-agent ${args.join(' ')} is a usage error: ${message}`, async (t) => {
    const { status, stdout, stderr } = await runAgentCommand(args);
    t.deepEqual(
      { status, stdout, stderr },
      { status: 2, stdout: '', stderr: `fabric-ops-agent: error: ${message}\n` },
    );
  });
}

test('the program exits with 2 after a usage error', async (t) => {
  t.deepEqual(await runProgram(t, ['strat']), {
    status: 2,
    signal: null,
    stdout: '',
    stderr: "fabric-ops-agent: error: unknown command 'strat'; did you mean start?\n",
  });
});
