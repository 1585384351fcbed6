// Plugins of each kind that fail before the agent serves: the agent does not start, or continues as `onStartError` says.

import test, { type ExecutionContext } from 'ava';
import { healthOf, metricLine } from '../../helpers/agent-endpoints.js';
import { runAgentCommand } from '../../helpers/agent-command.js';
import {
  pluginSource,
  projectFolder,
  serveProject,
  startProject,
  type PluginProject,
} from '../../helpers/plugin-program.js';

const KINDS = ['checker', 'sink', 'logging'] as const;

/** The members of a plugin other than its lifecycle, by kind. */
const MEMBERS: Readonly<Record<(typeof KINDS)[number], string>> = {
  checker: 'check() {}',
  sink: "route: { path: '/' + context.name, handle: () => ({ headers: {}, body: context.name }) }",
  logging: `spec: () => 'info', activate() {}, logger: (name) => ({ name, enabled: () => true,
    ...Object.fromEntries(['payload', 'debug', 'info', 'warn', 'error', 'dpanic', 'panic', 'fatal'].map(
      (level) => [level, (message) => console.error(level, name, message)])) })`,
};

/** Ways to fail, the reason that is reported, and whether the error has a stack. */
const WAYS = [
  ["throw new Error('no such device')", 'no such device', true],
  ["throw 'a string'", 'a string', false],
  ["return Promise.reject(new TypeError('not yet'))", 'not yet', true],
  ['throw undefined', 'no reason given', false],
] as const;

const fails = (kind: (typeof KINDS)[number], name: string, phase: string, way: string): string =>
  pluginSource(kind, name, `return { ${phase}() { ${way} }, ${MEMBERS[kind]} };`);

/** The result of a failed start. */
interface FailedStart {
  readonly status: number | null;
  readonly lines: readonly string[];
}

const projectOf = (files: Readonly<Record<string, string>>): PluginProject => ({
  files,
  settings: { plugins: Object.keys(files).map((file) => ({ plugin: `./${file}` })) },
});

/** Runs the program until it ends. */
async function failedStart(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<FailedStart> {
  const { status, stderr } = await startProject(t, projectOf(files)).ended;
  return { status, lines: stderr.trimEnd().split('\n') };
}

/** Runs the command in this process, for plugins that fail before they are started. */
async function failedLoad(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<FailedStart> {
  const cwd = projectFolder(t, projectOf(files));
  const { status, stderr } = await runAgentCommand(['start', '--config', 'agent.yaml'], { cwd });
  return { status, lines: stderr.trimEnd().split('\n') };
}

const line = (index: number, plugin: string, reason: string): string =>
  `fabric-ops-agent: error: agent.yaml:1: plugins[${index}]: plugin ${plugin}: ${reason}`;

test('all modules that throw when they are loaded are reported, with status 2', async (t) => {
  const { status, lines } = await failedLoad(t, {
    'throws.js': "throw new Error('no such device');",
    'string.js': "throw 'a string';",
    'rejects.js': "await Promise.reject(new TypeError('not yet'));",
    'nothing.cjs': 'throw undefined;',
  });
  t.is(status, 2);
  t.deepEqual(lines, [
    line(0, './throws.js', 'the module cannot be loaded: no such device (throws.js:1)'),
    line(1, './string.js', 'the module cannot be loaded: a string'),
    line(2, './rejects.js', 'the module cannot be loaded: not yet (rejects.js:1)'),
    line(3, './nothing.cjs', 'the module cannot be loaded: no reason given'),
  ]);
});

for (const kind of KINDS) {
  test(`a ${kind} plugin whose create throws is reported, with status 2`, async (t) => {
    const ways = kind === 'logging' ? WAYS.slice(0, 1) : WAYS.filter(([way]) => way.startsWith('throw'));
    const files = ways.map(
      ([way], index) => [`${index}.js`, pluginSource(kind, `own-${index}`, `${way};`)] as const,
    );
    const { status, lines } = await failedLoad(t, Object.fromEntries(files));
    t.is(status, 2);
    t.deepEqual(
      lines,
      ways.map(([, reason, hasStack], index) =>
        line(index, `own-${index}`, `create failed: ${reason}${hasStack ? ` (${index}.js:1)` : ''}`),
      ),
    );
  });
}

test('all plugins whose init throws or rejects are reported, with status 2', async (t) => {
  const { status, lines } = await failedLoad(t, {
    'log.js': fails('logging', 'log', 'init', WAYS[1][0]),
    'a.js': fails('checker', 'a', 'init', WAYS[0][0]),
    'b.js': fails('sink', 'b', 'init', WAYS[2][0]),
    'c.js': fails('checker', 'c', 'init', WAYS[3][0]),
  });
  t.is(status, 2);
  t.deepEqual(lines, [
    line(0, 'log', 'init failed: a string'),
    line(1, 'a', 'init failed: no such device (a.js:1)'),
    line(2, 'b', 'init failed: not yet (b.js:1)'),
    line(3, 'c', 'init failed: no reason given'),
  ]);
});

for (const [index, kind] of KINDS.entries()) {
  test(`with onStartError: fail, a ${kind} plugin whose start throws ends the program with status 1`, async (t) => {
    const [way, reason, hasStack] = WAYS[index] ?? WAYS[0];
    const { status, lines } = await failedStart(t, { 'own.js': fails(kind, 'own', 'start', way) });
    t.is(status, 1);
    t.is(
      lines.at(-1),
      `fabric-ops-agent: error: plugin own did not start: ${reason}${hasStack ? ' (own.js:1)' : ''}`,
    );
  });
}

test('with onStartError: ignore and retry, the agent serves although the start of plugins throws', async (t) => {
  const files = Object.fromEntries(
    (['checker', 'sink'] as const).flatMap((kind) =>
      WAYS.map(([way], index) => [`${kind}-${index}.js`, fails(kind, `${kind}-${index}`, 'start', way)]),
    ),
  );
  const plugins = Object.keys(files).flatMap((file) =>
    (['ignore', 'retry'] as const).map((onStartError) => ({
      plugin: `./${file}`,
      name: `${file.slice(0, -'.js'.length)}-${onStartError}`,
      onStartError,
    })),
  );
  const { url, child, ended } = await serveProject(t, {
    files,
    settings: { plugins: [{ plugin: 'prometheus' }, ...plugins] },
  });
  t.deepEqual(await healthOf(url), {
    status: 503,
    failed: Object.fromEntries(
      WAYS.map(([, reason], index) => [`checker-${index}-retry`, `not started: ${reason}`]),
    ),
  });
  for (const { name } of plugins.filter(({ plugin }) => plugin.includes('sink')))
    t.is((await fetch(`${url}/${name}`)).status, 503, name);
  const fault =
    'fabric_ops_agent_plugin_faults_total{kind="checker",phase="start",plugin="checker-0-ignore"}';
  t.is(await metricLine(url, fault), `${fault} 1`);
  child.kill('SIGTERM');
  const { status, stderr } = await ended;
  t.is(status, 0);
  for (const [index, [, reason, hasStack]] of WAYS.entries())
    for (const kind of ['checker', 'sink'])
      for (const [policy, next] of [
        ['ignore', 'it is disabled'],
        ['retry', 'retrying'],
      ])
        t.true(
          stderr.includes(
            `plugin ${kind}-${index}-${policy} did not start, ${next}: ${reason}${hasStack ? ` (${kind}-${index}.js:1)` : ''}\n`,
          ),
          `${kind}-${index}-${policy}`,
        );
});

for (const onStartError of ['ignore', 'retry']) {
  test(`with onStartError: ${onStartError}, a logging backend whose start throws is used, and the reason is logged`, async (t) => {
    const program = await serveProject(t, {
      files: { 'own.js': fails('logging', 'own', 'start', WAYS[0][0]) },
      settings: { plugins: [{ plugin: './own.js', onStartError }] },
    });
    await program.line(/^warn operations logging backend own did not start: no such device \(own\.js:1\)$/m);
    program.child.kill('SIGTERM');
    t.is((await program.ended).status, 0);
  });
}

test('an uncaught error while the plugins are loaded is reported with its location, with status 1', async (t) => {
  for (const stray of [
    "setTimeout(() => { throw new Error('stray'); }, 1);",
    "void Promise.reject(new Error('stray'));",
  ]) {
    const { status, lines } = await failedStart(t, {
      'stray.js': `${stray}\nawait new Promise((resolve) => setTimeout(resolve, 60_000));\nexport default {};`,
    });
    t.is(status, 1);
    t.is(lines.length, 1, lines.join('\n'));
    t.regex(
      lines[0] ?? '',
      /^fabric-ops-agent: error: uncaught error while loading the plugins: stray, at file:\/\/\S+\/stray\.js:1:\d+$/,
    );
  }
});
