import { symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { defineSettings, SettingsError, type PluginDeclaration } from '../../../config/index.js';
import { loadPlugins } from '../../../core/host/index.js';
import { BUILT_IN } from '../../../core/built-in.js';
import { LEVELS } from '../../../core/contract/index.js';
import { HttpClient } from '../../../core/kit/index.js';
import { declaration } from '../../helpers/agent.js';
import { temporaryFolder } from '../../helpers/folder.js';

/** Loads listed plugins, and the console, which is implied. */
const load = (...plugins: readonly PluginDeclaration[]): ReturnType<typeof loadPlugins> =>
  loadPlugins({ ...defineSettings({}, '/'), plugins }, BUILT_IN);

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

const CHECKER = `import { defineHealthChecker } from 'fabric-ops-agent/plugin';
export default defineHealthChecker({
  name: 'disk',
  options: {
    path: { format: String, doc: 'mount point' },
    every: { format: 'duration', default: '10s', doc: 'time between two checks' },
    mode: { format: ['soft', 'hard'], default: 'soft', doc: 'how to check' },
    strict: { format: Boolean, default: false, doc: 'whether to be strict' },
    free: { format: Number, default: 5, doc: 'percent' },
    marker: { format: 'path', default: '', doc: 'a file' },
    token: { format: (value) => { if (value.length < 4) throw new Error('must have 4 characters'); }, default: 'none', doc: 'a secret', sensitive: true },
  },
  check() {},
});
`;

/** A project outside the repository in which this package is installed. */
function project(t: ExecutionContext, files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder(t, {
    'node_modules/.keep': '',
    'package.json': '{"type":"module"}',
    ...files,
  });
  symlinkSync(REPOSITORY, `${folder}/node_modules/fabric-ops-agent`);
  return folder;
}

async function problemsOf(
  t: ExecutionContext,
  ...declarations: readonly PluginDeclaration[]
): Promise<readonly string[]> {
  const { problems } = await t.throwsAsync(load(...declarations), { instanceOf: SettingsError });
  return problems;
}

test('a plugin is loaded by relative path; its options are converted and defaults added', async (t) => {
  const directory = project(t, { 'checks/disk.js': CHECKER });
  const options = {
    path: '/var',
    every: '1m30s',
    MODE: 'hard',
    strict: 'yes',
    free: '7.5',
    marker: 'here',
    token: 'abcd',
  };
  const [backend, plugin] = await load(declaration({ plugin: './checks/disk.js', directory, options }));
  t.is(backend?.name, 'console');
  t.is(plugin?.name, 'disk');
  t.deepEqual(plugin?.options, {
    path: '/var',
    every: 90_000,
    mode: 'hard',
    strict: true,
    free: 7.5,
    marker: `${directory}/here`,
    token: 'abcd',
  });
});

test('a plugin is loaded by package name, from the directory of the file that declares it', async (t) => {
  const directory = project(t, {
    'node_modules/fabric-check-disk/package.json':
      '{"name":"fabric-check-disk","type":"module","exports":{"import":"./lib/disk.js"}}',
    'node_modules/fabric-check-disk/lib/disk.js': CHECKER,
  });
  const [, plugin] = await load(
    declaration({ plugin: 'fabric-check-disk', directory, options: { path: '/' } }),
  );
  t.is(plugin?.definition.kind, 'checker');
  t.is(plugin?.file, `${directory}/node_modules/fabric-check-disk/lib/disk.js`);
});

test('a CommonJS plugin is loaded', async (t) => {
  const source =
    "exports.default = { apiVersion: 1, kind: 'checker', name: 'old', options: {}, create: () => ({ check() {} }) };";
  const directory = temporaryFolder(t, {
    'old.cjs': `Object.defineProperty(exports, '__esModule', { value: true });\n${source}`,
  });
  const [, plugin] = await load(declaration({ plugin: './old.cjs', directory }));
  t.is(plugin?.name, 'old');
});

test('all invalid options are reported together, with value and allowed values; sensitive values are not shown', async (t) => {
  const directory = project(t, { 'disk.js': CHECKER });
  const options = { pat: '/', every: 10, mode: 'firm', strict: 'perhaps', free: 'much', token: 'abc' };
  const origin = 'agent.yaml:3: plugins[0]';
  const label = `${origin}: plugin disk`;
  t.deepEqual(await problemsOf(t, declaration({ plugin: './disk.js', directory, origin, options })), [
    `${label}: options.pat: unknown option; did you mean path?`,
    `${label}: options.path: is required: mount point`,
    `${label}: options.every: must have a unit: write 10s for seconds or 10ms for milliseconds: value was 10`,
    `${label}: options.mode: must be one of soft, hard: value was "firm"`,
    `${label}: options.strict: must be true or false: value was "perhaps"`,
    `${label}: options.free: must be a number: value was "much"`,
    `${label}: options.token: must have 4 characters`,
  ]);
});

test('plugins start in this order: the logging backend, sources, then the others as declared', async (t) => {
  const kinds = { disk: 'checker', first: 'source', sink: 'sink', second: 'source' };
  const directory = temporaryFolder(
    t,
    Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [
        `${name}.mjs`,
        `export default { apiVersion: 1, kind: '${kind}', name: '${name}', options: {}, create: () => ({}) };`,
      ]),
    ),
  );
  const declared = Object.keys(kinds).map((name) => declaration({ plugin: `./${name}.mjs`, directory }));
  const loaded = await load(...declared);
  t.deepEqual(
    loaded.map(({ name }) => name),
    ['console', 'first', 'second', 'disk', 'sink'],
  );
});

const API_TEST = `import { defineHealthChecker, LEVELS } from 'fabric-ops-agent/plugin';
import { HttpClient } from 'fabric-ops-agent/kit';
export default defineHealthChecker({ name: 'banner', options: {}, check() {}, forNode: () => ({ LEVELS, HttpClient }) });
`;

test('a plugin whose directory does not have the package gets the API of the running agent', async (t) => {
  const directory = temporaryFolder(t, { 'banner.mjs': API_TEST });
  const [, plugin] = await load(declaration({ plugin: './banner.mjs', directory }));
  t.is(plugin?.name, 'banner');
  t.deepEqual(plugin?.definition.forNode?.({} as never, {} as never), { LEVELS, HttpClient });
});

test('a package that a plugin imports gets the API of the running agent, too', async (t) => {
  const directory = temporaryFolder(t, {
    'node_modules/fabric-check-banner/package.json': '{"type":"module","exports":"./index.js"}',
    'node_modules/fabric-check-banner/index.js': "export { default } from 'banner-helper';\n",
    'node_modules/banner-helper/package.json': '{"type":"module","exports":"./index.js"}',
    'node_modules/banner-helper/index.js': API_TEST,
  });
  const [, plugin] = await load(declaration({ plugin: 'fabric-check-banner', directory }));
  t.is(plugin?.name, 'banner');
});

test('a plugin whose directory has the package gets the API of that package', async (t) => {
  const directory = temporaryFolder(t, {
    'node_modules/fabric-ops-agent/package.json':
      '{"name":"fabric-ops-agent","type":"module","exports":{"./plugin":"./plugin.js"}}',
    'node_modules/fabric-ops-agent/plugin.js': "export const name = 'own-copy';\n",
    'banner.mjs':
      "import { name } from 'fabric-ops-agent/plugin';\nexport default { apiVersion: 1, kind: 'checker', name, options: {}, create: () => ({ check() {} }) };\n",
  });
  const [, plugin] = await load(declaration({ plugin: './banner.mjs', directory }));
  t.is(plugin?.name, 'own-copy');
});

test('a module that imports another part of the package is reported with the directory to install it in', async (t) => {
  const directory = temporaryFolder(t, { 'disk.mjs': "import 'fabric-ops-agent/testing';\n" });
  t.deepEqual(await problemsOf(t, declaration({ plugin: './disk.mjs', directory })), [
    `test.yaml:1: plugins[0]: plugin ./disk.mjs: the module cannot be loaded: Cannot find package 'fabric-ops-agent' imported from ${directory}/disk.mjs; the agent gives a plugin only fabric-ops-agent/plugin and fabric-ops-agent/kit with /metrics and /notifier: install fabric-ops-agent in ${directory} for anything else`,
  ]);
});

test('a path without a module is reported with the resolved path', async (t) => {
  t.deepEqual(await problemsOf(t, declaration({ plugin: './nowhere.js', directory: '/srv' })), [
    'test.yaml:1: plugins[0]: plugin ./nowhere.js: module not found: /srv/nowhere.js',
  ]);
  t.deepEqual(await problemsOf(t, declaration({ plugin: './nowhere', directory: '/srv' })), [
    'test.yaml:1: plugins[0]: plugin ./nowhere: module not found: /srv/nowhere/index.js',
  ]);
});

test('an unknown name is reported with the nearest built-in plugin and the searched directory', async (t) => {
  t.deepEqual(await problemsOf(t, declaration({ plugin: 'dokcer', directory: '/srv' })), [
    "test.yaml:1: plugins[0]: plugin dokcer: module not found: 'dokcer' is neither a built-in plugin (did you mean docker?) nor a package in node_modules of /srv or a parent directory; a path must begin with ./",
  ]);
});

for (const name of ['../health/docker', 'node:fs', '__proto__', 'metrics/docker', 'data:text/javascript,1']) {
  test(`the plugin name ${name} loads nothing`, async (t) => {
    const [problem] = await problemsOf(t, declaration({ plugin: name, directory: '/srv' }));
    t.regex(problem ?? '', /module not found/);
  });
}

const definition = (members: string): string =>
  `export default { apiVersion: 1, kind: 'checker', name: 'x', options: {}, create() {}, ${members} };`;

const broken: readonly (readonly [string, string, string])[] = [
  [
    'without a default export',
    'export const x = 1;',
    'the module has no default export; export default defineHealthChecker({…}), defineMetricSink({…}), defineMetricSource({…}), defineNotifier({…}) or defineLoggingBackend({…})',
  ],
  [
    'that exports a function',
    'export default () => {};',
    'the default export is a function, not a plugin definition',
  ],
  [
    'of another API version',
    definition('apiVersion: 2'),
    'the plugin requires plugin API 2, this agent has version 1.0',
  ],
  [
    'of a later minor API version',
    definition("apiVersion: '^1.9'"),
    'the plugin requires plugin API ^1.9, this agent has version 1.0',
  ],
  [
    'without an API version',
    definition('apiVersion: undefined'),
    "apiVersion must be a range such as '^1.0': value was undefined",
  ],
  [
    'of an unknown kind',
    definition("kind: 'sauce'"),
    'unknown kind "sauce"; must be one of source, checker, sink, notifier, logging',
  ],
  [
    'with an invalid name',
    definition("name: 'A b'"),
    `invalid plugin name "A b"; allowed are letters, digits, '_' and '-', in parts joined by '.' or '/'`,
  ],
  ['without create', definition('create: 5'), 'the plugin has no create function'],
  [
    'with an option without a doc',
    definition("options: { a: { format: String, default: '' } }"),
    "option 'a' has no doc",
  ],
  [
    'with a misspelled member of an option',
    definition("options: { a: { format: String, default: '', doc: 'd', sensitve: true } }"),
    'option \'a\' has the unknown member "sensitve"; did you mean sensitive?',
  ],
  [
    'with an unknown format',
    definition("options: { a: { format: 'int', default: 1, doc: 'd' } }"),
    "option 'a' has the unknown format \"int\"; must be String, Number, Boolean, 'duration', 'host-port', 'path', 'path-list', a list of strings, or a function",
  ],
  [
    'that throws when loaded',
    "throw new Error('broken');",
    'the module cannot be loaded: broken (plugin.js:1)',
  ],
  [
    'with a syntax error',
    'export default {',
    'the module cannot be loaded: Unexpected end of input; node --check, run on its files, shows the line',
  ],
];

for (const [title, source, problem] of broken) {
  test(`a module ${title} is rejected`, async (t) => {
    const directory = temporaryFolder(t, { 'package.json': '{"type":"module"}', 'plugin.js': source });
    t.deepEqual(await problemsOf(t, declaration({ plugin: './plugin.js', directory })), [
      `test.yaml:1: plugins[0]: plugin ./plugin.js: ${problem}`,
    ]);
  });
}

test('two instances of a plugin need two names', async (t) => {
  const implied = declaration({ plugin: 'docker', origin: 'core.yaml:9: vm.endpoint' });
  t.deepEqual(await problemsOf(t, implied, declaration({ plugin: 'docker' })), [
    "test.yaml:1: plugins[0]: plugin docker: duplicate name 'docker', already used by the plugin declared in core.yaml:9: vm.endpoint; set another name for one of them",
  ]);
  const plugins = await load(implied, declaration({ plugin: 'docker', name: 'second' }));
  t.deepEqual(
    plugins.map(({ name }) => name),
    ['console', 'docker', 'second'],
  );
});

for (const name of ['a b', 'a.', '.a', 'ü', 'a\nb', '']) {
  test(`an instance cannot be named ${JSON.stringify(name)}`, async (t) => {
    t.deepEqual(await problemsOf(t, declaration({ name })), [
      `test.yaml:1: plugins[0]: plugin docker: invalid name '${name.replace('\n', '\\n')}'; allowed are letters, digits, '_' and '-', in parts joined by '.' or '/'`,
    ]);
  });
}

test('a declared logging backend replaces the console and starts first', async (t) => {
  const source = `import { defineLoggingBackend, LeveledLoggers } from 'fabric-ops-agent/plugin';
export default defineLoggingBackend({ name: 'memory', create: () => new LeveledLoggers({ write() {} }) });`;
  const directory = project(t, { 'memory.js': source });
  const plugins = await load(
    declaration({ plugin: 'docker' }),
    declaration({ plugin: './memory.js', directory }),
  );
  t.deepEqual(
    plugins.map(({ name }) => name),
    ['memory', 'docker'],
  );
});

test('a declared console replaces the default one', async (t) => {
  const plugins = await load(declaration({ plugin: 'console', options: { format: 'json' } }));
  t.deepEqual(
    plugins.map(({ options }) => options),
    [{ format: 'json', output: 'stderr' }],
  );
});

test('two logging backends are rejected', async (t) => {
  const [problem] = await problemsOf(
    t,
    declaration({ plugin: 'console', origin: 'a' }),
    declaration({ plugin: 'console', name: 'second', origin: 'b' }),
  );
  t.is(
    problem,
    "plugins: exactly one logging backend must be declared: found 'console' in a and 'second' in b",
  );
});

test('the problems of all plugins are reported together', async (t) => {
  const problems = await problemsOf(
    t,
    declaration({ plugin: './a.js' }),
    declaration({ plugin: 'docker', options: { endpoint: 'x' } }),
    declaration({ plugin: './b.js' }),
  );
  t.is(problems.length, 3);
});

const ODD_MODULES: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a getter that throws': [
    "export default { get apiVersion() { throw new Error('trap'); } };",
    /plugin \.\/odd\.js: the default export cannot be read: trap$/,
  ],
  'a proxy that throws': [
    "export default new Proxy({}, { get() { throw new Error('trap'); } });",
    /plugin \.\/odd\.js: the default export cannot be read: trap$/,
  ],
  'a version that JSON cannot represent': [
    'export default { apiVersion: 1n };',
    /apiVersion must be a range such as '\^1\.0': value was 1$/,
  ],
  'an option with a colon in its name': [
    "export default { apiVersion: 1, kind: 'checker', name: 'odd', create() {}, options: { 'a: b': { format: String, default: '', doc: 'd' } } };",
    /invalid option name 'a: b'; it must be letters, digits, '_' and '-', beginning with a letter$/,
  ],
  'an option with a name that convict reserves': [
    "export default { apiVersion: 1, kind: 'checker', name: 'odd', create() {}, options: { ['__proto__']: { format: String, default: '', doc: 'd' } } };",
    /invalid option name '__proto__'; it must be letters, digits, '_' and '-', beginning with a letter$/,
  ],
  'a default that its format rejects': [
    "export default { apiVersion: 1, kind: 'checker', name: 'odd', create() {}, options: { every: { format: 'duration', default: 'often', doc: 'd' } } };",
    /^test\.yaml:1: plugins\[0\]: plugin odd: options\.every: must be a duration such as .*: value was "often"$/,
  ],
  'a format that throws a string': [
    "export default { apiVersion: 1, kind: 'checker', name: 'odd', create() {}, options: { a: { format() { throw 'must be nice'; }, default: 1, doc: 'd' } } };",
    /plugin odd: options\.a: must be nice: value was 1$/,
  ],
};

for (const [what, [source, problem]] of Object.entries(ODD_MODULES)) {
  test(`a module with ${what} is reported as one problem`, async (t) => {
    const directory = project(t, { 'odd.js': source });
    const error = await t.throwsAsync(load(declaration({ plugin: './odd.js', directory })), {
      instanceOf: SettingsError,
    });
    t.is(error.problems.length, 1);
    t.regex(error.problems[0] ?? '', problem);
  });
}
