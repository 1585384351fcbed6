import test from 'ava';
import { stub } from 'sinon';
import { PacketQueue } from '../../../../core/kit/lines/packets.js';
import type { Packet, QueueDrop, Unacknowledged } from '../../../../core/kit/lines/packets.js';

/** A packet of ten bytes; a name that begins with `t` is a packet of observations, one with `g` of gauges. */
const packet = (name: string): Packet => ({
  bytes: Buffer.from(name.padEnd(10)),
  samples: 3,
  kind: name.startsWith('t') ? 'timing' : name.startsWith('g') ? 'value' : 'growth',
});

/** A queue with packets, all of flush 1. */
function queueOf(names: readonly string[], maxBytes = 1000, unacknowledged: Unacknowledged = 'resend') {
  let dropped = 0;
  const reasons = new Set<QueueDrop>();
  const queue = new PacketQueue(maxBytes, unacknowledged, (samples, reason) => {
    dropped += samples;
    reasons.add(reason);
  });
  for (const name of names) queue.add(packet(name), 1);
  return { queue, dropped: () => dropped, reasons: () => [...reasons] };
}

/** Removes and returns the names of all packets. */
function drain(queue: PacketQueue): string[] {
  const names: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next())
    names.push(next.bytes.toString().trim());
  return names;
}

test('packets are removed in the order in which they were added', (t) => {
  const { queue } = queueOf(['a', 'b', 't1']);
  t.is(queue.bytes, 30);
  t.deepEqual(drain(queue), ['a', 'b', 't1']);
  t.is(queue.bytes, 0);
});

for (const [names, kept] of [
  [['a', 'b', 'c'], 'a b c'],
  [['a', 'b', 'c', 'd'], 'b c d'],
  [['a', 't1', 't2', 'b', 'c'], 'a b c'],
  [['a', 't1', 'b', 't2'], 'a b t2'],
  [['t1', 't2', 't3', 't4', 't5'], 't3 t4 t5'],
] as const) {
  test(`a queue for three packets with ${names.join(' ')} keeps ${kept}`, (t) => {
    const { queue, dropped, reasons } = queueOf(names, 30);
    queue.trim();
    t.deepEqual(reasons(), names.length > 3 ? ['queue'] : []);
    t.is(drain(queue).join(' '), kept);
    t.is(dropped(), 3 * (names.length - 3));
  });
}

test('removing a flush keeps the packets of other flushes and drops nothing', (t) => {
  const { queue, dropped } = queueOf(['a', 'b']);
  queue.add(packet('c'), 2);
  queue.remove(1);
  t.is(queue.bytes, 10);
  t.deepEqual(drain(queue), ['c']);
  t.is(dropped(), 0);
});

for (const [elapsed, kept] of [
  [999, 'a'],
  [1000, ''],
] as const)
  test.serial(
    `a packet that was taken ${elapsed} ms ago ${kept === '' ? 'counts as read' : 'is sent again'}`,
    (t) => {
      let now = 0;
      const clock = stub(performance, 'now').callsFake(() => now);
      t.teardown(() => clock.restore());
      const { queue } = queueOf(['a']);
      queue.next()?.onTaken();
      now = elapsed;
      queue.requeue();
      t.is(drain(queue).join(' '), kept);
    },
  );

test('a queue at its limit is not over it', (t) => {
  const { queue, dropped } = queueOf(['a', 'b', 'c'], 30);
  t.false(queue.isOverLimit);
  queue.add(packet('d'), 1);
  t.true(queue.isOverLimit);
  queue.trim();
  t.false(queue.isOverLimit);
  t.is(dropped(), 3);
});

test.serial('a requeue puts back packets that were not taken, or taken in the last second', (t) => {
  let now = 0;
  const clock = stub(performance, 'now').callsFake(() => now);
  t.teardown(() => clock.restore());
  const { queue } = queueOf(['old', 'recent', 'never', 'waiting']);
  queue.next()?.onTaken();
  now = 500;
  queue.next()?.onTaken();
  queue.next();
  now = 1200;
  queue.requeue();
  t.is(queue.bytes, 30);
  t.deepEqual(drain(queue), ['recent', 'never', 'waiting']);
});

for (const [unacknowledged, kept, dropped] of [
  ['resend', 'a g1 t1 b', 0],
  ['drop', 'g1 b', 6],
] as const)
  test(`with unacknowledged: ${unacknowledged} a requeue after the loss of the connection keeps ${kept}`, (t) => {
    const names = ['a', 'g1', 't1', 'b'];
    const { queue, dropped: found, reasons } = queueOf(names, 1000, unacknowledged);
    for (let written = 0; written < 3; written += 1) queue.next()?.onTaken();
    queue.requeue();
    t.is(found(), dropped);
    t.deepEqual(reasons(), dropped === 0 ? [] : ['unacknowledged']);
    t.is(queue.bytes, kept.split(' ').length * 10);
    t.is(drain(queue).join(' '), kept);
  });
