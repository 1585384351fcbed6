import test from 'ava';
import { healthRoutes, type HealthReport } from '../../../core/health/index.js';
import type { IncomingRequest, Route } from '../../../core/http/index.js';

const TIME = Date.UTC(2026, 10, 20, 9, 59, 57);

type Failed = HealthReport['failedChecks'];

/** The route of `/healthz` when these checks failed. */
function healthz(failedChecks: Failed, time: number): Route {
  const run = async (): Promise<HealthReport> => ({ failedChecks, warnings: [], components: [], time });
  const [route] = healthRoutes({ components: [], run }, () => ({
    include: [],
    exclude: [],
    otherNodes: [],
  }));
  return route as Route;
}

async function responseTo(failedChecks: Failed, time = TIME) {
  const request = { query: new URLSearchParams() } as IncomingRequest;
  return healthz(failedChecks, time).handlers.GET?.(request);
}

test('the response of a healthy node has no failed checks; its time always has milliseconds', async (t) => {
  t.deepEqual(await responseTo([]), {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: '{"status":"OK","time":"2026-11-20T09:59:57.000Z"}',
  });
});

test('failed checks have a name and a reason, escaped for HTML', async (t) => {
  const failedChecks = [
    { component: 'a<b', reason: 'x & "y" \u2028' },
    { component: 'docker', reason: 'ünïcode' },
  ];
  const reply = await responseTo(failedChecks, TIME + 7);
  t.is(reply?.status, 503);
  t.is(
    reply?.body?.toString(),
    '{"status":"Service Unavailable","time":"2026-11-20T09:59:57.007Z","failed_checks":[{"component":"a\\u003cb","reason":"x \\u0026 \\"y\\" \\u2028"},{"component":"docker","reason":"ünïcode"}]}',
  );
});

for (const paths of [
  ['/healthz', '/readyz'],
  ['/readyz', '/healthz'],
])
  test(`a report of both routes has the excluded nodes only for /readyz, requested as ${paths.join(', then ')}`, async (t) => {
    const report: HealthReport = { failedChecks: [], warnings: [], components: [], time: TIME };
    const ready = { include: [], exclude: [], otherNodes: ['peer0', 'peer1'] };
    const routes = healthRoutes({ components: [], run: async () => report }, () => ready);
    for (const path of [...paths, ...paths]) {
      const request = { query: new URLSearchParams() } as IncomingRequest;
      const reply = await routes.find((route) => route.path === path)?.handlers.GET?.(request);
      const { excluded } = JSON.parse(String(reply?.body)) as { excluded?: readonly string[] };
      t.deepEqual(excluded, path === '/readyz' ? ['peer0', 'peer1'] : undefined, path);
    }
  });

test('requests with one report share the body of the reply', async (t) => {
  const report = {
    failedChecks: [{ component: 'a', reason: 'b' }],
    warnings: [],
    components: [],
    time: TIME,
  };
  const ready = { include: [], exclude: [], otherNodes: [] };
  const [route] = healthRoutes({ components: [], run: async () => report }, () => ready);
  const request = { query: new URLSearchParams() } as IncomingRequest;
  t.is((await route?.handlers.GET?.(request))?.body, (await route?.handlers.GET?.(request))?.body);
});
