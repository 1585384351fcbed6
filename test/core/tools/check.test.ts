import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { Process } from '../../../core/cli/command.js';
import { formatNagios } from '../../../core/tools/nagios.js';
import { run } from '../../../core/cli/run.js';
import { readStatus } from '../../../core/status/read.js';
import { runAgentCommand, withFlag, type CommandOutcome } from '../../helpers/agent-command.js';
import { freePort } from '../../helpers/free-port.js';
import { pluginSource, projectFolder } from '../../helpers/plugin-program.js';
import { runProgram } from '../../helpers/program.js';
import { send, startStandInNode, type StandInNode } from '../../helpers/stand-in-node.js';

/** Longer than the default, for a busy machine. */
const patient = (args: readonly string[] = []): readonly string[] => withFlag('--timeout', '5m', args);

const GOOD = pluginSource('checker', 'good', 'return { check() {} };');
const BAD = pluginSource('checker', 'bad', 'return { check() { throw new Error("no\\n| disk"); } };');
const SOON = pluginSource(
  'checker',
  'soon',
  'return { check() { throw Object.assign(new Error("ends soon"), { code: "CHECK_WARNING" }); } };',
);

/** Runs the command with an agent.yaml that declares these plugins. */
function checkPlugins(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  declared: object = {},
): Promise<CommandOutcome> {
  const plugins = Object.keys(files).map((name) => ({ plugin: `./${name}`, ...declared }));
  const cwd = projectFolder(t, { files, settings: { plugins } });
  return runAgentCommand(['check', '--config', 'agent.yaml', ...patient(args)], { cwd });
}

/** Runs the command beside a stand-in for a peer. */
async function checkBeside(
  t: ExecutionContext,
  url: string,
  ...args: readonly string[]
): Promise<CommandOutcome> {
  const core = `peer: {id: peer0}\noperations: {listenAddress: "${new URL(url).host}"}\nmetrics: {provider: prometheus}\n`;
  const cwd = projectFolder(t, { files: { 'core.yaml': core }, settings: {} });
  return runAgentCommand(['check', '--node', 'core.yaml', ...patient(args)], { cwd });
}

/** A stand-in for a node that is healthy. */
async function startHealthyNode(t: ExecutionContext): Promise<StandInNode> {
  const node = await startStandInNode(t);
  node.override = ({ url }, response) => {
    const body =
      url === '/metrics'
        ? '# TYPE ledger_blockchain_height gauge\nledger_blockchain_height{channel="ch1"} 37\n'
        : '{"status":"OK","Version":"v3.0.0","spec":"info"}';
    send(response, 200, { 'Content-Type': 'application/json' }, body);
  };
  return node;
}

test('check beside a healthy node prints it as status --all does, and exits with 0', async (t) => {
  const { url } = await startHealthyNode(t);
  const { status, stdout, stderr } = await checkBeside(t, url);
  t.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  t.regex(
    stdout,
    /^core\.yaml at \S+ UTC: healthy \(version \d+\.\d+\.\d+\)\n\nCHANNEL {2}NODE {3}HEIGHT {2}CONSENSUS\nch1 {6}peer0 {2}37\n\nNODE {3}KIND {2}STATE {2}/m,
  );
  t.regex(stdout, /^peer0 {2}peer {2}up {5}v3\.0\.0 {2}/m);
  t.regex(stdout, /^ch1 {6}peer0 {2}37\n$/m);
});

test('check beside a node that is down names it once, and exits with 1', async (t) => {
  const port = await freePort();
  const { status, stdout } = await checkBeside(t, `http://127.0.0.1:${port}`);
  t.is(status, 1);
  t.regex(stdout, /^core\.yaml at \S+ UTC: not healthy /);
  t.true(
    stdout.includes(
      `\n\nPROBLEMS\npeer0 is down: GET http://127.0.0.1:${port}/metrics: connection refused\n\n`,
    ),
  );
});

test('check waits for the first outcome of a checker that polls', async (t) => {
  const node = await startHealthyNode(t);
  const { override } = node;
  node.override = (request, response) => {
    if (request.url === '/healthz')
      send(response, 503, {}, '{"failed_checks":[{"component":"couchdb","reason":"gone"}]}');
    else override?.(request, response);
  };
  const { status, stdout } = await checkBeside(t, node.url);
  t.is(status, 1);
  t.true(stdout.includes('\nPROBLEMS\npeer0/couchdb: gone\n'));
});

for (const [what, member, name, isShown] of [
  ['of files on the disk', "kind: 'files',", 'bad', false],
  ['of something else', '', 'bad', true],
  ['of something else, whose name begins with that of a checker of files', '', 'files/bad', true],
] as const)
  test(`a failed checker ${what}: the log of its node is ${isShown ? 'shown' : 'not shown'}`, async (t) => {
    const { url } = await startHealthyNode(t);
    const core = `peer: {id: peer0}\noperations: {listenAddress: "${new URL(url).host}"}\nmetrics: {provider: prometheus}\n`;
    const bad = pluginSource('checker', 'bad', `return { ${member} check() { throw new Error('full'); } };`);
    const filesPlugin = pluginSource('checker', 'files', "return { kind: 'files', check() {} };");
    const folder = projectFolder(t, {
      files: { 'core.yaml': core, 'peer.log': 'WARN a\n', 'bad.js': bad, 'files.js': filesPlugin },
      settings: {
        node: { config: 'core.yaml', log: 'peer.log' },
        plugins: [
          { plugin: './files.js', name: 'peer0/files' },
          { plugin: './bad.js', name: `peer0/${name}` },
        ],
      },
    });
    const { status, stdout } = await runAgentCommand(['check', '--config', 'agent.yaml', ...patient()], {
      cwd: folder,
    });
    t.is(status, 1);
    t.true(stdout.includes(`\nPROBLEMS\npeer0/${name}: full\n`), stdout);
    t.is(stdout.includes(`\nLOG of peer0 (${folder}/peer.log), newest first\nWARN a\n`), isShown, stdout);
  });

test('a check that does not end fails at the time limit', async (t) => {
  const files = {
    'hung.js': pluginSource('checker', 'hung', 'return { check: () => new Promise(() => {}) };'),
  };
  const { status, stdout } = await checkPlugins(t, files, ['--timeout', '200ms']);
  t.is(status, 1);
  t.true(stdout.endsWith('\nPROBLEMS\nhung: timed out after 200ms\n'));
});

test('the program does not end before the time of a check that hangs is over', async (t) => {
  const files = {
    'hung.js': pluginSource('checker', 'hung', 'return { check: () => new Promise(() => {}) };'),
  };
  const cwd = projectFolder(t, { files, settings: { plugins: [{ plugin: './hung.js' }] } });
  const { status, stdout, stderr } = await runProgram(
    t,
    ['check', '--config', 'agent.yaml', '--timeout', '200ms'],
    { cwd },
  );
  t.is(stderr, '');
  t.is(status, 1);
  t.true(stdout.endsWith('\nPROBLEMS\nhung: timed out after 200ms\n'));
});

test('a plugin that does not start within the time is a problem, and the other checks run', async (t) => {
  const files = {
    'slow.js': pluginSource('checker', 'slow', 'return { start: () => new Promise(() => {}), check() {} };'),
    'bad.js': BAD,
  };
  const { status, stdout } = await checkPlugins(t, files, ['--timeout', '200ms']);
  t.is(status, 1);
  t.true(stdout.endsWith('\nPROBLEMS\nbad: no | disk\nslow: not started yet\n'));
});

test('a plugin that would end the start is a problem with the reason', async (t) => {
  const files = {
    'broken.js': pluginSource(
      'checker',
      'broken',
      'return { start() { throw new Error("no driver"); }, check() {} };',
    ),
  };
  const { status, stdout } = await checkPlugins(t, files);
  t.is(status, 1);
  t.true(stdout.endsWith('\nPROBLEMS\nbroken: not started: no driver\n'));
});

test('after the problems come their steps, each once, with their commands', async (t) => {
  const failing = (name: string, steps: string): string =>
    pluginSource(
      'checker',
      name,
      `return { check() { throw Object.assign(new Error("x"), { code: "CHECKS_FAILED", parts: [{ component: "a", reason: "b", steps: ${steps} }] }); } };`,
    );
  const files = {
    'one.js': failing('one', '[{ text: "Free space:", command: "df" }, { text: "Wait." }]'),
    'two.js': failing('two', '[{ text: "Wait." }]'),
  };
  const { status, stdout } = await checkPlugins(t, files);
  t.is(status, 1);
  t.true(stdout.endsWith('\nPROBLEMS\none/a and 1 more: b\n\nTO DO\nFree space: df\nWait.\n'), stdout);
});

test('check exits with 3 if there are only warnings', async (t) => {
  const { status, stdout } = await checkPlugins(t, { 'good.js': GOOD, 'soon.js': SOON });
  t.is(status, 3);
  t.regex(stdout, /^agent\.yaml at \S+ UTC: healthy .*\n\nWARNINGS\nsoon: ends soon\n$/);
});

test('check neither creates sinks and notifiers nor listens, but checks their options', async (t) => {
  const fails = 'throw new Error("created");';
  const files = {
    'sink.js': pluginSource('sink', 'sink', fails),
    'notifier.js': pluginSource('notifier', 'notifier', fails),
    'good.js': GOOD,
  };
  // Nobody can listen on this address.
  const own = ['--set', 'operations.listenAddress=192.0.2.1:1'];
  const { status, stdout } = await checkPlugins(t, files, own);
  t.is(status, 0);
  t.regex(stdout, /^agent\.yaml at \S+ UTC: healthy \(version \S+\)\n$/);
  t.deepEqual(await checkPlugins(t, files, own, { options: { unknown: 1 } }), {
    status: 2,
    stdout: '',
    stderr: ['sink', 'notifier', 'good']
      .map(
        (name, index) =>
          `fabric-ops-agent: error: agent.yaml:1: plugins[${index}]: plugin ${name}: options.unknown: unknown option; none is allowed here\n`,
      )
      .join(''),
  });
});

test('check --json prints the document of /status on one line', async (t) => {
  const { status, stdout } = await checkPlugins(t, { 'bad.js': BAD, 'soon.js': SOON }, ['--json']);
  t.is(status, 1);
  t.is(stdout.indexOf('\n'), stdout.length - 1);
  const { agent, problems, checks, levels } = JSON.parse(stdout) as Record<string, unknown>;
  t.is((agent as { healthy: boolean }).healthy, false);
  t.deepEqual(
    (problems as { component: string; state: string }[]).map(({ component, state }) => [component, state]),
    [
      ['bad', 'failed'],
      ['soon', 'warning'],
    ],
  );
  t.deepEqual({ checks, levels }, { checks: ['bad', 'soon'], levels: [] });
});

const NAGIOS: readonly (readonly [string, Readonly<Record<string, string>>, CommandOutcome])[] = [
  [
    'nothing is wrong',
    { 'good.js': GOOD },
    {
      status: 0,
      stdout:
        'FABRIC OK - nodes up: 0, checks: 1 | failed=0;;0;0 warnings=0;0;;0 checks=1;;;0 nodes_up=0;;0:;0;0\n',
      stderr: '',
    },
  ],
  [
    'there is a warning',
    { 'soon.js': SOON },
    {
      status: 1,
      stdout:
        'FABRIC WARNING - soon: ends soon | failed=0;;0;0 warnings=1;0;;0 checks=1;;;0 nodes_up=0;;0:;0;0\n',
      stderr: '',
    },
  ],
  [
    'a check fails with a vertical bar in the reason',
    { 'bad.js': BAD, 'soon.js': SOON },
    {
      status: 2,
      stdout:
        'FABRIC CRITICAL - bad: no / disk; soon: ends soon | failed=1;;0;0 warnings=1;0;;0 checks=2;;;0 nodes_up=0;;0:;0;0\n',
      stderr: '',
    },
  ],
];
for (const [what, files, outcome] of NAGIOS) {
  test(`check --format nagios when ${what}: the line and exit status ${outcome.status}`, async (t) => {
    t.deepEqual(await checkPlugins(t, files, ['--format', 'nagios']), outcome);
  });
}

test('check --format nagios has the heights of channels as performance data', async (t) => {
  const { url } = await startHealthyNode(t);
  const { status, stdout } = await checkBeside(t, url, '--format=nagios');
  t.is(status, 0);
  t.regex(
    stdout,
    /^FABRIC OK - nodes up: 1, checks: \d+ \| failed=0;;0;0 .* nodes_up=1;;1:;0;1 'height ch1'=37c;;;0\n$/,
  );
});

test('a Nagios line begins with the channels that have stopped, are in maintenance or at risk', (t) => {
  const channels = [
    { name: 'a', verdict: 'working', reason: 'x' },
    { name: 'b', verdict: 'at-risk', reason: 'one more failure stops it' },
    { name: 'c', verdict: 'stopped', reason: '2 of 3 consenters are down' },
    { name: 'd', verdict: 'maintenance', reason: 'no transaction is accepted' },
  ];
  const { line } = formatNagios(readStatus(JSON.stringify({ channels })));
  t.regex(
    line,
    /^FABRIC CRITICAL - c stopped: 2 of 3 consenters are down; d is in maintenance: no transaction is accepted; b at risk: one more failure stops it \| /,
  );
});

test('a long Nagios line names what fits and the number of the others', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [
      `p${index}.js`,
      pluginSource(
        'checker',
        `p${index}`,
        `return { check() { throw new Error("${String(index).repeat(290)}"); } };`,
      ),
    ]),
  );
  const { status, stdout } = await checkPlugins(t, files, ['--format', 'nagios']);
  t.is(status, 2);
  t.regex(stdout, /^FABRIC CRITICAL - p0: 0+; p1: 1+; and 7 more \| failed=9;;0;0 /);
});

const UNKNOWN: readonly (readonly [readonly string[], string])[] = [
  [
    ['--format', 'nagios', '--timeout', '5'],
    "--timeout: must have a unit: write 5s for seconds or 5ms for milliseconds: found '5'",
  ],
  [['--format=nagios', 'now'], "Unexpected argument 'now'"],
  [['--format', 'nagios', '--config', 'missing.yaml'], 'missing.yaml: cannot be read: no such file'],
];
for (const [args, reason] of UNKNOWN) {
  test(`check ${args.join(' ')} is UNKNOWN, with exit status 3: ${reason}`, async (t) => {
    const cwd = projectFolder(t, { files: {}, settings: {} });
    t.deepEqual(await runAgentCommand(['check', ...args], { cwd }), {
      status: 3,
      stdout: `FABRIC UNKNOWN - ${reason}\n`,
      stderr: '',
    });
  });
}

/** Runs `check` with a checker that hangs. */
async function checkHung(t: ExecutionContext, on: Pick<Process, 'onStop' | 'onUncaught'>) {
  const files = {
    'hung.js': pluginSource('checker', 'hung', 'return { check: () => new Promise(() => {}) };'),
  };
  const cwd = projectFolder(t, { files, settings: { plugins: [{ plugin: './hung.js' }] } });
  let errors = '';
  const status = await run(['check', '--config', 'agent.yaml'], {
    environment: {},
    cwd,
    nodeVersion: 'v22.0.0',
    terminal: undefined,
    out: () => true,
    error: (text) => void (errors += text),
    onReload: () => undefined,
    ...on,
  });
  return { status, errors };
}

test('a signal ends a check, and exits with 1', async (t) => {
  t.deepEqual(
    await checkHung(t, { onStop: (listener) => setImmediate(listener), onUncaught: () => undefined }),
    { status: 1, errors: 'fabric-ops-agent: error: stopped by a signal\n' },
  );
});

test('an uncaught error that no plugin has thrown ends a check, and is its error', async (t) => {
  let stop = (): void => undefined;
  const error = new Error('broken');
  const file = fileURLToPath(new URL('../../../../core/agent.ts', import.meta.url));
  error.stack = `Error: broken\n    at work (${file}:1:2)`;
  const { status, errors } = await checkHung(t, {
    onStop: (listener) => (stop = listener),
    onUncaught: (listener) =>
      setImmediate(() => {
        listener(error, false);
        // Ends the command also if the error does not.
        stop();
      }),
  });
  t.is(status, 1);
  t.regex(errors, /broken/);
});

test('the private key of the agent is not needed for a check', async (t) => {
  const cwd = projectFolder(t, {
    files: { 'good.js': GOOD },
    settings: { plugins: [{ plugin: './good.js' }] },
  });
  const tls = ['enabled=true', 'cert.file=missing.pem', 'key.file=missing.key', 'clientRootCAs.files=ca.pem']
    .map((setting) => `operations.tls.${setting}`)
    .flatMap((setting) => ['--set', setting]);
  const args = ['check', '--config', join(cwd, 'agent.yaml'), ...patient(tls)];
  t.is((await runAgentCommand(args, { cwd })).status, 0);
});
