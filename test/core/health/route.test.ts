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
