import { getEventListeners } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkOptions } from '../../../core/host/load.js';
import execSource from '../../../plugins/source/exec/index.js';
import { declaration } from '../../helpers/agent.js';
import test, { type ExecutionContext } from 'ava';
import {
  COMMAND_OPTIONS,
  describeEnd,
  firstLine,
  runCommand,
  type CommandOptions,
  type CommandResult,
} from '../../../core/kit/command.js';
import { stopTimeouts } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { until } from '../../helpers/until.js';

const COMMAND_MODULE = new URL('../../../core/kit/command.js', import.meta.url).href;

const shell = (script: string, ...args: readonly string[]): CommandOptions => ({
  command: ['/bin/sh', '-c', script, 'sh', ...args],
  directory: '',
  environment: {},
});

const run = (options: CommandOptions, signal = new AbortController().signal): Promise<CommandResult> =>
  runCommand(options, { signal });

test('status, output and errors are returned, and arguments are not interpreted', async (t) => {
  const found = await run(shell('printf %s "$1"; echo no >&2; exit 3', '$(id) *'));
  t.deepEqual(found, {
    ...found,
    status: 3,
    signal: null,
    stdout: '$(id) *',
    stderr: 'no\n',
  });
});

test('the standard input is passed on, also when the program does not read it', async (t) => {
  const input = 'x'.repeat(1_000_000);
  const counted = await runCommand(shell('wc -c'), { signal: new AbortController().signal, input });
  t.is(counted.stdout.trim(), '1000000');
  t.is((await runCommand(shell('exit 0'), { signal: new AbortController().signal, input })).status, 0);
});

test('the output is passed on while the program runs, so that it can be ended at a line', async (t) => {
  const stop = new AbortController();
  let output = '';
  const onOutput = (text: string): void => {
    output += text;
    if (output.includes('ready\n')) stop.abort(new Error('it is ready'));
  };
  const call = runCommand(shell('echo ready; echo no >&2; sleep 1000'), { signal: stop.signal, onOutput });
  await t.throwsAsync(call, { message: 'it is ready' });
});

test('the environment has the variables of the option, PATH and LANG, and none of the agent', async (t) => {
  const { stdout } = await run({ ...shell('env'), environment: { TOKEN: 'a b' } });
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0] ?? '');
  t.true(stdout.includes('TOKEN=a b\n'));
  t.deepEqual(
    names.filter((name) => !['TOKEN', 'PATH', 'LANG', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
    [],
  );
});

test('the program runs in the working directory of the option', async (t) => {
  const directory = temporaryFolder(t);
  t.is((await run({ ...shell('pwd'), directory })).stdout.trim(), directory);
});

const noProgram = { command: ['/no/such/program'], directory: '', environment: {} };
for (const [what, options, message] of [
  ['a program that does not exist', noProgram, '/no/such/program: no such file'],
  ['a directory that does not exist', { ...shell(''), directory: '/no' }, '/bin/sh: no such directory: /no'],
  [
    'a file that cannot be executed',
    { ...noProgram, command: ['/etc/passwd'] },
    '/etc/passwd: permission denied',
  ],
  [
    'a name that is not in PATH',
    { ...noProgram, command: ['no-such-program'] },
    'no-such-program: no such program in PATH',
  ],
  [
    'an argument that is too long',
    { ...noProgram, command: ['true', 'x'.repeat(4_000_000)] },
    'true: argument list too long',
  ],
  ['endless output', shell('yes'), 'its output is larger than 65536 bytes'],
  ['endless errors', shell('yes >&2'), 'its output is larger than 65536 bytes'],
] as const)
  test(`${what} is an error`, async (t) => {
    await t.throwsAsync(run(options), { message });
  });

test('a program that cannot be started without free file descriptors has this reason', async (t) => {
  const folder = temporaryFolder(t, {
    'run.mjs': `import { openSync } from 'node:fs';
      import { runCommand } from ${JSON.stringify(COMMAND_MODULE)};
      // The first call loads what it needs.
      const run = () => runCommand({ command: ['/bin/true'], directory: '', environment: {} }, { signal: new AbortController().signal });
      await run();
      try { for (;;) openSync('/dev/null'); } catch {}
      await run().catch((error) => console.log(error.message));`,
  });
  const script = 'ulimit -n 64; exec "$1" "$2"';
  const { stdout } = await run(shell(script, process.execPath, join(folder, 'run.mjs')));
  t.is(stdout, '/bin/true: this process has too many open files\n');
});

for (const [text, line] of [
  ['\0'.repeat(60_000), ''],
  ['\0\n\u001b\n no such host \nmore', 'no such host'],
  [' \n', ''],
] as const)
  test(`the first line with visible characters: ${JSON.stringify(text.slice(0, 20))}`, (t) => {
    t.is(firstLine(text), line);
  });

test('the end of a program is described with the first text that has visible characters', async (t) => {
  const result = await run(shell('exit 3'));
  t.is(describeEnd(result, '\0\0', 'no such host\n'), 'exit status 3: no such host');
  t.is(describeEnd(result, '\0'), 'exit status 3');
});

test('a script without its interpreter is an error', async (t) => {
  const program = join(temporaryFolder(t, { script: '#!/no/such/interpreter\n' }), 'script');
  chmodSync(program, 0o755);
  await t.throwsAsync(run({ ...noProgram, command: [program] }), {
    message: `${program}: its interpreter does not exist`,
  });
});

test('a command is a list that begins with an absolute path or a name', (t) => {
  const { format } = COMMAND_OPTIONS.command;
  for (const valid of [['/bin/true'], ['true', '', 'a/b']]) t.notThrows(() => format(valid));
  for (const invalid of ['true', [], [''], ['a', 1], ['a', 'b\0'], null, {}])
    t.throws(() => format(invalid), { message: /^must be a list of the program and its arguments/ });
  for (const relative of ['./check', 'bin/check'])
    t.throws(() => format([relative]), {
      message: 'must begin with an absolute path or the name of a program in PATH',
    });
});

/** Waits until no process has the id that is in the file. */
async function hasEnded(t: ExecutionContext, file: string): Promise<void> {
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
  const pid = Number(readFileSync(file, 'utf8'));
  await until(() => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    } catch {
      return true;
    }
  });
  t.pass();
}

test('a program that ignores SIGTERM is killed with its children when the signal is aborted', async (t) => {
  const file = join(temporaryFolder(t), 'pid');
  const abort = new AbortController();
  const script = 'trap "" TERM; (trap "" TERM; sleep 600 & echo $! > "$1"; wait) & wait';
  const ended = run(shell(script, file), abort.signal);
  await until(() => existsSync(file));
  abort.abort(new Error('too late'));
  await t.throwsAsync(ended, { message: 'too late' });
  await hasEnded(t, file);
});

test('a child that keeps the pipes open does not delay the result, and is ended', async (t) => {
  const file = join(temporaryFolder(t), 'pid');
  const result = await run(shell('sleep 600 & echo $! > "$1"; echo done; exit 1', file));
  t.deepEqual([result.status, result.stdout], [1, 'done\n']);
  await hasEnded(t, file);
});

test('a program that a signal ends has no status', async (t) => {
  const { status, signal } = await run(shell('kill -9 $$'));
  t.deepEqual([status, signal], [null, 'SIGKILL']);
});

test('nothing is started when the signal is aborted', async (t) => {
  const file = join(temporaryFolder(t), 'started');
  await t.throwsAsync(run(shell('touch "$1"', file), AbortSignal.abort(new Error('no'))), { message: 'no' });
  t.false(existsSync(file));
});

test('a running program is ended with its children when the process exits', async (t) => {
  const file = join(temporaryFolder(t), 'pid');
  const folder = temporaryFolder(t, {
    'run.mjs': `import { existsSync } from 'node:fs';
      import { runCommand } from ${JSON.stringify(COMMAND_MODULE)};
      const command = ['/bin/sh', '-c', 'trap "" TERM; sleep 600 & echo $! > "$1.new"; mv "$1.new" "$1"; wait', 'sh', ${JSON.stringify(file)}];
      void runCommand({ command, directory: '', environment: {} }, { signal: new AbortController().signal });
      setInterval(() => existsSync(${JSON.stringify(file)}) && process.exit(0), 5);`,
  });
  const command = [process.execPath, join(folder, 'run.mjs')];
  t.is((await run({ command, directory: '', environment: {} })).status, 0);
  await hasEnded(t, file);
});

for (const [size, what] of [
  [65_536, 'returned'],
  [65_537, 'too large'],
] as const)
  test(`an output of ${size} bytes is ${what}`, async (t) => {
    const call = run(shell(`head -c ${size} /dev/zero`));
    if (what === 'returned') t.is((await call).stdoutBytes.length, size);
    else await t.throwsAsync(call, { message: 'its output is larger than 65536 bytes' });
  });

test('a program that closes its output is ended when the signal is aborted', async (t) => {
  const file = join(temporaryFolder(t), 'pid');
  const abort = new AbortController();
  const ended = run(shell('exec >&- 2>&-; echo $$ > "$1"; sleep 600', file), abort.signal);
  // The file exists before the id is in it.
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
  abort.abort(new Error('too late'));
  await t.throwsAsync(ended, { message: 'too late' });
  await hasEnded(t, file);
});

const WORDS = 'must be a mapping of variable names to strings';
for (const [option, value, problem] of [
  ['environment', { A_1: 'b c', _a: '' }, undefined],
  ['environment', { '1A': 'b' }, WORDS],
  ['environment', { 'A B': 'b' }, WORDS],
  ['environment', { A: 1 }, WORDS],
  ['environment', { A: 'b\u0000c' }, WORDS],
  ['environment', ['A=b'], WORDS],
  ['environment', 'A=b', WORDS],
] as const)
  test(`the option ${option} ${JSON.stringify(value)} is ${problem === undefined ? 'valid' : `refused: ${problem}`}`, (t) => {
    const options = { command: ['/bin/true'], [option]: value };
    const { problems } = checkOptions(execSource, declaration({ plugin: 'exec', options }));
    if (problem === undefined) t.deepEqual(problems, []);
    else {
      t.is(problems.length, 1);
      t.true(problems[0]?.startsWith(`test.yaml:1: plugins[0]: plugin exec: options.${option}: ${problem}`));
    }
  });

test('a program that is aborted gets SIGTERM first, so that it can clean up', async (t) => {
  const folder = temporaryFolder(t);
  const [started, cleaned] = [join(folder, 'started'), join(folder, 'cleaned')];
  const abort = new AbortController();
  const script = `trap 'echo bye > "$2"; exit' TERM; sleep 600 & echo > "$1"; wait`;
  const ended = run(shell(script, started, cleaned), abort.signal);
  await until(() => existsSync(started));
  abort.abort(new Error('too late'));
  await t.throwsAsync(ended, { message: 'too late' });
  await until(() => existsSync(cleaned));
});

test('a program that has ended leaves no listener on the signal, which may outlive many programs', async (t) => {
  const { signal } = new AbortController();
  await run(shell('exit 0'), signal);
  t.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('a process that exits sends no signal to the ids of programs that have ended', async (t) => {
  const folder = temporaryFolder(t, {
    'run.mjs': `import { runCommand } from ${JSON.stringify(COMMAND_MODULE)};
      process.kill = (...call) => console.log('signal', ...call);
      await runCommand({ command: ['/bin/true'], directory: '', environment: {} }, { signal: new AbortController().signal });
      process.exit(0);`,
  });
  const { stdout, stderr } = await run(shell('exec "$1" "$2"', process.execPath, join(folder, 'run.mjs')));
  t.deepEqual([stdout, stderr], ['', '']);
});

test('a program that a signal ended is described with the signal', async (t) => {
  t.is(describeEnd(await run(shell('kill -9 $$')), ''), 'ended by SIGKILL');
});

test('each text of an environment must be valid, and there must be one', (t) => {
  const { format } = COMMAND_OPTIONS.environment;
  t.notThrows(() => format({}));
  for (const invalid of [null, { A: 'x', B: 1 }, { A: 'x', '1B': 'y' }])
    t.throws(() => format(invalid), { message: WORDS });
});

test.serial(
  'output is read for half a second after the end of a program whose child keeps its pipes',
  async (t) => {
    const file = join(temporaryFolder(t), 'pid');
    const clock = stopTimeouts(t);
    let isDone = false;
    const call = run(shell('sleep 600 & echo $! > "$1"', file)).then(() => (isDone = true));
    await until(() => clock.countTimers() === 1);
    clock.tick(499);
    await nextTurn();
    t.false(isDone);
    clock.tick(1);
    await call;
    clock.tick(1000);
    await hasEnded(t, file);
  },
);
