import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { fromEnvironment } from '../../../../plugins/metrics/otlp/environment.js';
import { loadSettings, type PluginDeclaration } from '../../../../config/index.js';
import { BUILT_IN } from '../../../../core/built-in.js';
import { loadPlugins } from '../../../../core/host/index.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const CASES: readonly (readonly [variables: Record<string, string>, options: Record<string, unknown>])[] = [
  [{}, {}],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, { endpoint: 'http://c:4318/v1/metrics' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, { endpoint: 'http://c:4318/v1/metrics' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp?a=b' }, { endpoint: 'https://c/otlp/v1/metrics?a=b' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' }, { endpoint: 'nowhere' }],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m/take' }, { endpoint: 'http://m/take' }],
  [
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m/', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' },
    { endpoint: 'http://m/' },
  ],
  [
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: ' ', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' },
    { endpoint: 'http://c/v1/metrics' },
  ],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a%3Db, x-tenant = org1 ,' },
    { headers: { Authorization: 'Bearer a=b', 'x-tenant': 'org1' } },
  ],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=100%' }, { headers: { a: '100%' } }],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, { headers: 'secret' }],
  [{ OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'a=b', OTEL_EXPORTER_OTLP_HEADERS: 'c=d' }, { headers: { a: 'b' } }],
  [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'none' }, { compression: 'none' }],
  [{ OTEL_EXPORTER_OTLP_TIMEOUT: '2500' }, { timeout: '2500ms' }],
  [{ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, { timeout: 'soon' }],
  [{ OTEL_EXPORTER_OTLP_CERTIFICATE: 'ca.pem' }, { ca: '/srv/ca.pem' }],
  [
    { OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: '/c.pem', OTEL_EXPORTER_OTLP_METRICS_CLIENT_KEY: 'c.key' },
    { cert: '/c.pem', key: '/srv/c.key' },
  ],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_SERVICE_NAME: 'x' }, {}],
];

for (const [variables, options] of CASES)
  test(`the variables ${JSON.stringify(variables)} set the options ${JSON.stringify(options)}`, (t) => {
    const found = Object.entries(fromEnvironment(variables, '/srv'));
    t.deepEqual(Object.fromEntries(found.map(([name, { value }]) => [name, value])), options);
  });

async function listed(
  t: ExecutionContext,
  text: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly cwd: string; readonly plugins: readonly PluginDeclaration[] }> {
  const cwd = temporaryFolder(t, { 'sub/agent.yaml': text });
  const { settings } = loadSettings({ files: ['sub/agent.yaml'], flags: [], environment, cwd });
  const loaded = await loadPlugins(settings, BUILT_IN);
  return { cwd, plugins: loaded.flatMap(({ declaration }) => (declaration.fallback ? [] : [declaration])) };
}

test('an option of the declaration overrides its variable, and the origin of another one is its variable', async (t) => {
  const { plugins } = await listed(t, 'plugins: [{ plugin: otlp, options: { Endpoint: http://file } }]', {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://variable',
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '1',
  });
  t.deepEqual(plugins[0]?.options, { Endpoint: 'http://file', timeout: '1ms' });
  t.deepEqual(plugins[0]?.optionOrigins, { timeout: 'environment OTEL_EXPORTER_OTLP_METRICS_TIMEOUT' });
});

test('loading settings reads the variables of the process for each instance, and relative paths from the working directory', async (t) => {
  const list = '[{ plugin: otlp }, { plugin: otlp, name: second, options: { endpoint: http://b } }]';
  const { cwd, plugins } = await listed(t, `plugins: ${list}`, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a',
    OTEL_EXPORTER_OTLP_CERTIFICATE: 'ca.pem',
  });
  const ca = join(cwd, 'ca.pem');
  t.deepEqual(
    plugins.map(({ options }) => options),
    [
      { endpoint: 'http://a/v1/metrics', ca },
      { endpoint: 'http://b', ca },
    ],
  );
});

test('the variables set nothing of other plugins', async (t) => {
  const { plugins } = await listed(t, 'plugins: [{ plugin: docker }]', {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c',
  });
  t.deepEqual(plugins[0]?.options, {});
  t.is(plugins[0]?.optionOrigins, undefined);
});
