import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { errorCodeOf } from '../../../../core/contract/errors.js';
import type { OptionValues } from '../../../../core/contract/index.js';
import { createTestContext } from '../../../../core/testing/index.js';
import exec from '../../../../plugins/health/exec/index.js';
import { startChecker } from '../../../helpers/checker.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { startProgram, urlOf } from '../../../helpers/program.js';
import { until } from '../../../helpers/until.js';
import { PATIENCE } from '../../../helpers/patience.js';

type Options = OptionValues<typeof exec.options>;

const options = (script: string, others: Partial<Options> = {}): Options => ({
  command: ['/bin/sh', '-c', script],
  directory: '',
  environment: {},
  interval: 60_000,
  timeout: PATIENCE,
  unknown: 'critical',
  ...others,
});

for (const [script, reason] of [
  ['echo "DISK OK|a=1"', undefined],
  ['echo "DISK WARNING - 5% left|a=1"; exit 1', 'DISK WARNING - 5% left'],
  ['echo "DISK CRITICAL"; echo more; exit 2', 'DISK CRITICAL'],
  ['echo "no such disk" >&2; exit 3', 'no such disk'],
  ['exit 2', 'exit status 2'],
  ['echo usage; exit 64', 'exit status 64: usage'],
  ['kill -9 $$', 'ended by SIGKILL'],
  ['head -c 60000 /dev/zero; exit 1', 'exit status 1'],
  ['head -c 60000 /dev/zero; echo "no such disk" >&2; exit 2', 'no such disk'],
  [String.raw`printf 'a\033[31mb\342\200\256c'; exit 2`, String.raw`a [31mb\u202ec`],
] as const)
  test(`${script} is ${reason === undefined ? 'healthy' : `reported as ${reason}`}`, async (t) => {
    const { check } = await startChecker(t, exec, options(script));
    t.deepEqual(await check(), reason === undefined ? {} : { '': reason });
  });

for (const [status, unknown, isWarning] of [
  [1, 'critical', true],
  [2, 'warning', false],
  [3, 'critical', false],
  [3, 'warning', true],
] as const)
  test(`exit status ${status} is ${isWarning ? 'a warning' : 'critical'} when unknown is ${unknown}`, async (t) => {
    const { checker } = await startChecker(t, exec, options(`echo x; exit ${status}`, { unknown }));
    const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
    t.is(errorCodeOf(error) === 'CHECK_WARNING', isWarning);
  });

test('a command that hangs fails at its deadline', async (t) => {
  const { check } = await startChecker(t, exec, options('sleep 600', { timeout: 100 }));
  t.deepEqual(await check(), { '': 'the command took longer than 0.1s' });
});

async function startCounting(t: ExecutionContext, interval: number) {
  const folder = temporaryFolder(t, { output: 'one|a=1 b=2' });
  const script = 'cat output; echo >> runs; test ! -e bad';
  const started = await startChecker(t, exec, options(script, { directory: folder, interval }));
  return { ...started, folder };
}

test('the command runs at its interval, not for each check', async (t) => {
  const { check, folder } = await startCounting(t, 60_000);
  for (let count = 0; count < 5; count += 1) t.deepEqual(await check(), {});
  writeFileSync(join(folder, 'bad'), '');
  t.deepEqual(await check(), {});
});

test('performance data are gauges, and the series of a missing value ends', async (t) => {
  const { series, folder } = await startCounting(t, 100);
  const label = (name: string): string => JSON.stringify({ component: 'exec', label: name, unit: '' });
  await until(async () => (await series('exec_value'))[label('b')] === 2);
  writeFileSync(join(folder, 'output'), 'two|a=3');
  await until(async () => (await series('exec_value'))[label('a')] === 3);
  t.deepEqual(await series('exec_value'), { [label('a')]: 3 });
});

test('a run that takes too long ends the series', async (t) => {
  const folder = temporaryFolder(t);
  const script = 'test -e hang && sleep 600; echo "one|a=1"';
  const { series } = await startChecker(
    t,
    exec,
    options(script, { directory: folder, interval: 100, timeout: 1_000 }),
  );
  const count = async (): Promise<number> => Object.keys(await series('exec_value')).length;
  await until(async () => (await count()) === 1);
  writeFileSync(join(folder, 'hang'), '');
  await until(async () => (await count()) === 0);
  t.pass();
});

test('a command that ignores SIGTERM is ended with the agent', async (t) => {
  const folder = temporaryFolder(t);
  // Not longer, because nothing else ends it when the test fails.
  const command = ['/bin/sh', '-c', 'trap "" TERM; echo $$ > pid; sleep 60'];
  const settings = {
    operations: { listenAddress: '127.0.0.1:0' },
    plugins: [{ plugin: 'exec', options: { command, directory: folder } }],
  };
  const [file, pidFile] = [join(folder, 'agent.yaml'), join(folder, 'pid')];
  writeFileSync(file, JSON.stringify(settings));
  const agent = startProgram(t, ['start', '--config', file]);
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'));
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await urlOf(agent);
  agent.child.kill('SIGTERM');
  t.is((await agent.ended).status, 0);
  await until(
    () => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '),
  );
});

for (const time of ['interval', 'timeout'] as const)
  for (const [value, isValid] of [
    [99, false],
    [100, true],
    [3_600_000, true],
    [3_600_001, false],
  ] as const)
    test(`${time} may ${isValid ? '' : 'not '}be ${value} ms`, async (t) => {
      const { context } = createTestContext(exec, options('', { [time]: value }));
      const init = (): unknown => exec.create(context).init?.();
      if (isValid) t.notThrows(init);
      else t.throws(init, { message: `options.${time}: must be from 100ms to 1h` });
    });
