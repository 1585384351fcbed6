import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import type { MetricReader, PullSink } from '../../../../core/contract/index.js';
import { createAgent, defineSettings, SettingsError } from '../../../../core/index.js';
import { createTestContext } from '../../../../core/testing/index.js';
import prometheus from '../../../../plugins/metrics/prometheus/index.js';
import { startAgent } from '../../../helpers/agent.js';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const PROMETHEUS_ACCEPT =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const PROTOBUF_ACCEPT =
  'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited';

interface Response {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Sends a request with exactly these headers. */
function get(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Response> {
  return new Promise((resolve, reject) => {
    request(url, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const startWithSink = async (t: ExecutionContext): Promise<string> =>
  (await startAgent(t, { 'metrics.provider': 'prometheus' })).url;

const ACCEPTS: readonly (readonly [string | undefined, string])[] = [
  [undefined, TEXT],
  ['', TEXT],
  ['*/*', TEXT],
  ['text/plain', TEXT],
  ['text/plain;version=0.0.4', TEXT],
  ['text/*', TEXT],
  ['application/openmetrics-text', OPEN_METRICS],
  ['application/openmetrics-text;version=1.0.0', OPEN_METRICS],
  ['application/openmetrics-text; version=1.0.0; charset=utf-8', OPEN_METRICS],
  ['application/openmetrics-text;version=0.0.1', TEXT],
  ['text/plain; version=0.0.4; charset=utf-8', TEXT],
  ['application/openmetrics-text;q=0.2,text/plain;q=0.8', TEXT],
  ['application/openmetrics-text;q=0', TEXT],
  [PROMETHEUS_ACCEPT, OPEN_METRICS],
  [PROTOBUF_ACCEPT, TEXT],
  [`${PROTOBUF_ACCEPT};q=0.9,application/openmetrics-text;version=1.0.0;q=0.5`, OPEN_METRICS],
  ['application/json', TEXT],
  ['text/html,application/xhtml+xml,*/*;q=0.8', TEXT],
  ['text/plain;q=0', TEXT],
  [';;;,garbage', TEXT],
];
for (const [accept, contentType] of ACCEPTS) {
  test(`Accept: ${accept ?? '(none)'} gets ${contentType.slice(0, contentType.indexOf(';'))}`, async (t) => {
    const url = await startWithSink(t);
    const { status, headers, body } = await get(`${url}/metrics`, accept === undefined ? {} : { accept });
    t.is(status, 200);
    t.is(headers['content-type'], contentType);
    t.is(headers.vary, 'Accept, Accept-Encoding');
    t.is(body.toString('utf8').endsWith('# EOF\n'), contentType === OPEN_METRICS);
    t.is(headers['content-encoding'], undefined);
  });
}

const ENCODINGS: readonly (readonly [string | undefined, boolean])[] = [
  [undefined, false],
  ['', false],
  ['identity', false],
  ['gzip', true],
  ['GZIP', true],
  ['gzip, deflate, br, zstd', true],
  ['deflate, gzip;q=1.0, *;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip;q=0, *', false],
  ['gzip;q=0.5, identity', false],
  ['*', false],
  ['br', false],
  ['zstd', false],
  ['x-gzipped', false],
];
for (const [encoding, isCompressed] of ENCODINGS) {
  test(`Accept-Encoding: ${encoding ?? '(none)'} gets ${isCompressed ? 'a gzip' : 'an uncompressed'} response`, async (t) => {
    const url = await startWithSink(t);
    const accepted = encoding === undefined ? {} : { 'accept-encoding': encoding };
    const { headers, body } = await get(`${url}/metrics`, accepted);
    t.is(headers['content-encoding'], isCompressed ? 'gzip' : undefined);
    t.is(headers['content-length'], String(body.length));
    const text = (isCompressed ? gunzipSync(body) : body).toString('utf8');
    t.regex(text, /^# HELP fabric_ops_agent_version .*\n# TYPE fabric_ops_agent_version gauge\n/m);
  });
}

test('HEAD gets the headers of GET and no body', async (t) => {
  const url = await startWithSink(t);
  const { status, headers, body } = await get(`${url}/metrics`, {}, 'HEAD');
  t.is(status, 200);
  t.is(headers['content-type'], TEXT);
  t.true(Number(headers['content-length']) > 1000);
  t.is(body.length, 0);
});

test('without a prometheus sink /metrics is 404', async (t) => {
  const { url } = await startAgent(t);
  t.is((await get(`${url}/metrics`, {})).status, 404);
});

test('the option path moves the resource', async (t) => {
  const { url } = await startAgent(t, {
    plugins: [{ plugin: 'prometheus', options: { path: '/internal/stats' } }],
  });
  t.is((await get(`${url}/internal/stats`, {})).status, 200);
  t.is((await get(`${url}/metrics`, {})).status, 404);
});

test('two sinks with two names and two paths are both served', async (t) => {
  const { url } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    plugins: [{ plugin: 'prometheus', name: 'second', options: { path: '/more' } }],
  });
  t.is((await get(`${url}/metrics`, {})).status, 200);
  t.is((await get(`${url}/more`, {})).status, 200);
});

/** The problems that the agent reports for plugin declarations. */
async function problemsOf(t: ExecutionContext, plugins: unknown): Promise<readonly string[]> {
  const error = await t.throwsAsync(
    async () => createAgent(defineSettings({ 'metrics.provider': 'prometheus', plugins }, process.cwd())),
    { instanceOf: SettingsError },
  );
  return error.problems;
}

test('two sinks on one path are a settings error', async (t) => {
  t.deepEqual(await problemsOf(t, [{ plugin: 'prometheus', name: 'second' }]), [
    'settings: plugins[0]: plugin second: the path /metrics is already in use; set another path',
  ]);
});

test('a sink on a path of the service itself is a settings error', async (t) => {
  t.deepEqual(
    await problemsOf(t, [{ plugin: 'prometheus', name: 'second', options: { path: '/healthz' } }]),
    ['settings: plugins[0]: plugin second: the path /healthz is already in use; set another path'],
  );
});

for (const path of [
  '',
  '/',
  'metrics',
  '/a b',
  '/é',
  '/a?b',
  '//x/%41',
  '/./x',
  '/a/../metrics',
  '/metrics/..',
]) {
  test(`the path '${path}' is a settings error`, async (t) => {
    const [problem = '', ...others] = await problemsOf(t, [
      { plugin: 'prometheus', name: 'second', options: { path } },
    ]);
    t.deepEqual(others, []);
    t.is(
      problem,
      `settings: plugins[0]: plugin second: options.path: must be a path such as /metrics: value was ${JSON.stringify(path)}`,
    );
  });
}

for (const [seconds, timeout] of [
  ['10', 9000],
  ['0.5', 450],
  ['0', undefined],
  ['-1', undefined],
  ['soon', undefined],
  [undefined, undefined],
] as const)
  test(`with the time limit ${seconds ?? '(none)'} of Prometheus a scrape waits ${timeout === undefined ? 'as long as by default' : `${timeout} ms`} for nodes`, async (t) => {
    const timeouts: (number | undefined)[] = [];
    const { context } = createTestContext(prometheus, { path: '/metrics' });
    const reader: MetricReader = {
      families(wait) {
        timeouts.push(wait);
        return context.reader.families();
      },
    };
    const sink = prometheus.create({ ...context, reader }) as PullSink;
    const headers = new Map(
      seconds === undefined ? [] : [['x-prometheus-scrape-timeout-seconds', seconds] as const],
    );
    await sink.route.handle({ headers });
    t.deepEqual(timeouts, [timeout]);
  });
