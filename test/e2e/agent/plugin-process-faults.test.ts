// Plugins that would take the whole process along: modules that never load, starts and file operations that hang, process.exit, and floods
// of uncaught errors; and an error of the agent itself.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { healthOf, metricValue } from '../../helpers/agent-endpoints.js';
import { pluginSource, projectFolder, serveProject, startProject } from '../../helpers/plugin-program.js';
import { runProgram } from '../../helpers/program.js';
import { until } from '../../helpers/until.js';

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
          'checker',
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
    t.regex(stderr, /serving on \S+ with console \(logging\), hangs \(checker, not started yet\)\n/);
  });
}

test('a checker whose file operations hang takes two of the four threads, and the rest of the agent works', async (t) => {
  const source = `return { check: () => readFile('fifo').then(() => undefined) };`;
  const { folder, url, child, ended } = await serveProject(t, {
    files: {
      'hang.js': `import { readFile } from 'node:fs/promises';\n${pluginSource('checker', 'hang', source)}`,
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

for (const status of [0, 2, 7]) {
  test(`process.exit(${status}) in a plugin of a running agent ends it with status 1 and a line that says where`, async (t) => {
    const { folder, child, ended } = await serveProject(t, {
      files: {
        'exits.js': pluginSource(
          'checker',
          'exits',
          `process.once('SIGUSR2', () => process.exit(${status}));\nreturn { check() {} };`,
        ),
      },
      settings: { plugins: [{ plugin: './exits.js' }] },
    });
    child.kill('SIGUSR2');
    const outcome = await ended;
    t.is(outcome.status, 1);
    t.is(
      outcome.stderr
        .split('\n')
        .at(-2)
        ?.replace(/:1:\d+(?= before)/, ''),
      `fabric-ops-agent: error: process.exit(${status}) was called at file://${folder}/exits.js before the command finished`,
    );
  });
}

test('process.exit in a plugin that config check loads is an error', async (t) => {
  const cwd = projectFolder(t, {
    files: { 'exits.js': 'process.exit();' },
    settings: { plugins: [{ plugin: './exits.js' }] },
  });
  const { status, stdout, stderr } = await runProgram(t, ['config', 'check', '--config', 'agent.yaml'], {
    cwd,
  });
  t.deepEqual([status, stdout], [1, '']);
  t.is(
    stderr,
    `fabric-ops-agent: error: process.exit(0) was called at file://${cwd}/exits.js:1:9 before the command finished\n`,
  );
});

test('process.exitCode that a plugin sets does not change the exit status', async (t) => {
  const { child, ended } = await serveProject(t, {
    files: {
      'code.js': `process.exitCode = 3;\n${pluginSource('checker', 'code', 'return { check() {} };')}`,
    },
    settings: { plugins: [{ plugin: './code.js' }] },
  });
  child.kill('SIGTERM');
  t.is((await ended).status, 0);
});

test('process.abort in a plugin ends the agent with SIGABRT, which nothing can prevent', async (t) => {
  const { child, ended } = await serveProject(
    t,
    {
      files: {
        'aborts.js': pluginSource(
          'checker',
          'aborts',
          "process.once('SIGUSR2', () => process.abort());\nreturn { check() {} };",
        ),
      },
      settings: { plugins: [{ plugin: './aborts.js' }] },
    },
    // Without a core file.
    { under: ['sh', '-c', 'ulimit -c 0; exec "$@"', 'sh'] },
  );
  child.kill('SIGUSR2');
  t.is((await ended).signal, 'SIGABRT');
});

for (const [what, fault] of [
  ['rejections', "Promise.reject(new Error('on purpose'))"],
  ['errors of a timer', "setInterval(() => { throw new Error('on purpose'); }, 1)"],
  ['errors of timers', "setTimeout(() => { throw new Error('on purpose'); })"],
] as const) {
  test(`a thousand uncaught ${what} of a plugin are counted, and written as 20 lines and their number`, async (t) => {
    const count = fault.startsWith('setInterval') ? 1 : 1_000;
    const { url, child, ended } = await serveProject(t, {
      files: {
        'flood.js': pluginSource(
          'checker',
          'flood',
          `process.once('SIGUSR2', () => { for (let n = 0; n < ${count}; n += 1) ${fault}; });\nreturn { check() {} };`,
        ),
      },
      settings: { plugins: [{ plugin: './flood.js' }, { plugin: 'prometheus' }] },
    });
    const faults = 'fabric_ops_agent_plugin_faults_total{kind="checker",phase="uncaught",plugin="flood"}';
    child.kill('SIGUSR2');
    await until(async () => ((await metricValue(url, faults)) ?? 0) >= 1_000);
    t.is((await healthOf(url)).status, 200);
    child.kill('SIGTERM');
    const { status, stderr } = await ended;
    t.is(status, 0);
    const lines = stderr.match(/uncaught error in plugin flood: on purpose/g)?.length ?? 0;
    const suppressed = [
      ...stderr.matchAll(/(\d+) further lines 'uncaught error in plugin flood' were suppressed in 10s/g),
    ];
    // A slow machine takes more than one window.
    t.is(lines, 20 * suppressed.length);
    const sum = suppressed.reduce((before, [, text]) => before + Number(text), lines);
    t.true(sum >= 1_000, `${sum}`);
  });
}

/** Shortens the time limit for the end, and raises an error of the agent at SIGUSR2. */
const BROKEN = `const { setTimeout } = globalThis;
globalThis.setTimeout = (work, delay, ...rest) => setTimeout(work, delay === 30_000 ? 300 : delay, ...rest);
process.on('SIGUSR2', () => setImmediate(() => {
  const error = new Error('broken on purpose');
  error.stack = 'Error: broken on purpose\\n    at work (' + process.env.AGENT_FILE + ':1:2)';
  throw error;
}));
`;

test('after an uncaught error of the agent the process ends with status 1, also when its stop hangs', async (t) => {
  const { child, line, ended } = startProject(
    t,
    {
      files: {
        'broken.mjs': BROKEN,
        'hangs.js': pluginSource(
          'checker',
          'hangs',
          'return { check() {}, stop: () => new Promise(() => undefined) };',
        ),
      },
      settings: { plugins: [{ plugin: './hangs.js' }] },
    },
    {
      environment: {
        NODE_OPTIONS: '--import=./broken.mjs',
        AGENT_FILE: fileURLToPath(new URL('../../../../core/agent.ts', import.meta.url)),
      },
    },
  );
  await line(/serving on/);
  child.kill('SIGUSR2');
  const { status, stderr } = await ended;
  t.is(status, 1);
  t.regex(stderr, /uncaught error: broken on purpose /);
  t.regex(stderr, /fabric-ops-agent: error: shutdown took longer than 30s\n$/);
});
