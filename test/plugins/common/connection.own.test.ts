import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { ReconnectingConnection } from '../../../plugins/common/connection.js';
import { freePort } from '../../helpers/free-port.js';
import { ReceivedLines, startTcpDaemon } from '../../helpers/statsd-daemon.js';
import { until } from '../../helpers/until.js';
import { startStopwatch } from '../../helpers/stopwatch.js';

/** A connection to a local port and the events it reported. */
function createConnection(port: number) {
  const connected: boolean[] = [];
  const lost: { readonly at: number; readonly problem: string }[] = [];
  let closed = 0;
  const connection = new ReconnectingConnection(
    { host: '127.0.0.1', port },
    {
      connected: (isFirst) => connected.push(isFirst),
      drained: () => undefined,
      lost: (problem) => lost.push({ at: performance.now(), problem }),
      closed: () => (closed += 1),
    },
  );
  return { connection, connected, lost, closed: () => closed };
}

test('attempts are repeated with back-off until a daemon listens', async (t) => {
  const port = await freePort();
  const { connection, connected, lost } = createConnection(port);
  t.teardown(() => {
    connection.stopReconnecting();
    return connection.end(1);
  });
  connection.connect();
  await until(() => lost.length === 4);
  t.is(lost[0]?.problem, `connect ECONNREFUSED 127.0.0.1:${port}`);
  const waits = lost.slice(1).map(({ at }, index) => at - (lost[index]?.at ?? 0));
  // At least half of 0.1, 0.2 and 0.4 s; timers have a resolution of 1 ms.
  t.true((waits[0] ?? 0) >= 49 && (waits[1] ?? 0) >= 99 && (waits[2] ?? 0) >= 199, waits.join());
  await startTcpDaemon(t, new ReceivedLines(), { port });
  await until(() => connected.length === 1);
  t.deepEqual(connected, [false]);
  t.true(connection.isConnected);
  t.true(connection.isWritable);
});

test('waits grow while the daemon accepts connections, takes bytes and closes them', async (t) => {
  let accepted = 0;
  const daemon = createServer((socket) => {
    accepted += 1;
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
  await sleep(2000);
  // Waits of at least 50, 100, 200, 400, 800 ms; without growth about 25 attempts.
  t.true(accepted >= 3 && accepted <= 6, String(accepted));
  t.true(lost >= 3);
});

test('a connection over which the daemon has taken bytes for a second starts the waits again', async (t) => {
  const daemon = await startTcpDaemon(t, new ReceivedLines());
  const { connection, connected, lost } = createConnection(daemon.port);
  t.teardown(() => {
    connection.stopReconnecting();
    return connection.end(1);
  });
  connection.connect();
  for (let round = 1; round <= 4; round += 1) {
    await until(() => connected.length === round);
    connection.write(Buffer.from('a:1|c\n'), () => undefined);
    await sleep(1200);
    daemon.connections.at(-1)?.destroy();
    await until(() => lost.length === round);
  }
  const elapsed = startStopwatch(t);
  await until(() => connected.length === 5);
  // The fourth wait would be at least 400 ms.
  t.true(elapsed() < 350);
});

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

test('stopReconnecting ends the attempts', async (t) => {
  const { connection, lost } = createConnection(await freePort());
  connection.connect();
  await until(() => lost.length === 1);
  connection.stopReconnecting();
  await sleep(300);
  t.is(lost.length, 1);
});
