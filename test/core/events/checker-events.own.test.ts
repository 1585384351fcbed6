import test, { type ExecutionContext } from 'ava';
import {
  defineHealthChecker,
  type AgentEvent,
  type CheckerEvent,
  type LogEntry,
} from '../../../core/contract/index.js';
import type { CheckerEvents } from '../../../core/contract/checker-events.js';
import { createCheckerEvents, Events } from '../../../core/events/index.js';
import { createTestContext } from '../../../core/testing/index.js';
import { stopClock } from '../../helpers/clock.js';

const CHECKER = defineHealthChecker({ name: 'emitter', check: () => undefined });

interface Stage extends CheckerEvents {
  /** The events of another checker of the agent. */
  readonly another: (name: string) => CheckerEvents;
  readonly published: readonly AgentEvent[];
  readonly logged: readonly LogEntry[];
  readonly dropped: () => number;
}

function stage(): Stage {
  const published: AgentEvent[] = [];
  let dropped = 0;
  const events = new Events(() => [{ name: 'peer0', kind: 'peer' }]);
  events.subscribe(({ event }) => void published.push(event));
  const { context, logged } = createTestContext(CHECKER, {});
  const another = (name: string): CheckerEvents =>
    createCheckerEvents(name, { events, log: context.log, onDropped: () => void (dropped += 1) });
  const { notice } = another('peer0/channel-config');
  return { notice, another, published, logged, dropped: () => dropped };
}

test('an event of a checker has its component, or a part, and a separate id', (t) => {
  const { notice, published } = stage();
  notice({ component: 'ch1', reason: 'config block 7', fields: { block: '7', kind: 'other' } });
  notice({ reason: 'a ledger was added' });
  const [first, second] = published;
  t.like(first, {
    state: 'info',
    severity: 'info',
    node: 'peer0',
    component: 'peer0/channel-config/ch1',
    reason: 'config block 7',
    fields: { block: '7', kind: 'peer' },
  });
  t.like(second, { component: 'peer0/channel-config', fields: { kind: 'peer' } });
  t.not(first!.id, second!.id);
  t.is(first!.runbook, undefined);
});

test('an event of a checker is one line without hidden characters, of limited length', (t) => {
  const { notice, published } = stage();
  notice({
    component: `ch1\n${'x'.repeat(1000)}`,
    reason: `first\nsecond \u202e${'y'.repeat(10_000)}`,
    fields: Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`f${index}`, `\u0007${'z'.repeat(5000)}`]),
    ),
  });
  const [{ component, reason, fields }] = published as [AgentEvent];
  t.true(component.startsWith(String.raw`peer0/channel-config/ch1\nxx`) && component.endsWith('…'));
  t.is(component.length, 'peer0/channel-config/'.length + 256);
  t.true(reason.startsWith(String.raw`first\nsecond \u202eyyy`) && reason.endsWith('…'));
  t.is(reason.length, 2049);
  t.is(Object.keys(fields).length, 21);
  t.is(fields['f0']!.length, 1024);
  t.true(fields['f0']!.startsWith(String.raw`\u0007zzz`));
});

test('of the events with one id, from any checker, the first is passed on', (t) => {
  const { notice, published, another } = stage();
  const other = another('peer1/channel-config');
  notice({ component: 'ch1', id: 'block 7', reason: 'first' });
  notice({ component: 'ch1', id: 'block 7', reason: 'again' });
  other.notice({ component: 'ch1', id: 'block 7', reason: 'of another node' });
  other.notice({ component: 'ch1', id: 'block 8', reason: 'another block' });
  t.deepEqual(
    published.map(({ component, reason }) => `${component}: ${reason}`),
    ['peer0/channel-config/ch1: first', 'peer1/channel-config/ch1: another block'],
  );
  for (let index = 0; index < 1_000; index += 1)
    another(`peer${index}`).notice({ id: `other ${index}`, reason: 'something else' });
  notice({ component: 'ch1', id: 'block 7', reason: 'long ago' });
  t.is(published.at(-1)!.reason, 'long ago');
});

const refused = (t: ExecutionContext, event: unknown, message: string): void =>
  void t.throws(() => stage().notice(event as CheckerEvent), { instanceOf: TypeError, message });

test('an event that is not valid is an error of the checker', (t) => {
  const reason = 'the reason of an event must be a string that is not empty';
  refused(t, { component: 'ch1' }, reason);
  refused(t, { reason: ' ' }, reason);
  refused(t, { reason: 'new', component: 7 }, 'the component of an event must be a string');
  const field = "of an event must have a name of letters, digits and '_', and a string as value";
  refused(t, { reason: 'new', fields: { block: 7 } }, `the field "block" ${field}`);
  refused(t, { reason: 'new', fields: { 'a b': '7' } }, `the field "a b" ${field}`);
});

test.serial('more than 100 events in a minute are dropped and counted, with one line in the log', (t) => {
  const clock = stopClock(t);
  const { notice, published, logged, dropped } = stage();
  const emit = (count: number): void => {
    for (let index = 0; index < count; index += 1) notice({ reason: `event ${index}` });
  };
  emit(110);
  t.deepEqual([published.length, dropped()], [100, 10]);
  clock.tick(59_999);
  emit(1);
  t.deepEqual([published.length, dropped()], [100, 11]);
  clock.tick(1);
  emit(1);
  t.deepEqual([published.length, dropped()], [101, 11]);
  t.deepEqual(
    logged.map(({ level, message }) => `${level} ${message}`),
    ['warn more than 100 events in a minute; further ones are dropped'],
  );
});
