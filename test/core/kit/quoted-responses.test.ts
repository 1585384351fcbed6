// Servers that repeat the request in their error pages: messages do not have the secrets of the request.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { HealthChecker, MetricSource, PushSink } from '../../../core/contract/index.js';
import { createTestContext, recordDelivery } from '../../../core/testing/index.js';
import http from '../../../plugins/health/http/index.js';
import otlp from '../../../plugins/metrics/otlp/index.js';
import webhook from '../../../plugins/notifier/webhook/index.js';
import httpSource from '../../../plugins/source/http/index.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { httpOptions } from '../../helpers/network-checkers.js';
import { webhookOptions } from '../../helpers/notifier-options.js';
import { otlpOptions } from '../../helpers/otlp-receiver.js';
import { batchOf, sample } from '../../helpers/statsd-sink.js';

/** The page of a server that has the request in it. */
type Page = (request: {
  readonly url: string;
  readonly authorization: string;
  readonly body: string;
}) => string;

/** Starts a server that responds with a page. */
async function startServer(t: ExecutionContext, status: number, page: Page): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      response.statusCode = status;
      response.end(
        page({ url, authorization: headers.authorization ?? '', body: Buffer.concat(chunks).toString() }),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const EVENT = {
  id: 'a',
  state: 'failed',
  severity: 'critical',
  component: 'a',
  reason: 'broken',
  since: 0,
  fields: {},
} as const;
const never = new AbortController().signal;

test('a webhook', async (t) => {
  const origin = await startServer(t, 404, ({ url, authorization }) => `no ${url} for ${authorization}`);
  const authorizationFile = join(temporaryFolder(t, { key: 'Bearer s3cr3t' }), 'key');
  const options = webhookOptions({
    url: `${origin}/services/T0/s3cr3t-path?k=s3cr3t-query`,
    authorizationFile,
  });
  const notifier = webhook.create(createTestContext(webhook, options).context);
  t.teardown(() => notifier.stop?.());
  await t.throwsAsync(
    async () =>
      notifier.notify({ cause: 'change', agent: 'host1', events: [EVENT] }, never, recordDelivery().report),
    { message: `POST ${origin}: HTTP status 404: no …?… for …` },
  );
});

test('PagerDuty and its routing key', async (t) => {
  const origin = await startServer(
    t,
    400,
    ({ body }) => `invalid key ${(JSON.parse(body) as { routing_key: string }).routing_key}`,
  );
  const routingKeyFile = join(temporaryFolder(t, { key: 'R0UT1NG' }), 'key');
  const options = webhookOptions({ url: `${origin}/`, preset: 'pagerduty', routingKeyFile });
  const notifier = webhook.create(createTestContext(webhook, options).context);
  t.teardown(() => notifier.stop?.());
  const { report, outcomes } = recordDelivery();
  await notifier.notify({ cause: 'change', agent: 'host1', events: [EVENT] }, never, report);
  t.is((outcomes[0]!.error as Error).message, `POST ${origin}: HTTP status 400: invalid key …`);
});

test('the checker http', async (t) => {
  const origin = await startServer(t, 500, ({ url }) => `<p>${encodeURIComponent(url)}</p>`);
  const options = httpOptions(`${origin}/live?token=s3cr3t`);
  const checker: HealthChecker = http.create(createTestContext(http, options).context);
  t.teardown(() => checker.stop?.());
  await checker.start?.(never);
  await t.throwsAsync(async () => checker.check(never), {
    message: `GET ${origin}/live?…: HTTP status 500: <p>…%3F…</p>`,
  });
});

test('the sink otlp', async (t) => {
  const origin = await startServer(t, 401, ({ url, authorization }) =>
    JSON.stringify({ message: `${authorization} at ${url}` }),
  );
  const options = otlpOptions({
    endpoint: `${origin}/v1/metrics?token=s3cr3t`,
    headers: { Authorization: 'Bearer s3cr3t-token' },
  });
  const sink = otlp.create(createTestContext(otlp, options).context) as PushSink;
  t.teardown(() => sink.stop?.());
  await sink.start?.(never);
  await t.throwsAsync(sink.push.flush(batchOf({ counters: [sample('calls', 1)] }), never), {
    message: `POST ${origin}/v1/metrics?token=********: HTTP status 401: … at …?…`,
  });
});

for (const [what, status, page, reason] of [
  ['a refusal', 404, ({ url }) => `no ${url}`, 'HTTP status 404: no …?…'],
  ['a page that is not metrics', 200, ({ url }) => `# TYPE a ${url}\n`, "line 1: unknown type '…?…' of a"],
] as const satisfies readonly (readonly [string, number, Page, string])[])
  test(`the source http, with ${what}`, async (t) => {
    const origin = await startServer(t, status, page);
    const source: MetricSource = httpSource.create(
      createTestContext(httpSource, {
        url: `${origin}/metrics?token=s3cr3t`,
        authorizationFile: '',
        ca: '',
        cert: '',
        key: '',
        serverName: '',
      }).context,
    );
    t.teardown(() => source.stop?.());
    await source.start?.(never);
    await t.throwsAsync(async () => source.read(never), { message: `GET ${origin}/metrics?…: ${reason}` });
  });
