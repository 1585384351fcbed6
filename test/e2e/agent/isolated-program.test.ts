// Isolated plugins in the real program: the agent serves whatever they do, and their processes end with the agent however it ends.

import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { healthOf, metricLine } from '../../helpers/agent-endpoints.js';
import { pluginSource, projectFolder, serveProject } from '../../helpers/plugin-program.js';
import { runProgram } from '../../helpers/program.js';
import { until } from '../../helpers/until.js';
import { startStopwatch } from '../../helpers/stopwatch.js';

/** Whether a process runs. */
const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

const BLOCKS = `import { existsSync } from 'node:fs';\n${pluginSource(
  'health',
  'blocks',
  "return { start() { context.log.info('process ' + process.pid); }, check() { while (existsSync('block')); } };",
)}`;

test('an agent with isolated plugins serves while one of them blocks, and flushes the other one when it stops', async (t) => {
  const sink = `import { appendFileSync } from 'node:fs';\n${pluginSource(
    'metrics',
    'sink',
    "return { push: { interval: 3_600_000, async flush({ gauges }) { appendFileSync('flushed', gauges.length > 0 ? 'gauges' : 'nothing'); } } };",
  )}`;
  const { url, child, folder, ended, line } = await serveProject(t, {
    files: { 'blocks.js': BLOCKS, 'sink.js': sink },
    settings: {
      health: { timeout: '500ms', cacheFor: '0s', interval: '1h' },
      plugins: [
        { plugin: 'prometheus' },
        { plugin: './blocks.js', isolate: true },
        { plugin: './sink.js', isolate: true, maxMemory: 128 },
      ],
    },
  });
  await until(async () => (await healthOf(url)).status === 200);
  writeFileSync(join(folder, 'block'), '');
  const health = healthOf(url);
  const elapsed = startStopwatch(t);
  t.is((await fetch(`${url}/metrics`)).status, 200);
  t.true(elapsed() < 400);
  t.deepEqual(await health, { status: 503, failed: { blocks: 'timed out after 500ms' } });
  await line(
    /plugin blocks: its process was killed: check did not end when it was aborted; restarting it in 0\.5s/,
  );
  const fault = 'fabric_ops_agent_plugin_faults_total{kind="health",phase="process",plugin="blocks"}';
  t.is(await metricLine(url, fault), `${fault} 1`);
  child.kill('SIGTERM');
  t.is((await ended).status, 0);
  t.is(readFileSync(join(folder, 'flushed'), 'utf8'), 'gauges');
});

test('the process of an isolated plugin ends when the agent is killed, also while the plugin blocks it', async (t) => {
  const { url, child, folder, line } = await serveProject(t, {
    files: { 'blocks.js': BLOCKS, 'other.js': BLOCKS },
    settings: {
      health: { timeout: '10s' },
      plugins: [
        { plugin: './blocks.js', isolate: true },
        { plugin: './other.js', name: 'other', isolate: true },
      ],
    },
  });
  const pids = [
    Number((await line(/\[plugins\.blocks\].* process (\d+)/))[1]),
    Number((await line(/\[plugins\.other\].* process (\d+)/))[1]),
  ];
  t.true(pids.every(isRunning));
  writeFileSync(join(folder, 'block'), '');
  void fetch(`${url}/healthz/blocks`).catch(() => undefined);
  await until(() => / R /.test(readFileSync(`/proc/${pids[0]}/stat`, 'utf8')));
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  await until(() => !pids.some(isRunning));
  t.pass();
});

test('config check loads isolated plugins and ends, and config print and plugins show them', async (t) => {
  const cwd = projectFolder(t, {
    files: {
      'own.js': pluginSource('health', 'own', 'return { check() {} };').replace(
        'options: {}',
        "options: { odd: { doc: 'an odd number', default: 1, format: (value) => { if (value % 2 !== 1) throw new Error('must be odd'); } } }",
      ),
      'hangs.js': 'for (;;);',
      'hangs.yaml': '{ plugins: [{ plugin: ./hangs.js, isolate: true }] }',
      'even.yaml': '{ plugins: [{ plugin: ./own.js, isolate: true, options: { odd: 2 } }] }',
    },
    settings: { plugins: [{ plugin: './own.js', isolate: true, maxMemory: 128 }] },
  });
  const run = (...args: string[]): ReturnType<typeof runProgram> => runProgram(t, args, { cwd });
  t.like(await run('config', 'check', '--config', 'agent.yaml'), {
    status: 0,
    stdout: 'agent.yaml: no problem found\n',
    stderr: '',
  });
  t.regex(
    (await run('config', 'print', '--config', 'agent.yaml')).stdout,
    /^plugin own \(health\), on start error: fail, isolated, at most 128 MiB +# agent\.yaml:1: plugins\[0\]\n {4}odd: 1\n/m,
  );
  t.is(
    (await run('plugins', 'own', '--config', 'agent.yaml')).stdout,
    'own (health): ./own.js, declared by agent.yaml:1: plugins[0], isolated\n  odd: odd, default 1: an odd number\n',
  );
  t.like(await run('config', 'check', '--config', 'even.yaml'), {
    status: 2,
    stderr:
      'fabric-ops-agent: error: even.yaml:1: plugins[0]: plugin own: options.odd: must be odd: value was 2\n',
  });
  t.like(await run('config', 'check', '--config', 'hangs.yaml'), {
    status: 2,
    stderr: `fabric-ops-agent: error: hangs.yaml:1: plugins[0]: plugin ./hangs.js: the module did not finish loading within 10s: ${join(cwd, 'hangs.js')}\n`,
  });
});
