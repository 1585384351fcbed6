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

/** Peers with their heights and transactions. */
const peers = (found: Readonly<Record<string, readonly [height: number, transactions: number]>>) =>
  new Map(
    Object.entries(found).map(([name, [height, transactions]]) => [name, { height, transactions }] as const),
  );

test('without a peer there are no transactions', (t) => {
  const counts = new BlockCounts();
  counts.record(7, 0, 1);
  t.is(counts.transactionsPerMinute, undefined);
});

test('transactions are counted once, although each peer has them', (t) => {
  const counts = new BlockCounts();
  counts.record(7, 0, 1, peers({ peer1: [7, 100], peer2: [7, 40] }));
  counts.record(9, 1, 1, peers({ peer1: [9, 112], peer2: [8, 45] }));
  counts.record(9, 2, 1, peers({ peer1: [9, 112], peer2: [9, 52] }));
  counts.record(9, MINUTE, 1, peers({ peer1: [9, 112], peer2: [9, 52] }));
  t.deepEqual([counts.perMinute, counts.transactionsPerMinute], [[2], [12]]);
});

test('the transactions of a peer that catches up are not new', (t) => {
  const counts = new BlockCounts();
  counts.record(900, 0, 1, peers({ peer1: [900, 5000], peer2: [100, 300] }));
  counts.record(901, 1, 1, peers({ peer1: [901, 5003], peer2: [901, 5003] }));
  counts.record(902, MINUTE, 1, peers({ peer1: [902, 5004], peer2: [902, 5004] }));
  counts.record(902, 2 * MINUTE, 1);
  t.deepEqual(counts.transactionsPerMinute, [3, 1]);
});

test('a peer that was restarted counts from 0 again', (t) => {
  const counts = new BlockCounts();
  counts.record(7, 0, 1, peers({ peer1: [7, 100] }));
  counts.record(8, 1, 1, peers({ peer1: [8, 104] }));
  counts.record(8, 2, 1, peers({ peer1: [8, 0] }));
  counts.record(9, 3, 1, peers({ peer1: [9, 2] }));
  counts.record(9, MINUTE, 1, peers({ peer1: [9, 2] }));
  t.deepEqual(counts.transactionsPerMinute, [6]);
});
