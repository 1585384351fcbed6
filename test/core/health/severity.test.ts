// Warnings: components that work but need attention.

import test from 'ava';
import { CheckWarning, FailedChecks, LeveledLoggers } from '../../../core/contract/index.js';
import { createHealth, healthRoutes, readySelection, type AgentHealth } from '../../../core/health/index.js';
import type { IncomingRequest } from '../../../core/http/index.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { valuesOf } from '../../helpers/snapshot.js';

const REASON = 'CN=peer0 expires in 6 days';

function subject(): { readonly health: AgentHealth; readonly store: MetricStore; readonly logged: string[] } {
  const logged: string[] = [];
  const loggers = new LeveledLoggers({
    write: ({ level, message }) => void logged.push(`${level}: ${message}`),
  });
  const store = new MetricStore(100);
  const log = loggers.logger('health');
  const options = {
    timeout: 10_000,
    cacheFor: 0,
    interval: 60_000,
    groups: {},
    metrics: store,
    log,
    cpuTime: () => 0,
  };
  return { health: createHealth(options), store, logged };
}

/** The status and the body of a path. */
async function get(
  health: AgentHealth,
  path: string,
  query = '',
  nodes: readonly string[] = ['peer0'],
): Promise<readonly [status: number, body: string]> {
  const ready = () => readySelection({ include: [], exclude: [] }, nodes, health.components);
  const { handlers } = healthRoutes(health, ready).find((route) => route.path === path)!;
  const request = { query: new URLSearchParams(query) } as IncomingRequest;
  const { status, body } = await handlers.GET!(request);
  return [status, String(body)];
}

test('a warning leaves /healthz and /readyz at 200, and is listed by verbose', async (t) => {
  const { health } = subject();
  health.register('peer0', () => undefined);
  health.register('peer0/certificates', () => {
    throw new FailedChecks([{ component: 'tls/server.crt', reason: REASON, severity: 'warning' }]);
  });
  health.register('queue', () => {
    throw new CheckWarning('nearly full');
  });
  t.is((await get(health, '/healthz'))[0], 200);
  t.is((await get(health, '/readyz'))[0], 200);
  t.deepEqual(await get(health, '/healthz', 'verbose'), [
    200,
    `[+]peer0 ok
[+]peer0/certificates/tls/server.crt warning: ${REASON}
[+]queue warning: nearly full
healthz check passed
`,
  ]);
});

test('a critical part and a warning are 503, and only the critical one is a failed check', async (t) => {
  const { health } = subject();
  health.register('disk', () => {
    throw new FailedChecks([
      { component: 'a', reason: 'full' },
      { component: 'b', reason: 'nearly full', severity: 'warning' },
    ]);
  });
  const report = await health.run();
  t.deepEqual(report.failedChecks, [{ component: 'disk/a', reason: 'full' }]);
  t.deepEqual(report.warnings, [{ component: 'disk/b', reason: 'nearly full', severity: 'warning' }]);
  const [status, body] = await get(health, '/healthz');
  t.is(status, 503);
  t.deepEqual(JSON.parse(body).failed_checks, [{ component: 'disk/a', reason: 'full' }]);
});

test('status and warning are different series, and each change is logged once', async (t) => {
  const { health, store, logged } = subject();
  let failure: Error | undefined = new CheckWarning('nearly full');
  health.register('disk', () => {
    if (failure !== undefined) throw failure;
  });
  const present = async () => {
    await health.run();
    const names = ['status', 'warning', 'failures_total'];
    const values = names.map((name) => valuesOf(store, `fabric_ops_agent_health_check_${name}`));
    return (await Promise.all(values)).map(([series]) => series?.value);
  };
  t.deepEqual(await present(), [1, 1, undefined]);
  t.deepEqual(await present(), [1, 1, undefined]);
  failure = new Error('full');
  t.deepEqual(await present(), [0, 0, 1]);
  failure = undefined;
  t.deepEqual(await present(), [1, 0, 1]);
  t.deepEqual(logged, [
    'warn: disk needs attention: nearly full',
    'warn: disk is not healthy: full',
    'info: disk is healthy again',
  ]);
});

test('a value that is no severity is critical', async (t) => {
  const { health } = subject();
  health.register('odd', () => {
    throw new FailedChecks([{ component: 'a', reason: 'x', severity: 'fatal' as never }]);
  });
  t.deepEqual((await health.run()).failedChecks, [{ component: 'odd/a', reason: 'x' }]);
});

const COMPONENTS = ['channels', 'docker', 'orderer', 'orderer/consensus', 'peer0', 'peer0/certificates'];
const READY: readonly (readonly [nodes: readonly string[], excluded: readonly string[]])[] = [
  [[], ['channels']],
  [['peer0'], ['channels', 'peer0/certificates']],
  [
    ['orderer', 'peer0'],
    ['channels', 'orderer', 'orderer/consensus', 'peer0', 'peer0/certificates'],
  ],
];

for (const [nodes, excluded] of READY)
  test(`with the nodes [${nodes.join(', ')}], /readyz does not cover [${excluded.join(', ')}]`, (t) => {
    t.deepEqual(readySelection({ include: [], exclude: ['other'] }, nodes, COMPONENTS), {
      include: [],
      exclude: [...excluded, 'other'],
      otherNodes: nodes.length > 1 ? nodes : [],
    });
  });

test('/readyz covers the components that the settings include', (t) => {
  const selection = { include: ['peer0'], exclude: [] };
  t.deepEqual(readySelection(selection, ['peer0'], COMPONENTS), { ...selection, otherNodes: [] });
});

test('with several nodes /readyz says that it covers none of them', async (t) => {
  const { health } = subject();
  for (const name of ['orderer', 'peer0'])
    health.register(name, () => {
      throw new Error('down');
    });
  const nodes = ['orderer', 'peer0'];
  const [status, body] = await get(health, '/readyz', '', nodes);
  t.is(status, 200);
  t.deepEqual((JSON.parse(body) as { excluded: unknown }).excluded, nodes);
  t.deepEqual(await get(health, '/readyz', 'verbose', nodes), [
    200,
    `[+]orderer excluded: ok
[+]peer0 excluded: ok
note: /readyz covers none of the nodes orderer, peer0, because there are several; name the nodes to cover in health.groups.ready.include
readyz check passed
`,
  ]);
  health.register('docker', () => {
    throw new Error('down');
  });
  const [failed, failure] = await get(health, '/readyz', '', nodes);
  t.is(failed, 503);
  t.deepEqual((JSON.parse(failure) as { excluded: unknown }).excluded, nodes);
  t.false((await get(health, '/healthz', '', nodes))[1].includes('excluded'));
});
