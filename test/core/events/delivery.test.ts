import test from 'ava';
import type { AgentEvent } from '../../../core/contract/index.js';
import { Delivery, EventQueue, MAX_QUEUED } from '../../../core/events/delivery.js';

const event = (id: string, state: AgentEvent['state'] = 'failed'): AgentEvent => ({
  id,
  component: id,
  state,
  severity: 'critical',
  reason: '',
  since: 0,
  fields: {},
});

const waiting = (queue: EventQueue): string[] => queue.first(9).map(({ id, state }) => `${state} ${id}`);

/** One call with the queued events. */
function deliver(queue: EventQueue, outcome: 'accepted' | 'refused' | 'not accepted' | 'unclear'): void {
  const events = queue.first(9);
  queue.begin(events);
  if (outcome === 'accepted' || outcome === 'refused') for (const each of events) queue.settle(each, outcome);
  queue.end(outcome === 'unclear');
}

test('events that were delivered do not wait any more, and later ones do', (t) => {
  const queue = new EventQueue(() => t.fail());
  for (const id of ['a', 'b', 'c']) queue.add(event(id));
  const first = queue.first(2);
  queue.begin(first);
  queue.add(event('d'));
  for (const each of first) queue.settle(each, 'accepted');
  queue.end(false);
  t.deepEqual(waiting(queue), ['failed c', 'failed d']);
});

/** The sent states with the outcomes of the calls, and the queued events after them. */
const CASES: readonly (readonly [
  happened: readonly (AgentEvent['state'] | Parameters<typeof deliver>[1])[],
  waits: string,
])[] = [
  [['failed', 'recovered'], ''],
  [['warning', 'failed', 'recovered'], ''],
  [['warning', 'failed'], 'failed'],
  [['failed', 'accepted', 'recovered'], 'recovered'],
  [['failed', 'accepted', 'recovered', 'failed'], ''],
  [['failed', 'accepted', 'warning', 'recovered'], 'recovered'],
  [['failed', 'accepted', 'warning', 'failed'], ''],
  [['failed', 'accepted', 'recovered', 'accepted', 'failed'], 'failed'],
  [['failed', 'not accepted', 'recovered'], ''],
  [['failed', 'unclear', 'recovered'], 'recovered'],
  [['failed', 'unclear', 'not accepted', 'recovered'], 'recovered'],
  [['failed', 'unclear', 'recovered', 'failed'], 'failed'],
  [['failed', 'unclear', 'warning', 'accepted', 'warning'], ''],
  [['failed', 'accepted', 'recovered', 'unclear', 'failed'], 'failed'],
  [['failed', 'refused', 'recovered'], ''],
  [['failed', 'accepted', 'recovered', 'refused', 'failed'], 'failed'],
  [['failed', 'recovered', 'info'], 'info'],
  [['info', 'failed', 'not accepted', 'info', 'recovered'], 'info info'],
];
for (const [happened, waits] of CASES)
  test(`after ${happened.join(', ')} waits: ${waits === '' ? 'nothing' : waits}`, (t) => {
    const queue = new EventQueue(() => t.fail());
    for (const each of happened)
      if (each === 'accepted' || each === 'refused' || each === 'not accepted' || each === 'unclear')
        deliver(queue, each);
      else queue.add(event('a', each));
    t.is(
      queue
        .first(9)
        .map(({ state }) => state)
        .join(' '),
      waits,
    );
  });

for (const [outcome, waits] of [
  ['accepted', ['recovered a']],
  ['not accepted', []],
  ['unclear', ['recovered a']],
] as const)
  test(`a recovery during a call whose failure is ${outcome} then waits: ${waits.length > 0}`, (t) => {
    const queue = new EventQueue(() => t.fail());
    const failed = event('a');
    queue.add(failed);
    queue.begin([failed]);
    queue.add(event('a', 'recovered'));
    if (outcome === 'accepted') queue.settle(failed, outcome);
    queue.end(outcome === 'unclear');
    t.deepEqual(waiting(queue), waits);
  });

test('a receiver that refused an event does not have it, although the rest of the call is unclear', (t) => {
  const queue = new EventQueue(() => t.fail());
  for (const id of ['a', 'b']) queue.add(event(id));
  const events = queue.first(9);
  queue.begin(events);
  queue.settle(events[0]!, 'refused');
  queue.end(true);
  for (const id of ['a', 'b']) queue.add(event(id, 'recovered'));
  t.deepEqual(waiting(queue), ['recovered b']);
});

test('an event of a call has one outcome: the first', (t) => {
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => event(id)) as [AgentEvent, ...AgentEvent[]];
  const outcomes: string[] = [];
  const delivery = new Delivery([a, b!, c!, d!, e!], ({ id }, outcome) => outcomes.push(`${outcome} ${id}`));
  delivery.accepted(a);
  delivery.refused(b!, 'first');
  delivery.omitted(c!);
  for (const each of [a, b!, c!]) {
    delivery.accepted(each);
    delivery.refused(each, 'again');
    delivery.omitted(each);
  }
  delivery.refused(d!, 'second');
  delivery.acceptRest();
  delivery.refuseRest('third');
  t.deepEqual(outcomes, ['accepted a', 'refused b', 'omitted c', 'refused d', 'accepted e']);
  t.deepEqual([delivery.acceptedCount, delivery.refusedCount, delivery.refusal], [2, 2, 'first']);
});

test('a reminder that was accepted is not sent again as a change', (t) => {
  const queue = new EventQueue(() => t.fail());
  queue.add(event('a'));
  const reminded = event('a');
  queue.begin([reminded]);
  queue.settle(reminded, 'accepted');
  queue.end(false);
  t.deepEqual(waiting(queue), []);
});

test(`of more than ${MAX_QUEUED} events the oldest one with the state info is dropped`, (t) => {
  let dropped = 0;
  const queue = new EventQueue(() => void (dropped += 1));
  for (let count = 0; count < MAX_QUEUED; count += 1)
    queue.add(event(String(count), count > 1 ? 'info' : 'failed'));
  queue.add(event('last', 'info'));
  t.is(dropped, 1);
  t.is(queue.size, MAX_QUEUED);
  t.deepEqual(
    queue.first(4).map(({ id }) => id),
    ['0', '1', '3', '4'],
  );
});

test(`of more than ${MAX_QUEUED} failures the oldest is dropped`, (t) => {
  const queue = new EventQueue(() => undefined);
  for (let count = 0; count <= MAX_QUEUED; count += 1) queue.add(event(String(count)));
  t.is(queue.first(1)[0]?.id, '1');
});

test('after a recovery that was dropped the next failure is sent', (t) => {
  const queue = new EventQueue(() => undefined);
  queue.add(event('a'));
  deliver(queue, 'accepted');
  queue.add(event('a', 'recovered'));
  for (let count = 0; count < MAX_QUEUED; count += 1) queue.add(event(String(count)));
  queue.add(event('a'));
  t.is(queue.first(MAX_QUEUED).at(-1)?.id, 'a');
});

test('an event that is sent again waits although the receiver has its state, until it is accepted', (t) => {
  const queue = new EventQueue(() => t.fail());
  const first = event('a');
  queue.add(first);
  queue.begin([first]);
  queue.settle(first, 'accepted');
  queue.end(false);
  const again = event('a');
  queue.add(again, true);
  queue.begin([]);
  queue.end(false);
  t.deepEqual(waiting(queue), ['failed a']);
  queue.begin([again]);
  queue.settle(again, 'accepted');
  queue.end(false);
  t.deepEqual(waiting(queue), []);
});
