import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  defineSettings,
  loadSettings,
  PACKAGED_FILE,
  SettingsError,
  type LoadedSettings,
  type Sources,
} from '../../config/index.js';
import { declaredBy } from '../helpers/declared.js';
import { temporaryFolder } from '../helpers/folder.js';

const sources = (values: Partial<Sources>): Sources => ({
  files: [],
  flags: [],
  environment: {},
  cwd: process.cwd(),
  ...values,
});

/** Loads files given by their text, named 0.yaml, 1.yaml and so on. */
function load(t: ExecutionContext, texts: readonly string[], more: Partial<Sources> = {}): LoadedSettings {
  const names = texts.map((_, index) => `${index}.yaml`);
  const cwd = temporaryFolder(t, Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text])));
  return loadSettings(sources({ files: names, cwd, ...more }));
}

function problemsOf(t: ExecutionContext, action: () => unknown): readonly string[] {
  const error = t.throws(action, { instanceOf: SettingsError });
  return error.problems;
}

test('the precedence is: defaults, files in order, environment, flags', (t) => {
  const peer = 'peer: {}\nmetrics:\n  statsd: {prefix: file0, network: tcp}\n  maxSeries: 5\n';
  const { effective } = load(t, [peer, 'metrics: {statsd: {prefix: file1, address: "h:1"}}\n'], {
    environment: { CORE_METRICS_STATSD_ADDRESS: 'env:1', CORE_METRICS_STATSD_WRITEINTERVAL: '1m' },
    flags: ['metrics.statsd.writeInterval=2m'],
  });
  const shown = [...effective]
    .filter(([key]) => key.startsWith('metrics.'))
    .map(([key, { value, origin }]) => [key, value, origin]);
  t.deepEqual(shown, [
    ['metrics.provider', 'disabled', 'default'],
    ['metrics.statsd.network', 'tcp', '0.yaml:3'],
    ['metrics.statsd.address', 'env:1', 'environment CORE_METRICS_STATSD_ADDRESS'],
    ['metrics.statsd.writeInterval', '2m', 'flag --set metrics.statsd.writeInterval'],
    ['metrics.statsd.prefix', 'file1', '1.yaml:1'],
    ['metrics.maxSeries', 5, '0.yaml:4'],
  ]);
});

test('every setting has an effective value; durations and addresses are shown as written', (t) => {
  const { effective, settings } = load(t, [
    'health: {timeout: 1m30s}\noperations: {listenAddress: "[::1]:80"}\n',
  ]);
  t.is(effective.get('health.timeout')?.value, '1m30s');
  t.is(effective.get('health.cacheFor')?.value, '1s');
  t.is(effective.get('operations.listenAddress')?.value, '[::1]:80');
  t.is(effective.get('metrics.statsd.address')?.value, '');
  t.deepEqual(settings.health, {
    timeout: 90_000,
    cacheFor: 1000,
    channelsInterval: 2000,
    interval: 10_000,
    groups: { ready: { include: [], exclude: [] } },
  });
  t.deepEqual(settings.operations.listenAddress, { host: '::1', port: 80 });
});

test('relative paths are resolved against the directory of their file; in variables against the directory of core.yaml or the working directory', (t) => {
  const cwd = temporaryFolder(t, {
    'conf/core.yaml': 'peer: {}\noperations: {tls: {cert: {file: tls/a.pem}}}\n',
    'conf/orderer.yaml': 'General: {}\nOperations: {TLS: {Certificate: tls/a.pem}}\n',
  });
  const paths = (node: 'core' | 'orderer', variable: string) => {
    const { tls } = loadSettings(
      sources({
        cwd,
        files: [`conf/${node}.yaml`],
        environment: { [variable]: 'b.pem' },
        flags: ['operations.tls.clientRootCAs.files=c.pem,/d.pem'],
      }),
    ).settings.operations;
    return [tls.certFile, tls.keyFile, ...tls.clientRootCAFiles];
  };
  const others = [join(cwd, 'c.pem'), '/d.pem'];
  t.deepEqual(paths('core', 'CORE_OPERATIONS_TLS_KEY_FILE'), [
    join(cwd, 'conf/tls/a.pem'),
    join(cwd, 'conf/b.pem'),
    ...others,
  ]);
  t.deepEqual(paths('orderer', 'ORDERER_OPERATIONS_TLS_PRIVATEKEY'), [
    join(cwd, 'conf/tls/a.pem'),
    join(cwd, 'b.pem'),
    ...others,
  ]);
});

test('all problems are reported at once', (t) => {
  const text = [
    'peer: {}',
    'operations:',
    '  listenAddress: 9443',
    '  tls: {enabled: true, cert: {file: a}, enabeld: true, clientAuthRequired: {a: 1}}',
    'health: {timeout: 30}',
    'metrics: {provider: Prometheus}',
    'plugins:',
    '  - docker',
    '  - {plugin: docker, onStartError: never}',
  ].join('\n');
  const problems = problemsOf(t, () =>
    load(t, [text, 'a:\n\tb: 1\n'], {
      files: ['0.yaml', '1.yaml', '2.yaml'],
      environment: { CORE_METRICS_MAXSERIES: 'many' },
      flags: ['vm.endpiont=x'],
    }),
  );
  t.deepEqual(problems, [
    '1.yaml:2: Tabs are not allowed as indentation',
    '2.yaml: cannot be read: no such file',
    '0.yaml:4: operations.tls.enabeld: unknown key; did you mean enabled?',
    'flag --set: vm.endpiont: unknown key; did you mean vm.endpoint?',
    '0.yaml:3: operations.listenAddress: must be host:port, such as 127.0.0.1:9443, :9443 for all addresses, or [::1]:9443: value was 9443',
    '0.yaml:4: operations.tls.clientAuthRequired: must be a value, not a mapping',
    '0.yaml:5: health.timeout: must have a unit: write 30s for seconds or 30ms for milliseconds: value was 30',
    '0.yaml:6: metrics.provider: must be one of disabled, prometheus, statsd: value was "Prometheus"',
    'environment CORE_METRICS_MAXSERIES: metrics.maxSeries: must be a whole number of 1 or more: value was "many"',
    '0.yaml:8: plugins[0]: must be a mapping such as {plugin: docker}: value was "docker"',
    '0.yaml:9: plugins[1]: onStartError: must be one of fail, retry, ignore: value was "never"',
    '0.yaml:4: operations.tls.key.file: is required when operations.tls.enabled is true: PEM file with the private key of the server certificate',
    '0.yaml:4: operations.tls.clientRootCAs.files: is required when operations.tls.enabled is true: PEM files with the CA certificates for verifying client certificates',
  ]);
});

test('a missing TLS setting is reported with its key in orderer.yaml', (t) => {
  const text =
    'General: {}\nOperations:\n  TLS:\n    Enabled: true\n    Certificate: a\n    ClientRootCAs: [b]\n';
  t.deepEqual(
    problemsOf(t, () => load(t, [text], {})),
    [
      '0.yaml:4: operations.tls.key.file (Operations.TLS.PrivateKey in orderer.yaml): is required when operations.tls.enabled is true: PEM file with the private key of the server certificate',
    ],
  );
});

test('the message of the error has one line for each problem', (t) => {
  const error = t.throws(() => load(t, ['a: 1\nb: 2\n']), { instanceOf: SettingsError });
  t.is(error.message, error.problems.join('\n'));
  t.is(error.code, 'SETTINGS_INVALID');
  t.is(error.problems.length, 2);
});

test('settings are deeply frozen', (t) => {
  const { settings } = load(t, ['plugins:\n  - {plugin: ./a.js, options: {a: [{b: 1}]}}\n']);
  const frozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(frozen));
  t.true(frozen(settings));
});

test('without --config the first of agent.yaml, core.yaml and orderer.yaml in FABRIC_CFG_PATH is read', (t) => {
  const found = (...names: string[]): readonly string[] => {
    const cwd = temporaryFolder(t, Object.fromEntries(names.map((name) => [`conf/${name}`, ''])));
    return loadSettings(sources({ cwd, environment: { FABRIC_CFG_PATH: 'conf' } })).files;
  };
  t.deepEqual(found('orderer.yaml'), ['conf/orderer.yaml']);
  t.deepEqual(found('orderer.yaml', 'core.yaml'), ['conf/core.yaml']);
  t.deepEqual(found('orderer.yaml', 'core.yaml', 'agent.yaml'), ['conf/agent.yaml']);
  t.deepEqual(
    problemsOf(t, () => found('other.yaml')),
    ['environment FABRIC_CFG_PATH: conf contains none of agent.yaml, core.yaml and orderer.yaml'],
  );
});

test('when FABRIC_CFG_PATH has the files of both nodes, a warning names the one used and the one ignored', (t) => {
  const warnings = (...names: string[]): readonly string[] => {
    const cwd = temporaryFolder(t, Object.fromEntries(names.map((name) => [`conf/${name}`, ''])));
    return loadSettings(sources({ cwd, environment: { FABRIC_CFG_PATH: 'conf' } })).warnings;
  };
  t.deepEqual(warnings('core.yaml', 'orderer.yaml'), [
    'environment FABRIC_CFG_PATH: using conf/core.yaml, ignoring conf/orderer.yaml; name one of them with --config',
  ]);
  t.deepEqual(warnings('core.yaml'), []);
  t.deepEqual(warnings('orderer.yaml'), []);
  t.deepEqual(warnings('agent.yaml', 'core.yaml', 'orderer.yaml'), []);
});

test('without --config and with FABRIC_CFG_PATH unset or empty, the packaged file is read', (t) => {
  t.deepEqual(loadSettings(sources({})).files, [PACKAGED_FILE]);
  t.deepEqual(loadSettings(sources({ environment: { FABRIC_CFG_PATH: '' } })).files, [PACKAGED_FILE]);
});

test('with --config FABRIC_CFG_PATH is ignored', (t) => {
  const loaded = load(t, [''], { environment: { FABRIC_CFG_PATH: '/nowhere' } });
  t.deepEqual(loaded.files, ['0.yaml']);
});

for (const [name, port, plugins] of [
  ['agent', 9543, ['console', 'prometheus', 'docker', 'disk']],
  ['peer', 9443, ['console', 'docker', 'prometheus']],
  ['orderer', 8443, ['console', 'prometheus']],
] as const) {
  test(`the sample ${name}.yaml is valid`, async (t) => {
    const file = PACKAGED_FILE.replace('agent.yaml', `${name}.yaml`);
    const { settings } = loadSettings(sources({ files: [file] }));
    t.deepEqual(settings.operations.listenAddress, { host: '127.0.0.1', port });
    t.deepEqual(
      (await declaredBy(settings)).map(({ plugin }) => plugin),
      plugins,
    );
  });
}

test('defineSettings takes values by key and reports every problem', (t) => {
  const settings = defineSettings({ 'health.timeout': '1s', 'operations.tls.cert.file': 'a.pem' }, '/conf');
  t.is(settings.health.timeout, 1000);
  t.is(settings.operations.tls.certFile, '/conf/a.pem');
  t.deepEqual(
    problemsOf(t, () => defineSettings({ 'health.timeuot': '1s', 'vm.endpoint': 5 }, '/')),
    [
      'settings: health.timeuot: unknown key; did you mean health.timeout?',
      'settings: vm.endpoint: must be a string: value was 5',
    ],
  );
});

test('the provider statsd requires an address', (t) => {
  t.deepEqual(
    problemsOf(t, () => load(t, ['metrics: {provider: statsd}\n'], {})),
    [
      '0.yaml:1: metrics.statsd.address: is required when metrics.provider is statsd: host:port of the StatsD daemon, required for the provider statsd',
    ],
  );
});
