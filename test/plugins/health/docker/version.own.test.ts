// The version of the engine, in a metric and in the log.

import type { RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { createNodeTestContext } from '../../../../core/testing/context.js';
import { MetricStore } from '../../../../core/metrics/index.js';
import docker from '../../../../plugins/health/docker/index.js';
import { engineOnSocket, ok } from '../../../helpers/engine.js';
import { startChecker } from '../../../helpers/checker.js';
import { EngineVersion } from '../../../../plugins/health/docker/version.js';
import { stopClock } from '../../../helpers/clock.js';
import { until } from '../../../helpers/until.js';
import { PATIENCE } from '../../../helpers/patience.js';

/** An engine with a response to the request for its version. */
const engineWith =
  (onVersion: RequestListener): RequestListener =>
  (request, response) =>
    (request.url === '/_ping' ? ok : onVersion)(request, response);

const versioned = (version: unknown): RequestListener =>
  engineWith((_request, response) => void response.end(JSON.stringify({ Version: version })));

const optionsFor = async (t: ExecutionContext, onRequest: RequestListener) => ({
  endpoint: await engineOnSocket(t, onRequest),
  ca: '',
  cert: '',
  key: '',
  timeout: PATIENCE,
});

test('a metric shows the version of the engine', async (t) => {
  const { check, series } = await startChecker(t, docker, await optionsFor(t, versioned('27.3.1')));
  t.deepEqual(await check(), {});
  await until(async () => Object.keys(await series('docker_engine_info')).length > 0);
  t.deepEqual(await series('docker_engine_info'), { '{"component":"docker","version":"27.3.1"}': 1 });
});

test('an engine that restarts with another version has one series', async (t) => {
  let version = '28.0.0';
  let isUp = true;
  const options = await optionsFor(t, (request, response) => {
    if (isUp) versioned(version)(request, response);
    else response.destroy();
  });
  const { check, series } = await startChecker(t, docker, options);
  await check();
  await until(async () => Object.keys(await series('docker_engine_info')).length > 0);
  isUp = false;
  await check();
  isUp = true;
  version = '28.0.1';
  await check();
  await until(async () => JSON.stringify(await series('docker_engine_info')).includes('28.0.1'));
  t.deepEqual(await series('docker_engine_info'), { '{"component":"docker","version":"28.0.1"}': 1 });
});

for (const [what, onVersion] of [
  ['is not JSON', (_request, response) => void response.end('OK')],
  ['has no version', (_request, response) => void response.end('{"Version":5}')],
  ['is null', (_request, response) => void response.end('null')],
  [
    'is an error',
    (_request, response) => {
      response.statusCode = 500;
      response.end('{"Version":"27.3.1"}');
    },
  ],
  ['never comes', () => undefined],
] as const satisfies readonly (readonly [string, RequestListener])[])
  test(`a response to the request for the version that ${what} does not fail the check`, async (t) => {
    const { check, series } = await startChecker(t, docker, await optionsFor(t, engineWith(onVersion)));
    t.deepEqual(await check(), {});
    t.deepEqual(await check(), {});
    t.deepEqual(await series('docker_engine_info'), {});
  });

test('a stop closes the connection of a pending request for the version', async (t) => {
  const requests: { isClosed: boolean }[] = [];
  const options = await optionsFor(
    t,
    engineWith((_request, response) => {
      const request = { isClosed: false };
      requests.push(request);
      response.on('close', () => (request.isClosed = true));
    }),
  );
  const { checker, check } = await startChecker(t, docker, options);
  await check();
  await until(() => requests.length === 1);
  await checker.stop?.();
  // A later request.
  const other = await startChecker(t, docker, options);
  await other.check();
  t.like(requests[0], { isClosed: true });
});

for (const [what, response, wait] of [
  ['found', { status: 200, text: '{"Version":"28.0.0"}' }, 300_000],
  ['not found', { status: 500, text: '' }, 60_000],
] as const)
  test.serial(
    `a version that was ${what} is requested again after ${wait} ms, or at once after a failed ping`,
    async (t) => {
      const clock = stopClock(t);
      const { context } = createNodeTestContext(docker, {
        endpoint: '',
        ca: '',
        cert: '',
        key: '',
        timeout: 1,
      });
      const found: string[] = [];
      const version = new EngineVersion(
        'docker',
        context.metrics,
        context.log,
        (each) => void found.push(each),
      );
      let requests = 0;
      const request = async (): Promise<typeof response> => {
        requests += 1;
        return response;
      };
      for (const [time, expected] of [
        [0, 1],
        [wait - 1, 1],
        [1, 2],
      ] as const) {
        clock.tick(time);
        await version.refresh(request);
        t.is(requests, expected);
      }
      version.expire();
      await version.refresh(request);
      t.is(requests, 3);
      t.deepEqual(found, response.status === 200 ? ['28.0.0'] : []);
    },
  );

for (const [version, warnings] of [
  ['28.5.2', 0],
  ['29.0.1', 1],
  ['30.0.0-rc.1', 1],
] as const)
  test(`Docker Engine ${version} is logged ${warnings} times as too new for older peers`, async (t) => {
    const metrics = new MetricStore(1000);
    const { context, logged } = createNodeTestContext(docker, await optionsFor(t, versioned(version)));
    const checker = docker.create({ ...context, metrics });
    t.teardown(() => checker.stop?.());
    const { signal } = new AbortController();
    await checker.start?.(signal);
    const hasVersion = async (): Promise<boolean> => {
      for await (const family of metrics.families())
        if (family.name.endsWith('docker_engine_info')) return [...family.values()].length > 0;
      return false;
    };
    await checker.check(signal);
    await until(hasVersion);
    await checker.check(signal);
    t.is(
      logged.filter(({ message }) => message.startsWith(`Docker Engine ${version} needs`)).length,
      warnings,
    );
  });
