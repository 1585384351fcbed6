// Plugins of each kind that throw before the agent serves: it refuses to start, or goes on as their policy says.

import test, { type ExecutionContext } from 'ava';
import { healthOf, metricLine } from '../helpers/agent-answers.js';
import { runAgentCommand } from '../helpers/agent-command.js';
import {
  pluginSource,
  projectFolder,
  serveProject,
  startProject,
  type PluginProject,
} from '../helpers/plugin-program.js';

const KINDS = ['health', 'metrics', 'logging'] as const;

/** What a plugin has besides its life, by kind. */
const MEMBERS: Readonly<Record<(typeof KINDS)[number], string>> = {
  health: 'check() {}',
  metrics: "route: { path: '/' + context.name, handle: () => ({ headers: {}, body: context.name }) }",
  logging: `spec: () => 'info', activate() {}, logger: (name) => ({ name, enabled: () => true,
    ...Object.fromEntries(['payload', 'debug', 'info', 'warn', 'error', 'dpanic', 'panic', 'fatal'].map(
      (level) => [level, (message) => console.error(level, name, message)])) })`,
};

/** Ways to fail, and the reason that is shown. */
const WAYS = [
  ["throw new Error('no such device')", 'no such device'],
  ["throw 'only words'", 'only words'],
  ["return Promise.reject(new TypeError('not yet'))", 'not yet'],
  ['throw undefined', 'no reason given'],
] as const;

const fails = (kind: (typeof KINDS)[number], name: string, phase: string, way: string): string =>
  pluginSource(kind, name, `return { ${phase}() { ${way} }, ${MEMBERS[kind]} };`);

/** How a start ended that was refused. */
interface Refusal {
  readonly status: number | null;
  readonly lines: readonly string[];
}

const projectOf = (files: Readonly<Record<string, string>>): PluginProject => ({
  files,
  settings: { plugins: Object.keys(files).map((file) => ({ plugin: `./${file}` })) },
});

/** What the program says that does not start. */
async function refusal(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<Refusal> {
  const { status, stderr } = await startProject(t, projectOf(files)).ended;
  return { status, lines: stderr.trimEnd().split('\n') };
}

/** The same of plugins that do not get as far as to be started: within the test. */
async function earlyRefusal(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<Refusal> {
  const cwd = projectFolder(t, projectOf(files));
  const { status, stderr } = await runAgentCommand(['start', '--config', 'agent.yaml'], { cwd });
  return { status, lines: stderr.trimEnd().split('\n') };
}

const line = (index: number, plugin: string, reason: string): string =>
  `fabric-ops-agent: error: agent.yaml:1: plugins[${index}]: plugin ${plugin}: ${reason}`;

test('modules that throw when they are loaded are all named, with status 2', async (t) => {
  const { status, lines } = await earlyRefusal(t, {
    'throws.js': "throw new Error('no such device');",
    'words.js': "throw 'only words';",
    'rejects.js': "await Promise.reject(new TypeError('not yet'));",
    'nothing.cjs': 'throw undefined;',
  });
  t.is(status, 2);
  t.deepEqual(lines, [
    line(0, './throws.js', 'the module cannot be loaded: no such device'),
    line(1, './words.js', 'the module cannot be loaded: only words'),
    line(2, './rejects.js', 'the module cannot be loaded: not yet'),
    line(3, './nothing.cjs', 'the module cannot be loaded: no reason given'),
  ]);
});

for (const kind of KINDS) {
  test(`a ${kind} plugin whose create throws is named, with status 2`, async (t) => {
    const ways = kind === 'logging' ? WAYS.slice(0, 1) : WAYS.filter(([way]) => way.startsWith('throw'));
    const files = ways.map(
      ([way], index) => [`${index}.js`, pluginSource(kind, `own-${index}`, `${way};`)] as const,
    );
    const { status, lines } = await earlyRefusal(t, Object.fromEntries(files));
    t.is(status, 2);
    t.deepEqual(
      lines,
      ways.map(([, reason], index) => line(index, `own-${index}`, reason)),
    );
  });
}

test('plugins of each kind whose init throws or rejects are all named, with status 2', async (t) => {
  const { status, lines } = await earlyRefusal(t, {
    'log.js': fails('logging', 'log', 'init', WAYS[1][0]),
    'a.js': fails('health', 'a', 'init', WAYS[0][0]),
    'b.js': fails('metrics', 'b', 'init', WAYS[2][0]),
    'c.js': fails('health', 'c', 'init', WAYS[3][0]),
  });
  t.is(status, 2);
  t.deepEqual(lines, [
    line(0, 'log', 'only words'),
    line(1, 'a', 'no such device'),
    line(2, 'b', 'not yet'),
    line(3, 'c', 'no reason given'),
  ]);
});

for (const [index, kind] of KINDS.entries()) {
  test(`a ${kind} plugin whose start throws keeps the agent from serving, with status 1`, async (t) => {
    const [way, reason] = WAYS[index] ?? WAYS[0];
    const { status, lines } = await refusal(t, { 'own.js': fails(kind, 'own', 'start', way) });
    t.is(status, 1);
    t.is(lines.at(-1), `fabric-ops-agent: error: plugin own did not start: ${reason}`);
  });
}

test('under the policies ignore and retry plugins whose start throws do not keep the agent from serving', async (t) => {
  const files = Object.fromEntries(
    (['health', 'metrics'] as const).flatMap((kind) =>
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
      WAYS.map(([, reason], index) => [`health-${index}-retry`, `not started: ${reason}`]),
    ),
  });
  for (const { name } of plugins.filter(({ plugin }) => plugin.includes('metrics')))
    t.is((await fetch(`${url}/${name}`)).status, 503, name);
  const fault = 'plugin_faults_total{kind="health",phase="start",plugin="health-0-ignore"}';
  t.is(await metricLine(url, fault), `${fault} 1`);
  child.kill('SIGTERM');
  const { status, stderr } = await ended;
  t.is(status, 0);
  for (const [index, [, reason]] of WAYS.entries())
    for (const kind of ['health', 'metrics'])
      for (const [policy, next] of [
        ['ignore', 'it is left out'],
        ['retry', 'it is tried again'],
      ])
        t.true(
          stderr.includes(`plugin ${kind}-${index}-${policy} did not start, ${next}: ${reason}\n`),
          `${kind}-${index}-${policy}`,
        );
});

for (const onStartError of ['ignore', 'retry']) {
  test(`under the policy ${onStartError} a logging backend whose start throws is used as far as it goes, and says why`, async (t) => {
    const program = await serveProject(t, {
      files: { 'own.js': fails('logging', 'own', 'start', WAYS[0][0]) },
      settings: { plugins: [{ plugin: './own.js', onStartError }] },
    });
    await program.line(/^warn operations the logging backend own did not start: no such device$/m);
    program.child.kill('SIGTERM');
    t.is((await program.ended).status, 0);
  });
}

test('an uncaught error while loading the plugins: one error line with its place and exit status 1', async (t) => {
  for (const stray of [
    "setTimeout(() => { throw new Error('stray'); }, 1);",
    "void Promise.reject(new Error('stray'));",
  ]) {
    const { status, lines } = await refusal(t, {
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
