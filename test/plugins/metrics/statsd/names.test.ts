// The address of the daemon changes. These tests replace `dns.lookup`, so they run serially.

import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import test, { type ExecutionContext } from 'ava';
import { stub } from 'sinon';
import { ReceivedLines, startTcpDaemon, startUdpDaemon } from '../../../helpers/statsd-daemon.js';
import { batchOf, createSink, sample } from '../../../helpers/statsd-sink.js';
import { until } from '../../../helpers/until.js';

const NAME = 'metrics.example';
const ABORT = new AbortController().signal;

/** Resolves {@link NAME} to the current content of the list, or to an error while it is empty. */
function resolveTo(t: ExecutionContext, addresses: string[]): { lookups: () => number } {
  let lookups = 0;
  const resolve = () => {
    lookups += 1;
    if (addresses.length === 0) throw new Error(`getaddrinfo ENOTFOUND ${NAME}`);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  const promised = stub(dns.promises, 'lookup');
  promised.callThrough();
  promised.withArgs(NAME).callsFake((async () => resolve()) as never);
  const called = stub(dns, 'lookup');
  called.callThrough();
  called.withArgs(NAME).callsFake(((
    _name: string,
    _options: object,
    done: (error: unknown, addresses?: unknown) => void,
  ) => {
    let error: unknown = null;
    let found: unknown;
    try {
      found = resolve();
    } catch (thrown) {
      error = thrown;
    }
    setImmediate(done, error, found);
  }) as never);
  syncBuiltinESMExports();
  t.teardown(() => {
    promised.restore();
    called.restore();
    syncBuiltinESMExports();
  });
  return { lookups: () => lookups };
}

test.serial(
  'over tcp the name is resolved for each connection, and counters go to the new address',
  async (t) => {
    const addresses = ['127.0.0.1'];
    const { lookups } = resolveTo(t, addresses);
    const [old, moved] = [new ReceivedLines(), new ReceivedLines()];
    const first = await startTcpDaemon(t, old);
    await startTcpDaemon(t, moved, { host: '127.0.0.2', port: first.port });
    const { start, stop, store } = createSink(t, { network: 'tcp', address: `${NAME}:${first.port}` });
    const calls = store.counter({ name: 'calls', help: 'Calls.' });
    await start();
    calls.inc(3);
    await until(() => old.total('fabric_ops_agent.calls') === 3);
    t.is(lookups(), 1);
    addresses[0] = '127.0.0.2';
    await first.kill();
    // A flush into the lost connection, before the sink has noticed, would be dropped.
    await until(() => lookups() > 1);
    calls.inc(4);
    await until(() => moved.total('fabric_ops_agent.calls') >= 4);
    await stop();
    // Data written in the last second before the connection was lost may be sent again.
    t.true([4, 7].includes(moved.total('fabric_ops_agent.calls')));
  },
);

test.serial('over udp the name is resolved again after a failure', async (t) => {
  const addresses = ['127.0.0.1'];
  resolveTo(t, addresses);
  const [old, moved] = [new ReceivedLines(), new ReceivedLines()];
  const first = await startUdpDaemon(t, old);
  await startUdpDaemon(t, moved, { host: '127.0.0.2', port: first.port });
  const { start, stop, store } = createSink(t, { address: `${NAME}:${first.port}` });
  const calls = store.counter({ name: 'calls', help: 'Calls.' });
  await start();
  calls.inc(3);
  await until(() => old.total('fabric_ops_agent.calls') === 3);
  addresses[0] = '127.0.0.2';
  await first.kill();
  calls.inc(4);
  await until(() => moved.total('fabric_ops_agent.calls') >= 4);
  await stop();
  t.is(moved.total('fabric_ops_agent.calls') % 4, 0);
});

test.serial('over udp the name is resolved every minute, although the old address still works', async (t) => {
  const addresses = ['127.0.0.1'];
  const { lookups } = resolveTo(t, addresses);
  const [old, moved] = [new ReceivedLines(), new ReceivedLines()];
  const first = await startUdpDaemon(t, old);
  await startUdpDaemon(t, moved, { host: '127.0.0.2', port: first.port });
  const { sink, start } = createSink(t, { address: `${NAME}:${first.port}`, writeInterval: 60_000 });
  await start();
  const batch = batchOf({ counters: [sample('calls', 1)] });
  const now = performance.now.bind(performance);
  let later = 0;
  const clock = stub(performance, 'now').callsFake(() => now() + later);
  t.teardown(() => clock.restore());
  addresses.unshift('127.0.0.1');
  await sink.push.flush(batch, ABORT);
  addresses.splice(0, 2, '127.0.0.2');
  later = 50_000;
  await sink.push.flush(batch, ABORT);
  await until(() => old.total('calls') === 2);
  t.is(lookups(), 1);
  later = 61_000;
  await sink.push.flush(batch, ABORT);
  await until(() => moved.total('calls') === 1);
  t.is(lookups(), 2);
  t.is(old.total('calls'), 2);
});

for (const network of ['udp', 'tcp'] as const) {
  test.serial(
    `over ${network} a name with two addresses reaches a daemon that listens on the second`,
    async (t) => {
      resolveTo(t, ['::1', '127.0.0.1']);
      const received = new ReceivedLines();
      const daemon = await (network === 'udp' ? startUdpDaemon : startTcpDaemon)(t, received);
      const { start, store } = createSink(t, { network, address: `${NAME}:${daemon.port}` });
      const calls = store.counter({ name: 'calls', help: 'Calls.' });
      await start();
      calls.inc(2);
      await until(() => received.total('fabric_ops_agent.calls') === 2);
      calls.inc(2);
      await until(() => received.total('fabric_ops_agent.calls') === 4);
      t.is(received.total('fabric_ops_agent.calls'), 4);
    },
  );

  test.serial(`over ${network} a name that cannot be resolved is resolved again until it can`, async (t) => {
    const addresses: string[] = [];
    resolveTo(t, addresses);
    const received = new ReceivedLines();
    const daemon = await (network === 'udp' ? startUdpDaemon : startTcpDaemon)(t, received);
    const { start, store, log } = createSink(t, { network, address: `${NAME}:${daemon.port}` });
    store.counter({ name: 'calls', help: 'Calls.' }).inc(2);
    await start();
    await until(() => log.length === 1);
    t.regex(log[0] ?? '', new RegExp(`: getaddrinfo ENOTFOUND ${NAME}$`));
    addresses.push('127.0.0.1');
    await until(() => received.total('fabric_ops_agent.calls') === 2);
    await until(() => log.length === 2);
    t.is(log[1], 'info pushing metrics works again');
  });
}
