// The checks of the options of push sinks.

import test from 'ava';
import {
  checkDaemonAddress,
  checkInterval,
  checkPrefix,
  checkSize,
  createPushMetrics,
  createReconnects,
  warnOfPrefix,
} from '../../../core/kit/push.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { textOf } from '../../helpers/exposition.js';

test('the shortest interval between pushes is 10 ms', (t) => {
  t.notThrows(() => checkInterval(10, 'options.every'));
  t.throws(() => checkInterval(9, 'options.every'), {
    message: 'options.every: must be at least 10ms: value was 9ms',
  });
});

test('the port of a daemon must not be 0', (t) => {
  t.notThrows(() => checkDaemonAddress({ host: '::1', port: 1 }, 'options.daemon'));
  t.throws(() => checkDaemonAddress({ host: '::1', port: 0 }, 'options.daemon'), {
    message: 'options.daemon: the port must not be 0: value was "[::1]:0"',
  });
});

for (const value of ['', 'a.b', 'a/b', 'ä'])
  test(`the prefix '${value}' is allowed`, (t) => {
    t.notThrows(() => checkPrefix(value));
  });
for (const value of ['a b', 'a\u0000', 'a:b', 'a|b', 7])
  test(`the prefix ${JSON.stringify(value)} is refused`, (t) => {
    t.throws(() => checkPrefix(value), {
      message: 'must be a string without whitespace, control characters, colons or vertical bars',
    });
  });

test('a warning names each character of a prefix that receivers do not keep, once', (t) => {
  t.is(warnOfPrefix('a_B-9.c'), undefined);
  t.is(
    warnOfPrefix('a/b;c/d'),
    "receivers remove or replace /;, or read it as the start of tags; use letters, digits, '_', '-' and '.'",
  );
});

for (const [value, isValid] of [
  [1, true],
  [2 ** 53 - 1, true],
  [0, false],
  [-1, false],
  [1.5, false],
  [2 ** 53, false],
  ['1', false],
] as const)
  test(`the size ${JSON.stringify(value)} is ${isValid ? 'valid' : 'refused'}`, (t) => {
    if (isValid) t.notThrows(() => checkSize(value));
    else t.throws(() => checkSize(value), { message: 'must be a whole number of 1 or more' });
  });

test('the metrics of a sink have its name, and no series before anything was dropped', async (t) => {
  const store = new MetricStore(10);
  const names = { namespace: 'pigeon', receiver: 'pigeons', sink: 'loft' };
  const { bytes, duration, flushes, dropped } = createPushMetrics<'lost'>(store, names);
  const lines = async (): Promise<string[]> =>
    (await textOf(store))
      .split('\n')
      .filter((line) => /^fabric_ops_agent_pigeon.*(?:total|count)/.test(line));
  dropped('lost', 0);
  t.deepEqual(
    (await lines()).filter((line) => line.includes('dropped')),
    [],
  );
  dropped('lost', 3);
  dropped('lost', 1);
  flushes('queued');
  bytes.inc(10);
  duration.observe(2);
  createReconnects(store, names).inc();
  t.deepEqual((await lines()).toSorted(), [
    'fabric_ops_agent_pigeon_dropped_total{reason="lost",sink="loft"} 4',
    'fabric_ops_agent_pigeon_flush_duration_seconds_count{sink="loft"} 1',
    'fabric_ops_agent_pigeon_flushes_total{result="queued",sink="loft"} 1',
    'fabric_ops_agent_pigeon_reconnects_total{sink="loft"} 1',
    'fabric_ops_agent_pigeon_sent_bytes_total{sink="loft"} 10',
  ]);
});
