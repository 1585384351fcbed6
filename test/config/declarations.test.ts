import test, { type ExecutionContext } from 'ava';
import {
  defineSettings,
  loadSettings,
  SettingsError,
  type PluginDeclaration,
  type Settings,
} from '../../config/index.js';
import { declaredBy } from '../helpers/declared.js';
import { temporaryFolder } from '../helpers/folder.js';

/** Loads the settings in a file. */
function settingsIn(t: ExecutionContext, text: string): Settings {
  const cwd = temporaryFolder(t, { 'conf/a.yaml': text });
  return loadSettings({ files: ['conf/a.yaml'], flags: [], environment: {}, cwd }).settings;
}

const declared = async (t: ExecutionContext, text: string): Promise<readonly PluginDeclaration[]> =>
  declaredBy(settingsIn(t, text));

/** A declaration without its origin. */
const withoutOrigin = ({ plugin, options }: PluginDeclaration): unknown => ({
  plugin,
  options: { ...options },
});

test('without settings only the console is declared, as the fallback backend', async (t) => {
  const [console, ...others] = await declared(t, '');
  t.deepEqual(others, []);
  t.like(console, {
    plugin: 'console',
    name: undefined,
    onStartError: 'fail',
    options: { format: '' },
    origin: 'default: logging.format',
    fallback: true,
  });
});

test("in a peer's file vm.endpoint implies docker, and metrics.provider a sink", async (t) => {
  const text = 'peer: {}\nvm:\n  endpoint: unix:///x.sock\nmetrics:\n  provider: prometheus\n';
  const [, docker, sink, ...others] = await declared(t, text);
  t.deepEqual(others, []);
  t.like(docker, {
    plugin: 'docker',
    options: { endpoint: 'unix:///x.sock' },
    origin: 'conf/a.yaml:3: vm.endpoint',
    onStartError: 'fail',
    fallback: false,
  });
  t.like(sink, { plugin: 'prometheus', options: {}, origin: 'conf/a.yaml:5: metrics.provider' });
});

test('an empty endpoint and a disabled provider imply no plugin', async (t) => {
  for (const endpoint of ['', "''"])
    t.is(
      (await declared(t, `peer: {}\nvm: {endpoint: ${endpoint}}\nmetrics: {provider: disabled}\n`)).length,
      1,
    );
});

test('docker gets its TLS files, as absolute paths, only when TLS is enabled', async (t) => {
  const files = 'ca: {file: ca.crt}, cert: {file: /tls.crt}, key: {file: tls.key}';
  const docker = async (enabled: boolean): Promise<PluginDeclaration | undefined> =>
    (await declared(t, `vm: {endpoint: "tcp://h:1", docker: {tls: {enabled: ${enabled}, ${files}}}}\n`))[1];
  const secure = await docker(true);
  const directory = secure?.directory ?? '';
  t.deepEqual(
    { ...secure?.options },
    {
      endpoint: 'tcp://h:1',
      ca: `${directory}/ca.crt`,
      cert: '/tls.crt',
      key: `${directory}/tls.key`,
    },
  );
  t.deepEqual({ ...(await docker(false))?.options }, { endpoint: 'tcp://h:1' });
});

test('docker with TLS enabled and no files gets an https endpoint', async (t) => {
  const endpoint = async (text: string): Promise<unknown> =>
    (await declared(t, `vm: {endpoint: "${text}", docker: {tls: {enabled: true}}}\n`))[1]?.options.endpoint;
  t.is(await endpoint('tcp://h:1'), 'https://h:1');
  t.is(await endpoint('http://h'), 'https://h');
  t.is(await endpoint('unix:///x.sock'), 'unix:///x.sock');
});

test('an implied option has the origin of its setting', async (t) => {
  const cwd = temporaryFolder(t, { 'a.yaml': 'metrics:\n  provider: statsd\n  statsd:\n    address: h:1\n' });
  const environment = { CORE_METRICS_STATSD_PREFIX: 'p' };
  const { settings } = loadSettings({ files: ['a.yaml'], flags: [], environment, cwd });
  t.like((await declaredBy(settings))[1], {
    origin: 'a.yaml:2: metrics.provider',
    optionOrigins: {
      address: 'a.yaml:4: metrics.statsd.address',
      prefix: 'environment CORE_METRICS_STATSD_PREFIX: metrics.statsd.prefix',
      network: 'default: metrics.statsd.network',
    },
  });
});

test("an orderer's file implies statsd with its options as written", async (t) => {
  const text =
    'General: {}\nMetrics:\n  Provider: statsd\n  Statsd: {Network: tcp, Address: "h:1", WriteInterval: 30s, Prefix: p}\n';
  const [, sink] = await declared(t, text);
  t.deepEqual(sink === undefined ? undefined : withoutOrigin(sink), {
    plugin: 'statsd',
    options: { network: 'tcp', address: 'h:1', writeInterval: '30s', prefix: 'p' },
  });
});

test('statsd with only an address gets the defaults of the other settings', async (t) => {
  const [, sink] = await declared(t, 'metrics: {provider: statsd, statsd: {address: "127.0.0.1:8125"}}\n');
  t.deepEqual(sink === undefined ? undefined : withoutOrigin(sink), {
    plugin: 'statsd',
    options: { network: 'udp', address: '127.0.0.1:8125', writeInterval: '10s', prefix: '' },
  });
});

for (const [file, mark, key] of [
  ['agent.yaml', '', 'plugins'],
  ['core.yaml', 'peer: {}\n', 'plugins'],
  ['orderer.yaml', 'General: {}\n', 'Plugins'],
] as const) {
  test(`the plugins listed in ${file} follow the implied ones, in order`, async (t) => {
    const [, ...listed] = await declared(
      t,
      `${mark}${key}:\n  - {plugin: ./b.js, name: second, onStartError: retry, options: {a: 1}}\n  - plugin: a\n    options:\n`,
    );
    const line = mark === '' ? 2 : 3;
    t.like(listed[0], {
      plugin: './b.js',
      name: 'second',
      onStartError: 'retry',
      options: { a: 1 },
      origin: `conf/a.yaml:${line}: plugins[0]`,
      fallback: false,
    });
    t.like(listed[1], {
      plugin: 'a',
      name: undefined,
      onStartError: 'fail',
      origin: `conf/a.yaml:${line + 1}: plugins[1]`,
    });
    t.is(listed.length, 2);
  });
}

test('plugins are resolved from the directory of the file that lists them', (t) => {
  const cwd = temporaryFolder(t, { 'a/a.yaml': 'plugins: [{plugin: ./x.js}]\n', 'b/b.yaml': '' });
  const { settings } = loadSettings({ files: ['a/a.yaml', 'b/b.yaml'], flags: [], environment: {}, cwd });
  t.is(settings.plugins.find(({ plugin }) => plugin === './x.js')?.directory, `${cwd}/a`);
});

test('the list of a later file replaces the list of an earlier file', (t) => {
  const cwd = temporaryFolder(t, {
    'a.yaml': 'plugins: [{plugin: a}]\n',
    'b.yaml': 'plugins: [{plugin: b}]\n',
  });
  const { settings } = loadSettings({ files: ['a.yaml', 'b.yaml'], flags: [], environment: {}, cwd });
  t.deepEqual(
    settings.plugins.map(({ plugin }) => plugin),
    ['b'],
  );
});

const ENTRIES: readonly (readonly [string, string])[] = [
  ['docker', 'must be a mapping such as {plugin: docker}: value was "docker"'],
  ['[docker]', 'must be a mapping such as {plugin: docker}: value was ["docker"]'],
  ['null', 'must be a mapping such as {plugin: docker}: value was null'],
  ['{}', 'plugin: is required: a built-in name, an npm package or a path beginning with ./'],
  [
    '{plugin: ""}',
    'plugin: must be a built-in name, an npm package or a path beginning with ./: value was ""',
  ],
  ['{plugin: 5}', 'plugin: must be a built-in name, an npm package or a path beginning with ./: value was 5'],
  ['{plugin: a, name: 5}', 'name: must be a string that is not empty: value was 5'],
  ['{plugin: a, name: ""}', 'name: must be a string that is not empty: value was ""'],
  ['{plugin: a, onStartError: Fail}', 'onStartError: must be one of fail, retry, ignore: value was "Fail"'],
  ['{plugin: a, options: [1]}', 'options: must be a mapping: value was [1]'],
  ['{plugin: a, options: 5}', 'options: must be a mapping: value was 5'],
  ['{plugin: a, option: {}}', 'option: unknown key; did you mean options?'],
  [
    '{plugin: a, __proto__: {}}',
    '__proto__: unknown key; expected one of name, onStartError, options, plugin',
  ],
  ['{plugin: a, isolate: true}', 'isolate: unknown key; expected one of name, onStartError, options, plugin'],
];
for (const [entry, problem] of ENTRIES) {
  test(`the entry ${entry} in the list of plugins is rejected: ${problem}`, (t) => {
    const error = t.throws(() => settingsIn(t, `plugins:\n  - ${entry}\n`), { instanceOf: SettingsError });
    t.deepEqual(error.problems, [`conf/a.yaml:2: plugins[0]: ${problem}`]);
  });
}

test('plugins that are not a list are rejected', (t) => {
  const error = t.throws(() => settingsIn(t, 'plugins: docker\n'), { instanceOf: SettingsError });
  t.deepEqual(error.problems, ['conf/a.yaml:1: plugins: must be a list: value was "docker"']);
});

test('options given by a program are kept unchanged, functions included', (t) => {
  const format = (): string => 'x';
  const { plugins } = defineSettings({ plugins: [{ plugin: './a.js', options: { format } }] }, '/');
  t.is(plugins.at(-1)?.options.format, format);
});
