// Plugins that would take the whole process along: modules that never load, starts and file operations that hang.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { healthOf } from '../../helpers/agent-endpoints.js';
import { pluginSource, projectFolder, serveProject } from '../../helpers/plugin-program.js';
import { runProgram } from '../../helpers/program.js';

for (const [what, timer] of [
  ['nothing else runs', ''],
  ['a timer runs', 'setInterval(() => undefined, 1000);'],
] as const) {
  test(`a module that never finishes loading is reported after 10 s when ${what}`, async (t) => {
    const cwd = projectFolder(t, {
      files: { 'hangs.js': `${timer}\nawait new Promise(() => undefined);\nexport default {};` },
      settings: { plugins: [{ plugin: './hangs.js' }] },
    });
    const problem = `fabric-ops-agent: error: agent.yaml:1: plugins[0]: plugin ./hangs.js: the module did not finish loading within 10s: ${join(cwd, 'hangs.js')}\n`;
    const outcomes = await Promise.all(
      [['start'], ['config', 'check']].map((command) =>
        runProgram(t, [...command, '--config', 'agent.yaml'], { cwd }),
      ),
    );
    for (const { status, stderr } of outcomes) t.deepEqual([status, stderr], [2, problem]);
  });
}

for (const onStartError of ['fail', 'ignore', 'retry']) {
  test(`with onStartError: ${onStartError}, a start that hangs does not delay the service`, async (t) => {
    const { url, child, ended } = await serveProject(t, {
      files: {
        'hangs.js': pluginSource(
          'health',
          'hangs',
          'return { start: () => new Promise(() => undefined), check() {} };',
        ),
      },
      settings: { plugins: [{ plugin: './hangs.js', onStartError }] },
    });
    t.deepEqual(await healthOf(url), { status: 503, failed: { hangs: 'not started yet' } });
    child.kill('SIGTERM');
    const { status, stderr } = await ended;
    t.is(status, 0);
    t.regex(stderr, /serving on \S+ with console \(logging\), hangs \(health, not started yet\)\n/);
  });
}

test('a checker whose file operations hang takes two of the four threads, and the rest of the agent works', async (t) => {
  const source = `return { check: () => readFile('fifo').then(() => undefined) };`;
  const { folder, url, child, ended } = await serveProject(t, {
    files: {
      'hang.js': `import { readFile } from 'node:fs/promises';\n${pluginSource('health', 'hang', source)}`,
    },
    settings: {
      health: { timeout: '200ms', cacheFor: '0s', interval: '1h' },
      plugins: [{ plugin: 'prometheus' }, { plugin: './hang.js' }],
    },
  });
  await once(spawn('mkfifo', [join(folder, 'fifo')]), 'exit');
  for (const reason of ['timed out after 200ms', 'timed out after 200ms'])
    t.deepEqual(await healthOf(url), { status: 503, failed: { hang: reason } });
  for (let probe = 0; probe < 5; probe += 1)
    t.deepEqual(await healthOf(url), {
      status: 503,
      failed: { hang: 'not checked: 2 earlier checks are still running' },
    });
  const scrape = await fetch(`${url}/metrics`, {
    headers: { 'Accept-Encoding': 'gzip' },
    signal: AbortSignal.timeout(5_000),
  });
  t.is(scrape.status, 200);
  t.is(scrape.headers.get('content-encoding'), 'gzip');
  child.kill('SIGTERM');
  const { stderr } = await ended;
  t.regex(stderr, /stopped\n/);
});
