import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import type { SinonFakeTimers } from 'sinon';
import { ReconnectingConnection } from '../../../../core/kit/lines/connection.js';
import { freePort } from '../../../helpers/free-port.js';
import { ReceivedLines, startTcpDaemon } from '../../../helpers/statsd-daemon.js';
import { until } from '../../../helpers/until.js';
import { stopTimeouts } from '../../../helpers/clock.js';

/** A connection to a local port and the events it reported. */
function createConnection(port: number) {
  const connected: boolean[] = [];
  const lost: string[] = [];
  let drained = 0;
  let closed = 0;
  const connection = new ReconnectingConnection(
    { host: '127.0.0.1', port },
    {
      connected: (isFirst) => connected.push(isFirst),
      drained: () => (drained += 1),
      lost: (problem) => lost.push(problem),
      closed: () => (closed += 1),
    },
  );
  return { connection, connected, lost, drained: () => drained, closed: () => closed };
}

/** Lets the next timeout fire, and returns how long it was, in milliseconds. */
function nextWait(clock: SinonFakeTimers): number {
  const start = clock.now;
  return clock.next() - start;
}

test.serial('attempts are repeated with back-off until a daemon listens', async (t) => {
  const clock = stopTimeouts(t);
  const port = await freePort();
  const { connection, connected, lost } = createConnection(port);
  t.teardown(() => {
    connection.stopReconnecting();
    return connection.end(1);
  });
  connection.connect();
  for (const [attempts, wait] of [100, 200, 400].entries()) {
    await until(() => lost.length === attempts + 1);
    const found = nextWait(clock);
    // Up to half of each wait is random.
    t.true(found >= wait / 2 && found <= wait, `${found} ms`);
  }
  await until(() => lost.length === 4);
  t.is(lost[0], `connect ECONNREFUSED 127.0.0.1:${port}`);
  await startTcpDaemon(t, new ReceivedLines(), { port });
  clock.next();
  await until(() => connected.length === 1);
  t.deepEqual(connected, [false]);
  t.true(connection.isConnected);
  t.true(connection.isWritable);
});

test.serial('waits grow while the daemon accepts connections, takes bytes and closes them', async (t) => {
  const clock = stopTimeouts(t);
  const daemon = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(daemon, 'listening');
  t.teardown(() => daemon.close());
  let lost = 0;
  const connection: ReconnectingConnection = new ReconnectingConnection(
    { host: '127.0.0.1', port: (daemon.address() as AddressInfo).port },
    {
      connected: () => connection.write(Buffer.from('a:1|c\n'), () => undefined),
      drained: () => undefined,
      lost: () => (lost += 1),
      closed: () => undefined,
    },
  );
  t.teardown(() => {
    connection.stopReconnecting();
    return connection.end(1);
  });
  connection.connect();
  for (const [attempts, wait] of [100, 200, 400, 800].entries()) {
    await until(() => lost === attempts + 1);
    // Only the wait: a connection that was lost does not start the waits again.
    t.is(clock.countTimers(), 1);
    const found = nextWait(clock);
    t.true(found >= wait / 2 && found <= wait, `${found} ms`);
  }
});

test.serial(
  'a connection over which the daemon has taken bytes for a second starts the waits again',
  async (t) => {
    const clock = stopTimeouts(t);
    const daemon = await startTcpDaemon(t, new ReceivedLines());
    const { connection, connected, lost } = createConnection(daemon.port);
    t.teardown(() => {
      connection.stopReconnecting();
      return connection.end(1);
    });
    connection.connect();
    for (let round = 1; round <= 4; round += 1) {
      await until(() => connected.length === round);
      let isTaken = false;
      connection.write(Buffer.from('a:1|c\n'), () => (isTaken = true));
      await until(() => isTaken);
      clock.tick(1000);
      daemon.connections.at(-1)?.destroy();
      await until(() => lost.length === round);
      const wait = nextWait(clock);
      t.true(wait <= 100, `${wait} ms`);
    }
  },
);

test('the first attempt is reported as the first', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines());
  const { connection, connected, closed } = createConnection(daemon.port);
  connection.connect();
  t.true(connection.isConnecting);
  await until(() => connected.length === 1);
  t.deepEqual(connected, [true]);
  t.false(connection.isConnecting);
  connection.stopReconnecting();
  await connection.end(5000);
  await until(() => closed() === 1);
  t.false(connection.isConnected);
});

test.serial('stopReconnecting ends the attempts', async (t) => {
  const clock = stopTimeouts(t);
  const { connection, lost } = createConnection(await freePort());
  connection.connect();
  await until(() => lost.length === 1);
  connection.stopReconnecting();
  t.is(clock.countTimers(), 0);
});

test('a connection whose daemon does not read is not writable until the daemon reads again', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines(), {
    onConnection: (socket) => socket.pause(),
  });
  const { connection, connected, drained } = createConnection(daemon.port);
  t.teardown(() => {
    connection.stopReconnecting();
    return connection.end(1);
  });
  t.false(connection.isWritable);
  connection.connect();
  await until(() => connected.length === 1);
  t.true(connection.isWritable);
  const bytes = Buffer.alloc(32 * 1024 * 1024, 'a\n');
  let taken = 0;
  connection.write(bytes, () => (taken += 1));
  t.true(connection.isConnected);
  t.false(connection.isWritable);
  t.deepEqual([drained(), taken], [0, 0]);
  daemon.connections[0]?.resume();
  await until(() => drained() === 1);
  t.true(connection.isWritable);
  t.is(taken, 1);
});

test.serial('the end of a connection waits for the daemon, but not longer than it is given', async (t) => {
  const clock = stopTimeouts(t);
  let hasEnded = false;
  const daemon = await startTcpDaemon(t, new ReceivedLines(), {
    // It does not close its side.
    onConnection: (socket) => void (socket.allowHalfOpen = true),
  });
  const { connection, connected, lost, closed } = createConnection(daemon.port);
  connection.connect();
  await until(() => connected.length === 1 && daemon.connections.length === 1);
  connection.stopReconnecting();
  const end = connection.end(700).then(() => (hasEnded = true));
  await until(() => clock.countTimers() === 1);
  clock.tick(699);
  await nextTurn();
  t.false(hasEnded);
  clock.tick(1);
  await end;
  await until(() => closed() === 1);
  t.deepEqual([lost, clock.countTimers()], [[], 0]);
});

test.serial('the end of a connection leaves no timer when the daemon closes it too', async (t) => {
  const clock = stopTimeouts(t);
  const received = new ReceivedLines();
  const daemon = await startTcpDaemon(t, received);
  const { connection, connected } = createConnection(daemon.port);
  connection.connect();
  await until(() => connected.length === 1);
  connection.write(Buffer.from('a:1|c\n'), () => undefined);
  connection.stopReconnecting();
  await connection.end(700);
  t.deepEqual(received.lines, ['a:1|c']);
  clock.tick(1000);
  t.is(clock.countTimers(), 0);
});

test('without a host the daemon is on this machine, and a connection that was never opened ends at once', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines(), { host: 'localhost' });
  let isConnected = false;
  const connection = new ReconnectingConnection(
    { host: '', port: daemon.port },
    {
      connected: () => (isConnected = true),
      drained: () => undefined,
      lost: () => undefined,
      closed: () => undefined,
    },
  );
  await connection.end(300_000);
  t.false(connection.isConnecting);
  connection.connect();
  await until(() => isConnected);
  connection.stopReconnecting();
  await connection.end(300_000);
});
