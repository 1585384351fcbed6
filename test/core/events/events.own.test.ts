import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { Events } from '../../../core/events/index.js';

function record(t: ExecutionContext): { clock: SinonFakeTimers; events: Events; reasons: string[] } {
  const clock = useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5), toFake: ['Date'] });
  t.teardown(() => clock.restore());
  const events = new Events(() => []);
  const reasons: string[] = [];
  events.subscribe(({ state, reason }) => void reasons.push(`${state} ${reason}`));
  return { clock, events, reasons };
}

test.serial('a recovery says since when it had failed, and marks the reason as the former one', (t) => {
  const { clock, events, reasons } = record(t);
  events.checked('peer0', 'connection refused', 'critical');
  clock.tick(60_000);
  events.checked('peer0', 'timed out', 'critical');
  clock.tick(240_500);
  events.checked('peer0', undefined, 'critical');
  t.deepEqual(reasons, [
    'failed connection refused',
    'recovered works again after 5m; failed since 2026-01-02T03:04:05Z, former reason: timed out',
  ]);
});

test.serial('the end of a warning says so', (t) => {
  const { clock, events, reasons } = record(t);
  events.checked('disk', '6% left', 'warning');
  clock.tick(1_000);
  events.checked('disk', undefined, 'critical');
  t.is(
    reasons.at(-1),
    'recovered works again after 1s; needed attention since 2026-01-02T03:04:05Z, former reason: 6% left',
  );
});

test.serial('a component that is no longer checked does not work again', (t) => {
  const { events, reasons } = record(t);
  events.checked('disk', 'full', 'critical');
  events.removed('disk');
  t.is(
    reasons.at(-1),
    'recovered no longer checked after 0s; failed since 2026-01-02T03:04:05Z, former reason: full',
  );
});
