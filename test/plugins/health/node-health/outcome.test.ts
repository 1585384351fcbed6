// The limits of the failed checks of a node.

import test from 'ava';
import { FailedChecks } from '../../../../core/contract/index.js';
import type { HttpResponse } from '../../../../core/kit/index.js';
import { failureIn } from '../../../../plugins/health/node-health/outcome.js';

/** The parts of a response with these failed checks. */
function partsOf(failed: readonly object[], status = 503): FailedChecks['parts'] | string | undefined {
  const response: HttpResponse = {
    status,
    contentType: 'application/json',
    headers: {},
    body: Buffer.from(JSON.stringify({ failed_checks: failed })),
    sent: { path: '/healthz', headers: {} },
  };
  const found = failureIn(response);
  return found instanceof FailedChecks ? found.parts : found;
}

for (const [count, parts] of [
  [49, 49],
  [50, 50],
  [51, 50],
] as const)
  test(`of ${count} failed checks ${parts} are parts, in their order`, (t) => {
    const failed = Array.from({ length: count }, (_, index) => ({ component: `c${index}`, reason: 'x' }));
    t.deepEqual(partsOf(failed), failed.slice(0, parts));
  });

for (const [length, kept] of [
  [128, 128],
  [129, 128],
] as const)
  test(`a name of ${length} characters has ${kept} as a part`, (t) => {
    t.deepEqual(partsOf([{ component: 'x'.repeat(length), reason: 'y' }]), [
      { component: 'x'.repeat(kept), reason: 'y' },
    ]);
  });

for (const [length, reason] of [
  [500, 'y'.repeat(500)],
  [501, `${'y'.repeat(500)}…`],
] as const)
  test(`a reason of ${length} characters ${reason.endsWith('…') ? 'is cut' : 'is complete'}`, (t) => {
    t.deepEqual(partsOf([{ component: 'x', reason: 'y'.repeat(length) }]), [{ component: 'x', reason }]);
  });

test('failed checks after the first 50 are not read', (t) => {
  const failed = Array.from({ length: 50 }, (_, index) => ({ component: `c${index}`, reason: 'x' }));
  const last = { component: 'y', reason: 'y' };
  t.deepEqual(partsOf([...failed, ...Array.from({ length: 1000 }, () => last), {}]), failed);
});

test('of two failed checks with one name the first one is a part', (t) => {
  const [first, second] = [
    { component: 'x', reason: 'one' },
    { component: 'x', reason: 'two' },
  ];
  t.deepEqual(partsOf([first, second]), [first]);
});

test('failed checks with another status than 503 are no parts', (t) => {
  t.is(partsOf([{ component: 'x', reason: 'y' }], 500), 'HTTP status 500');
});
