// The checker against stand-ins for a node.

import { copyFileSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { CheckWarning, FailedChecks, type HealthChecker } from '../../../../core/contract/index.js';
import { MAX_NAME_LENGTH, MAX_PARTS } from '../../../../plugins/health/node-health/outcome.js';
import { createNodeTestContext } from '../../../../core/testing/context.js';
import nodeHealth from '../../../../plugins/health/node-health/index.js';
import { TestCa } from '../../../helpers/certificates.js';
import { engineOnPort, engineOverTls } from '../../../helpers/engine.js';
import { freePort } from '../../../helpers/free-port.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { healthOptions, startHealth, type HealthOptions } from '../../../helpers/node-plugins.js';
import { until } from '../../../helpers/until.js';
import { stopTimeouts } from '../../../helpers/clock.js';

const OK = '{"status":"OK","time":"2026-11-22T07:02:51.018188425Z"}\n';

const respond =
  (status: number, body: string): RequestListener =>
  (_request, response) => {
    response.statusCode = status;
    response.end(body);
  };

const failing = (failed: unknown): RequestListener =>
  respond(503, JSON.stringify({ status: 'Service Unavailable', failed_checks: failed }));

/** The error of the check; undefined if the node is healthy. */
async function failureOf(checker: HealthChecker): Promise<Error | undefined> {
  try {
    await checker.check(new AbortController().signal);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Starts a checker and returns its first failure. */
async function failureWith(
  t: ExecutionContext,
  listener: RequestListener,
  options?: Partial<HealthOptions>,
): Promise<Error | undefined> {
  return failureOf(await startHealth(t, await engineOnPort(t, listener), options));
}

test('a node that responds OK is healthy; it is requested once for several checks', async (t) => {
  const requests: unknown[] = [];
  const address = await engineOnPort(t, (request, response) => {
    requests.push([request.method, request.url]);
    respond(200, OK)(request, response);
  });
  const checker = await startHealth(t, address, { interval: 60_000 });
  for (let count = 0; count < 3; count += 1) t.is(await failureOf(checker), undefined);
  t.deepEqual(requests, [['GET', '/healthz']]);
});

test('a node whose name was never resolved is not called down', async (t) => {
  const failure = await failureOf(await startHealth(t, 'nowhere.invalid:9443'));
  t.is(
    failure?.message,
    'the agent cannot resolve nowhere.invalid, so it is unknown whether the node runs: correct its address, or the name resolution of this host',
  );
});

test('a node whose TLS CA was replaced on disk is a warning until its restart', async (t) => {
  const folder = temporaryFolder(t);
  const leaf = new TestCa(folder, 'ca').issue('node', 'serverAuth');
  const ca = join(folder, 'ca-file.pem');
  copyFileSync(join(folder, 'ca.pem'), ca);
  const files = { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) };
  const address = await engineOverTls(t, files, respond(200, OK));
  const checker = await startHealth(t, address, { tls: true, ca, interval: 100 });
  t.is(await failureOf(checker), undefined);
  copyFileSync(new TestCa(folder, 'other-ca').cert, ca);
  await until(async () => (await failureOf(checker)) !== undefined);
  const failure = await failureOf(checker);
  t.true(failure instanceof CheckWarning, failure?.message);
  t.is(
    failure?.message,
    'the TLS files have changed, and the node still uses the former ones, until its restart; so does this agent: restart the node before the former certificates expire',
  );
});

test('a node that does not respond to any request is frozen, although its own checks may take longer', async (t) => {
  const failure = await failureWith(t, () => undefined);
  t.regex(failure!.message, /^the response to GET http:\/\/127\.0\.0\.1:\d+\/version took longer than 3s$/);
});

test.serial('a node with slow checks is not frozen while it responds', async (t) => {
  // The response to /version may be late.
  stopTimeouts(t);
  let finish = (): void => undefined;
  const address = await engineOnPort(t, (request, response) => {
    if (request.url === '/healthz') finish = () => respond(200, OK)(request, response);
    else {
      respond(200, '{}')(request, response);
      finish();
    }
  });
  t.is(await failureOf(await startHealth(t, address)), undefined);
});

test('each failed check of the node is a part', async (t) => {
  const parts = [
    { component: 'docker', reason: 'failed to connect to Docker daemon' },
    { component: 'ch1/0', reason: 'line one\nline two' },
  ];
  const failure = await failureWith(t, failing(parts));
  t.true(failure instanceof FailedChecks);
  t.deepEqual((failure as FailedChecks).parts, [
    { component: 'docker', reason: 'failed to connect to Docker daemon' },
    { component: 'ch1/0', reason: 'line one line two' },
  ]);
});

test('number and length of the parts are bounded, and names are unique', async (t) => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ component: `c${at}`, reason: '' }));
  const long = { component: 'x'.repeat(10_000), reason: 'y'.repeat(10_000) };
  const failure = await failureWith(t, failing([long, many[0], ...many]));
  const { parts } = failure as FailedChecks;
  t.is(parts.length, MAX_PARTS);
  t.deepEqual(parts[0], { component: 'x'.repeat(MAX_NAME_LENGTH), reason: `${'y'.repeat(500)}…` });
  t.deepEqual(parts[1], { component: 'c0', reason: 'no reason given' });
  t.is(new Set(parts.map(({ component }) => component)).size, MAX_PARTS);
});

/** Responses and the reason of the failure. */
const RESPONSES: readonly (readonly [status: number, body: string, reason: string])[] = [
  [408, '', 'HTTP status 408: the health checks of the node took too long'],
  [503, '', 'HTTP status 503'],
  [503, '{"failed_checks":[]}', 'HTTP status 503'],
  [503, '{"failed_checks":[{"component":"","reason":"x"}]}', 'HTTP status 503'],
  [503, '{"failed_checks":[null]}', 'HTTP status 503'],
  [503, '{"failed_checks":{"component":"a"}}', 'HTTP status 503'],
  [503, 'no backend\n', 'HTTP status 503: no backend'],
  [500, '{"error":"x"}', 'HTTP status 500: x'],
  [404, '404 page not found\n', 'HTTP status 404: 404 page not found'],
  [302, '', 'HTTP status 302; redirects are not followed'],
  [200, '', "unexpected response: expected the status 'OK', found an empty body"],
  [200, '<html>\n', "unexpected response: expected the status 'OK', found <html>"],
  [200, '{"status":"up"}', 'unexpected response: expected the status \'OK\', found {"status":"up"}'],
  [200, 'null', "unexpected response: expected the status 'OK', found null"],
  [200, '["OK"]', 'unexpected response: expected the status \'OK\', found ["OK"]'],
  [200, 'x'.repeat(2 ** 20 + 1), 'the response is larger than 1 MiB'],
];
for (const [status, body, reason] of RESPONSES)
  test(`${status} ${body.slice(0, 60)}: ${reason}`, async (t) => {
    const address = await engineOnPort(t, respond(status, body));
    const failure = await failureOf(await startHealth(t, address));
    t.false(failure instanceof FailedChecks);
    t.is(failure?.message, `GET http://${address}/healthz: ${reason}`);
  });

test('a node that is down', async (t) => {
  const address = `127.0.0.1:${await freePort()}`;
  const failure = await failureOf(await startHealth(t, address));
  t.is(failure?.message, `GET http://${address}/healthz: connection refused`);
});

test('a node that does not respond fails at the timeout', async (t) => {
  const failure = await failureWith(t, () => undefined, { timeout: 150 });
  t.is(failure?.message, 'the poll took longer than 0.15s');
});

test('a node that fails and recovers is noticed by the polls', async (t) => {
  let listener = respond(200, OK);
  const address = await engineOnPort(t, (request, response) => listener(request, response));
  const checker = await startHealth(t, address);
  t.is(await failureOf(checker), undefined);
  listener = failing([{ component: 'couchdb', reason: 'down' }]);
  await until(async () => (await failureOf(checker)) !== undefined);
  listener = respond(200, OK);
  await until(async () => (await failureOf(checker)) === undefined);
  t.pass();
});

test('a check during a slow poll has the outcome of the last one', async (t) => {
  let isSlow = false;
  let slow = 0;
  const address = await engineOnPort(t, (request, response) => {
    if (isSlow) slow += 1;
    else respond(200, OK)(request, response);
  });
  const checker = await startHealth(t, address);
  await failureOf(checker);
  isSlow = true;
  await until(() => slow > 0);
  t.is(await failureOf(checker), undefined);
});

test('the first check waits for the first outcome, but not longer than its signal', async (t) => {
  const address = await engineOnPort(t, () => undefined);
  const checker = await startHealth(t, address);
  await t.throwsAsync(async () => checker.check(AbortSignal.abort(new Error('too late'))), {
    message: 'too late',
  });
  const abort = new AbortController();
  const checking = (async () => checker.check(abort.signal))();
  abort.abort(new Error('too late'));
  await t.throwsAsync(checking, { message: 'too late' });
});

test('a stopped checker sends no more requests, and closes the one in progress', async (t) => {
  let requests = 0;
  let closed = 0;
  const address = await engineOnPort(t, ({ url }, response) => {
    // A slow poll also requests the version.
    if (url !== '/healthz') return;
    requests += 1;
    response.on('close', () => (closed += 1));
  });
  const checker = await startHealth(t, address);
  await until(() => requests === 1);
  const checking = failureOf(checker);
  await checker.stop?.();
  t.is((await checking)?.message, 'the plugin is stopping');
  await until(() => closed === 1);
  await sleep(250);
  t.is(requests, 1);
  t.is((await failureOf(checker))?.message, 'the plugin is not started');
});

for (const [name, value] of [
  ['interval', 99],
  ['interval', 3_600_001],
  ['timeout', 0],
] as const)
  test(`the option ${name} must not be ${value} ms`, async (t) => {
    await t.throwsAsync(startHealth(t, '127.0.0.1:1', { [name]: value }), {
      message: `options.${name}: must be from 100ms to 1h`,
    });
  });

for (const value of [100, 3_600_000])
  test(`the options interval and timeout may be ${value} ms`, (t) => {
    const options = healthOptions('127.0.0.1:1', { interval: value, timeout: value });
    const checker = nodeHealth.create(createNodeTestContext(nodeHealth, options).context);
    t.notThrows(() => checker.init?.());
  });

for (const [minutes, message] of [
  [1570, 'the clock of this host is 26h10m behind the clock of the node: one of them is wrong'],
  [-1570, 'the clock of this host is 26h10m ahead of the clock of the node: one of them is wrong'],
  [2, undefined],
  [-2, undefined],
] as const)
  test(`a node with a clock that differs by ${minutes} minutes`, async (t) => {
    const failure = await failureWith(t, (request, response) => {
      response.setHeader('Date', new Date(Date.now() + minutes * 60_000).toUTCString());
      respond(200, OK)(request, response);
    });
    t.is(failure?.message, message);
    if (failure !== undefined) t.true(failure instanceof CheckWarning);
  });

test('the clock of a node whose certificate has expired is known, although it cannot be checked', async (t) => {
  const ca = new TestCa(temporaryFolder(t), 'ca');
  const leaf = ca.issue('node', 'serverAuth', ['20200101000000Z', '20200102000000Z']);
  const address = await engineOverTls(
    t,
    { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) },
    (_request, response) => {
      response.setHeader('Date', new Date(Date.now() - 600_000).toUTCString());
      response.end(OK);
    },
  );
  const { context } = createNodeTestContext(nodeHealth, healthOptions(address, { tls: true, ca: ca.cert }));
  const recorded: { readonly difference?: number }[] = [];
  const clock = { record: (found: { readonly difference?: number }) => void recorded.push(found) };
  const checker = nodeHealth.create({ ...context, clock });
  t.teardown(() => checker.stop?.());
  await checker.start?.(new AbortController().signal);
  t.is((await failureOf(checker))?.message, `GET https://${address}/healthz: its certificate has expired`);
  t.is(Math.round((recorded[0]?.difference ?? 0) / 60_000), -10);
});

for (const date of [undefined, 'yesterday'])
  test(`a node with the date ${date} has no known clock, and is healthy`, async (t) => {
    const address = await engineOnPort(t, (request, response) => {
      if (date === undefined) response.sendDate = false;
      else response.setHeader('Date', date);
      respond(200, OK)(request, response);
    });
    const { context } = createNodeTestContext(nodeHealth, healthOptions(address));
    const recorded: unknown[] = [];
    const checker = nodeHealth.create({
      ...context,
      clock: { record: (found) => void recorded.push(found) },
    });
    t.teardown(() => checker.stop?.());
    await checker.start?.(new AbortController().signal);
    t.is(await failureOf(checker), undefined);
    t.deepEqual(recorded[0], {});
  });
