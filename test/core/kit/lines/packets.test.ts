import test from 'ava';
import { Packer } from '../../../../core/kit/lines/packets.js';
import { ReceivedLines, startUdpDaemon } from '../../../helpers/statsd-daemon.js';
import { batchOf, createSink, sample, type GivenOptions } from '../../../helpers/statsd-sink.js';
import { until } from '../../../helpers/until.js';

test('a packer fills a packet to the last byte and puts a line that does not fit into the next packet', (t) => {
  const packer = new Packer(10, 'timing');
  t.is(packer.add(Buffer.from('1234')), undefined);
  t.is(packer.add(Buffer.from('5678')), undefined);
  const full = packer.add(Buffer.from('9'));
  t.deepEqual(full, { bytes: Buffer.from('1234\n5678\n'), samples: 2, kind: 'timing' });
  t.deepEqual(packer.take(), { bytes: Buffer.from('9\n'), samples: 1, kind: 'timing' });
  t.is(packer.take(), undefined);
});

const SIZES = [
  [9, true],
  [10, false],
] as const;
for (const [size, fits] of SIZES) {
  test(`a line of ${size} bytes and its line feed ${fits ? 'fit' : 'do not fit'} into a packet of 10`, (t) => {
    t.is(new Packer(10, 'growth').fits(Buffer.alloc(size)), fits);
  });
}

for (const maxDatagram of [64, 512, 1432, 8932]) {
  test(`with maxDatagram: ${maxDatagram} no datagram is larger, no line is split, and no line is missing`, async (t) => {
    const received = new ReceivedLines();
    const daemon = await startUdpDaemon(t, received);
    const { sink, start } = createSink(t, {
      address: `127.0.0.1:${daemon.port}`,
      maxDatagram,
      writeInterval: 60_000,
    });
    await start();
    const numbers = Array.from({ length: 500 }, (_, number) => number);
    await sink.push.flush(
      batchOf({
        counters: numbers.map((number) => sample(`c${'x'.repeat(number % 30)}`, number + 1)),
        gauges: numbers.map((number) => sample(`g${number}`, -number)),
        timings: numbers.map((number) => sample('t', number)),
      }),
      new AbortController().signal,
    );
    await until(() => received.of('t', 'ms').length === 500);
    const sizes = daemon.datagrams.map(({ length }) => length);
    t.true(Math.max(...sizes) <= maxDatagram);
    t.true(Math.max(...sizes) > maxDatagram - 64, 'datagrams are filled');
    t.true(daemon.datagrams.every((datagram) => datagram.at(-1) === 10));
    t.true(received.lines.every((line) => /^[a-z0-9]+:-?\d+\.\d{6}\|(c|g|ms)$/.test(line)));
    t.deepEqual(
      received.of('t', 'ms').map(({ value }) => value),
      numbers.map((number) => number * 1000),
    );
    t.is(received.lines.filter((line) => line.endsWith('|c')).length, 500);
    // One line for each value, and a zero before each negative value.
    t.is(received.lines.filter((line) => line.endsWith('|g')).length, 500 + 499);
    for (const datagram of daemon.datagrams) {
      const lines = datagram.toString().split('\n');
      for (const [index, line] of lines.entries())
        if (/^g\d+:-/.test(line)) t.is(lines[index - 1], `${line.slice(0, line.indexOf(':'))}:0.000000|g`);
    }
  });
}

const TOO_LONG: readonly (readonly [GivenOptions, number])[] = [
  [{ maxDatagram: 100 }, 101],
  [{}, 2000],
];
for (const [options, length] of TOO_LONG) {
  test(`over udp with ${JSON.stringify(options)} a line of ${length} bytes is dropped and counted, the others arrive`, async (t) => {
    const received = new ReceivedLines();
    const daemon = await startUdpDaemon(t, received);
    const { sink, start, counted } = createSink(t, {
      address: `127.0.0.1:${daemon.port}`,
      writeInterval: 60_000,
      ...options,
    });
    await start();
    const bucket = 'x'.repeat(length - ':1.000000|c\n'.length);
    const counters = [sample('before', 1), sample(bucket, 1), sample('after', 1)];
    await sink.push.flush(batchOf({ counters }), new AbortController().signal);
    await until(() => received.lines.length === 2);
    t.deepEqual(received.lines, ['before:1.000000|c', 'after:1.000000|c']);
    t.is(await counted('fabric_ops_agent_statsd_dropped_total', 'length'), 1);
  });
}

test('values that StatsD cannot represent are dropped and counted', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startUdpDaemon(t, received);
  const { sink, start, counted } = createSink(t, {
    address: `127.0.0.1:${daemon.port}`,
    writeInterval: 60_000,
  });
  await start();
  await sink.push.flush(
    batchOf({ gauges: [sample('a', NaN), sample('b', Infinity), sample('c', 1)] }),
    new AbortController().signal,
  );
  await until(() => received.lines.length === 1);
  t.deepEqual(received.lines, ['c:1.000000|g']);
  t.is(await counted('fabric_ops_agent_statsd_dropped_total', 'value'), 2);
});
