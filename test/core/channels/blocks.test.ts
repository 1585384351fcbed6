import test from 'ava';
import { BlockCounts } from '../../../core/channels/blocks.js';

const MINUTE = 60_000;

test('the first height is no new block', (t) => {
  const counts = new BlockCounts();
  counts.record(7, 0, 1);
  t.deepEqual([counts.perMinute, counts.lastBlockAt], [[], undefined]);
});

test('new blocks are counted in the minute in which they were found', (t) => {
  const counts = new BlockCounts();
  counts.record(7, 0, 1000);
  counts.record(9, MINUTE - 1, 2000);
  counts.record(10, MINUTE, 3000);
  t.deepEqual([counts.perMinute, counts.lastBlockAt], [[2], 3000]);
  counts.record(10, 3 * MINUTE, 4000);
  t.deepEqual([counts.perMinute, counts.lastBlockAt], [[2, 1, 0], 3000]);
});

test('a smaller height does not count, nor do its blocks when they are found again', (t) => {
  const counts = new BlockCounts();
  counts.record(7, 0, 1);
  counts.record(3, 1, 2);
  counts.record(7, 2, 3);
  counts.record(8, MINUTE, 4);
  counts.record(8, 2 * MINUTE, 5);
  t.deepEqual([counts.perMinute, counts.lastBlockAt], [[0, 1], 4]);
});

test('60 minutes are kept, also after a long pause', (t) => {
  const counts = new BlockCounts();
  for (let minute = 0; minute <= 70; minute += 1) counts.record(minute, minute * MINUTE, 1);
  t.deepEqual(
    counts.perMinute,
    Array.from({ length: 60 }, () => 1),
  );
  counts.record(71, 1e12, 1);
  t.deepEqual(
    counts.perMinute,
    Array.from({ length: 60 }, () => 0),
  );
});
