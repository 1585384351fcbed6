// Replays the exchanges recorded with peers and orderers.

import { scheduler } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { shareAgents, startAgent } from '../../helpers/agent.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { exchangeRaw, parseResponses } from '../../helpers/raw-http.js';
import { SHORT_BODY_LIMITS } from '../../helpers/server.js';
import { startNodesServer } from '../../helpers/stand-in-node.js';
import {
  DIFFERENCES,
  EXCHANGES,
  isReplayable,
  LATE_BODY,
  SPEC_BEFORE,
  type Difference,
  type Exchange,
  type Expected,
} from './observed.js';

const HEADERS = ['Content-Type', 'Content-Encoding', 'Allow', 'Location', 'X-Content-Type-Options'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /"time":"[^"]+"/;
const OUR_TIME = /"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/;

/** The request as its client sent it. */
function bytesOf({ request }: Exchange): Buffer {
  const { method, path, headers = {}, body, raw, httpVersion = '1.1' } = request;
  if (raw !== undefined) return Buffer.from(raw, 'latin1');
  const has = (name: string): boolean => Object.keys(headers).some((key) => key.toLowerCase() === name);
  // One recorded body is not UTF-8.
  const bytes = Buffer.from(body ?? '', body?.includes('ÿþ') === true ? 'latin1' : 'utf8');
  const isFramed = body === undefined || has('transfer-encoding') || has('content-length');
  const lines = [
    `${method} ${path} HTTP/${httpVersion}`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(has('connection') ? [] : ['Connection: close']),
    ...(isFramed ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

const differenceOf = (exchange: Exchange): Difference | undefined =>
  DIFFERENCES.find(({ applies }) => applies(exchange));

/** The response of the node with the intended differences. */
function expectedOf(exchange: Exchange): Expected {
  const { response, logspecAfter } = exchange;
  const difference = differenceOf(exchange)?.expected(exchange) ?? {};
  const recorded = Object.fromEntries(HEADERS.map((name) => [name, response.headers[name]]));
  const spec = logspecAfter === undefined ? undefined : (JSON.parse(logspecAfter) as { spec: string }).spec;
  return {
    status: response.status,
    body: response.body,
    spec,
    ...difference,
    headers: { ...recorded, ...difference.headers },
  };
}

/** The active specification before an exchange. */
function specBefore(index: number): string {
  if (EXCHANGES[index]?.logspecAfter !== undefined) return SPEC_BEFORE;
  const { service, version } = EXCHANGES[index] ?? {};
  const last = EXCHANGES.slice(0, index).findLast(
    (earlier) =>
      earlier.service === service &&
      earlier.version === version &&
      earlier.request.method === 'PUT' &&
      earlier.response.status === 204,
  );
  return last === undefined
    ? 'info'
    : ((JSON.parse(last.request.body ?? '{}') as { spec?: string }).spec ?? '');
}

interface FailedCheck {
  readonly component: string;
  readonly reason: string;
}

/** Sends the request of an exchange, and compares the response with the expected one. */
async function compare(
  t: ExecutionContext,
  exchange: Exchange,
  port: number,
  spec: () => Promise<string>,
): Promise<void> {
  const { request } = exchange;
  const raw = await exchangeRaw(port, bytesOf(exchange));
  t.true(raw.closed);
  const actual = parseResponses(raw.bytes, [request.method]).find(({ status }) => status >= 200);
  if (actual === undefined) return t.fail('no response');

  const expected = expectedOf(exchange);
  t.is(actual.status, expected.status);
  if (expected.spec !== undefined) t.is(await spec(), expected.spec);
  if (differenceOf(exchange)?.isFromNode === true) return;
  for (const [name, value] of Object.entries(expected.headers)) {
    const found = actual.headers.get(name.toLowerCase());
    if (value instanceof RegExp) t.regex(found ?? '', value, name);
    else t.is(found, value, name);
  }
  if (expected.body instanceof RegExp) t.regex(actual.body, expected.body);
  else if (TIME.test(expected.body)) {
    t.regex(actual.body, OUR_TIME);
    const { time: ours, ...rest } = JSON.parse(actual.body) as {
      time: string;
      failed_checks?: FailedCheck[];
    };
    const { time, ...theirs } = JSON.parse(expected.body) as typeof rest & { time: string };
    // A node sends failed checks in random order.
    theirs.failed_checks?.sort((a, b) => (a.component < b.component ? -1 : 1));
    t.deepEqual(rest, theirs);
    t.true(ours.endsWith('Z') && time !== '');
  } else t.is(actual.body, expected.body);

  const given = Object.entries(request.headers ?? {}).find(([name]) => name.toLowerCase() === 'x-request-id');
  if (given === undefined) t.regex(actual.headers.get('x-request-id') ?? '', UUID);
  else t.is(actual.headers.get('x-request-id'), given[1].trim());
  t.is(actual.headers.get('server'), undefined);
  t.is(actual.headers.get('transfer-encoding'), undefined);
  t.is(actual.headers.has('content-length'), actual.status !== 204);
}

/** The exchange with a body that does not arrive: on a server with short limits and the routes of the agent. */
async function replayLateBody(t: ExecutionContext, exchange: Exchange): Promise<void> {
  const { port, ownSpec } = await startNodesServer(t, [], undefined, {
    hosts: ['x'],
    limits: SHORT_BODY_LIMITS,
  });
  await compare(t, exchange, port, async () => ownSpec());
}

const sharedAgent = shareAgents();

for (const [index, exchange] of EXCHANGES.entries()) {
  if (!isReplayable(exchange)) continue;
  const { service, version, note, request, response } = exchange;
  const shown = (request.raw ?? `${request.method} ${request.path} ${request.body ?? ''}`).slice(0, 80);
  test(`${index}: ${JSON.stringify(shown)}${note === undefined ? '' : ` (${note})`} has the response of ${service} ${version}`, async (t) => {
    if (note === LATE_BODY) return replayLateBody(t, exchange);
    const values = {
      // Nodes have no page.
      'operations.page': false,
      // Of some recorded requests.
      'operations.hosts': ['x', 'example.com'],
      'logging.spec': specBefore(index),
      'metrics.provider': exchange.metricsProvider ?? 'disabled',
      'health.timeout': '100ms',
      plugins: QUIET,
    };
    const isReading = ['GET', 'HEAD'].includes(request.method) && ![408, 503].includes(response.status);
    const { agent, port } = await (isReading ? sharedAgent(values) : startAgent(t, values));
    if (request.path === '/healthz' && response.status === 408)
      agent.health.register('docker', (signal) => scheduler.wait(60_000, { signal }));
    const recorded = response.status === 503 ? response.body : '{"failed_checks":[]}';
    for (const { component, reason } of (JSON.parse(recorded) as { failed_checks: FailedCheck[] })
      .failed_checks)
      agent.health.register(component, () => Promise.reject(new Error(reason)));

    return compare(t, exchange, port, () => agent.logging.spec());
  });
}

test('all but nineteen exchanges are replayed', (t) => {
  t.is(EXCHANGES.length, 305);
  t.is(EXCHANGES.filter((exchange) => !isReplayable(exchange)).length, 19);
});

for (const { reason, applies } of DIFFERENCES) {
  test(`the difference "${reason}" applies to an exchange`, (t) => {
    t.true(EXCHANGES.some((exchange) => isReplayable(exchange) && applies(exchange)));
  });
}
