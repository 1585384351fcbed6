import test from 'ava';
import { healthzRoute, type HealthReport } from '../../../core/health/index.js';

const TIME = Date.UTC(2026, 10, 20, 9, 59, 57);

async function responseTo(report: HealthReport) {
  const route = healthzRoute({ register: () => () => undefined, run: async () => report });
  return route.handlers.GET?.(undefined as never);
}

test('the response of a healthy node has no failed checks; its time always has milliseconds', async (t) => {
  t.deepEqual(await responseTo({ failedChecks: [], time: TIME }), {
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
  const reply = await responseTo({ failedChecks, time: TIME + 7 });
  t.is(reply?.status, 503);
  t.is(
    reply?.body,
    '{"status":"Service Unavailable","time":"2026-11-20T09:59:57.007Z","failed_checks":[{"component":"a\\u003cb","reason":"x \\u0026 \\"y\\" \\u2028"},{"component":"docker","reason":"ünïcode"}]}',
  );
});

test('the route needs no client certificate', (t) => {
  t.true(
    healthzRoute({ register: () => () => undefined, run: async () => ({ failedChecks: [], time: 0 }) })
      .isOpen,
  );
});
