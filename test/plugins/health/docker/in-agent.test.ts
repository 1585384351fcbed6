// The docker checker as a component of /healthz.

import test from 'ava';
import { startAgent } from '../../../helpers/agent.js';
import { engineOnSocket, ok } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { stopTimeouts } from '../../../helpers/clock.js';

test('an agent starts without an engine and reports the reason on /healthz', async (t) => {
  const endpoint = `unix://${temporaryFolder(t)}/docker.sock`;
  const { url } = await startAgent(t, { 'vm.endpoint': endpoint });
  const reply = await fetch(`${url}/healthz`);
  t.is(reply.status, 503);
  const { failed_checks } = (await reply.json()) as { failed_checks: unknown };
  t.deepEqual(failed_checks, [
    { component: 'docker', reason: `failed to connect to Docker daemon at ${endpoint}: no such file` },
  ]);
});

test.serial('200 concurrent runs send one ping', async (t) => {
  stopTimeouts(t);
  let pings = 0;
  const endpoint = await engineOnSocket(t, (request, response) => {
    if (request.url === '/_ping') pings += 1;
    ok(request, response);
  });
  const { agent } = await startAgent(t, { 'vm.endpoint': endpoint });
  const reports = await Promise.all(Array.from({ length: 200 }, () => agent.health.run()));
  t.is(pings, 1);
  t.true(reports.every(({ failedChecks }) => failedChecks.length === 0));
});

test('two engines are two components, each with its own reason', async (t) => {
  const failing = await engineOnSocket(t, (_request, response) => {
    response.statusCode = 500;
    response.end();
  });
  const { url } = await startAgent(t, {
    'vm.endpoint': await engineOnSocket(t, ok),
    plugins: [{ plugin: 'docker', name: 'second', options: { endpoint: failing } }],
  });
  const reply = await fetch(`${url}/healthz`);
  const { failed_checks } = (await reply.json()) as { failed_checks: unknown };
  t.deepEqual(failed_checks, [
    { component: 'second', reason: `failed to connect to Docker daemon at ${failing}: HTTP status 500` },
  ]);
});

test('an engine that never responds fails at the health timeout', async (t) => {
  const endpoint = await engineOnSocket(t, () => undefined);
  const { url } = await startAgent(t, { 'vm.endpoint': endpoint, 'health.timeout': '200ms' });
  const reply = await fetch(`${url}/healthz`);
  const { failed_checks } = (await reply.json()) as { failed_checks: unknown };
  t.deepEqual(failed_checks, [{ component: 'docker', reason: 'timed out after 200ms' }]);
});

test('vm.endpoint names the engine of a listed checker without options, and its absence is a failure', async (t) => {
  const endpoint = `unix://${temporaryFolder(t)}/docker.sock`;
  const { url } = await startAgent(t, { 'vm.endpoint': endpoint, plugins: [{ plugin: 'docker' }] });
  const reply = await fetch(`${url}/healthz`);
  t.is(reply.status, 503);
  t.like(await reply.json(), { failed_checks: [{ component: 'docker' }] });
});

test('a listed checker with an endpoint of its own is not the engine of vm.endpoint: it needs a name', async (t) => {
  const [endpoint, other] = [`unix://${temporaryFolder(t)}/a.sock`, `unix://${temporaryFolder(t)}/b.sock`];
  const plugins = [{ plugin: 'docker', options: { endpoint: other } }];
  await t.throwsAsync(startAgent(t, { 'vm.endpoint': endpoint, plugins }), {
    message: /duplicate name 'docker'/,
  });
});
