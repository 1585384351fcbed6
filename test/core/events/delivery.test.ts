import test from 'ava';
import type { AgentEvent } from '../../../core/contract/index.js';
import { EventQueue, MAX_QUEUED } from '../../../core/events/delivery.js';

const event = (id: string): AgentEvent => ({
  id,
  component: id,
  state: 'failed',
  severity: 'critical',
  reason: '',
  since: 0,
  fields: {},
});

test('events that were delivered are removed, and later ones stay', (t) => {
  const queue = new EventQueue(() => t.fail());
  for (const id of ['a', 'b', 'c']) queue.add(event(id));
  const first = queue.first(2);
  queue.add(event('d'));
  queue.remove(first);
  t.deepEqual(
    queue.first(9).map(({ id }) => id),
    ['c', 'd'],
  );
});

test(`of more than ${MAX_QUEUED} events the oldest one that a later one supersedes is dropped`, (t) => {
  let dropped = 0;
  const queue = new EventQueue(() => void (dropped += 1));
  for (let count = 0; count < MAX_QUEUED; count += 1) queue.add(event(count === 7 ? '9' : String(count)));
  queue.add(event('last'));
  t.is(dropped, 1);
  t.is(queue.size, MAX_QUEUED);
  t.deepEqual(
    queue.first(9).map(({ id }) => id),
    ['0', '1', '2', '3', '4', '5', '6', '8', '9'],
  );
});

test(`of more than ${MAX_QUEUED} different events the oldest is dropped`, (t) => {
  const queue = new EventQueue(() => undefined);
  for (let count = 0; count <= MAX_QUEUED; count += 1) queue.add(event(String(count)));
  t.is(queue.first(1)[0]?.id, '1');
});
