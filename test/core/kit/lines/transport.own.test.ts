// Packets over TCP: what waits, what is queued, and what is dropped.

import test, { type ExecutionContext } from 'ava';
import type { Packet, QueueDrop, SampleKind } from '../../../../core/kit/lines/packets.js';
import { LineSender, TcpTransport, type Transport } from '../../../../core/kit/lines/transport.js';
import { freePort } from '../../../helpers/free-port.js';
import { ReceivedLines, startTcpDaemon } from '../../../helpers/statsd-daemon.js';
import { until } from '../../../helpers/until.js';

const packet = (text: string, samples = 1, kind: SampleKind = 'growth'): Packet => ({
  bytes: Buffer.from(`${text}\n`),
  samples,
  kind,
});

/** A transport to a local port, and its events. */
function transportTo(t: ExecutionContext, port: number, isQueuedOffline: boolean, maxQueued = 100) {
  const events: string[] = [];
  const transport = new TcpTransport(
    { host: '127.0.0.1', port },
    { maxQueued, isQueuedOffline },
    {
      sent: (bytes) => void events.push(`sent ${bytes}`),
      reconnected: () => void events.push('reconnected'),
      dropped: (samples: number, reason: QueueDrop) => void events.push(`dropped ${samples} ${reason}`),
      reachable: (problem) => void events.push(`reachable ${problem}`),
    },
  );
  t.teardown(() => transport.stop());
  return { transport, events };
}

test('without a connection the newest packets are queued up to the limit, and the others are dropped', async (t) => {
  const { transport, events } = transportTo(t, await freePort(), true);
  await transport.begin();
  for (const text of ['a', 'b', 'c']) await transport.send(packet(text.repeat(49), 3));
  await transport.end();
  t.deepEqual(events, ['dropped 3 queue']);
  t.is(transport.queuedBytes, 100);
  t.true(transport.problem?.startsWith('the daemon is not connected: '));
});

test('packets that were queued offline are sent when the daemon listens, the oldest first', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { transport, events } = transportTo(t, daemon.port, true);
  await transport.begin();
  await transport.send(packet('a:1|c'));
  await transport.send(packet('b:1|c'));
  transport.start();
  await until(() => received.lines.length === 2);
  t.deepEqual(received.lines, ['a:1|c', 'b:1|c']);
  t.deepEqual(events, ['reachable undefined', 'sent 6', 'sent 6']);
  t.deepEqual([transport.queuedBytes, transport.problem], [0, undefined]);
});

test('without a connection a flush that is not queued fails with the reason', async (t) => {
  const port = await freePort();
  const { transport, events } = transportTo(t, port, false);
  transport.start();
  t.is(transport.problem, 'the daemon is not connected: the connection attempt is still in progress');
  await until(() => events.length > 0);
  const reason = `connect ECONNREFUSED 127.0.0.1:${port}`;
  t.is(events[0], `reachable ${reason}`);
  await t.throwsAsync(transport.begin(), {
    message: new RegExp(
      `^the daemon is not connected: (?:${reason}|the connection attempt is still in progress)$`,
    ),
  });
});

/** A transport that records its packets. */
function recorder(maxPacket: number) {
  const sent: string[] = [];
  const dropped: string[] = [];
  const transport = {
    maxPacket,
    send: async ({ bytes, samples, kind }: Packet) =>
      void sent.push(`${kind} ${samples} ${bytes.toString()}`),
  } as unknown as Transport;
  const { signal } = new AbortController();
  const drop = (reason: string, samples: number): void => void dropped.push(`${reason} ${samples}`);
  return { sender: new LineSender(transport, drop, signal), sent, dropped };
}

test('lines are sent in full packets of one kind, and what cannot be sent is dropped', async (t) => {
  const { sender, sent, dropped } = recorder(10);
  const add = async (text: string | undefined): Promise<void> =>
    sender.add(text === undefined ? undefined : Buffer.from(text));
  for (const text of ['1234', '5678', '9', undefined, 'x'.repeat(9), 'x'.repeat(10)]) await add(text);
  await sender.flush('timing');
  await sender.flush('value');
  await add('1');
  await sender.flush();
  await add('2');
  await sender.flush();
  t.deepEqual(sent, [
    'growth 2 1234\n5678\n',
    'growth 1 9\n',
    `growth 1 ${'x'.repeat(9)}\n`,
    'value 1 1\n',
    'growth 1 2\n',
  ]);
  t.deepEqual(dropped, ['value 1', 'length 1']);
});
