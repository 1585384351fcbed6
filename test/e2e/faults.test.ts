// The program without free file descriptors, with slow clients, with a daemon that does not read, and after kill signals.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { pluginSource, serveProject, type ServingProgram } from '../helpers/plugin-program.js';
import { sendRequest } from '../helpers/raw-http.js';
import { ReceivedLines, startTcpDaemon } from '../helpers/statsd-daemon.js';
import { freePort } from '../helpers/free-port.js';
import { startStopwatch } from '../helpers/stopwatch.js';

const GET = (path: string, connection = 'close'): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;

/** Tolerance for slow machines, added to the time limits of the program, in milliseconds. */
const TOLERANCE = 8000;

/** Opens a connection that is closed when the test ends. */
async function open(t: ExecutionContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function statusOf(port: number, path: string): Promise<number | undefined> {
  return (await sendRequest(port, GET(path)))[0]?.status;
}

test.serial(
  'without free file descriptors the agent serves open connections, closes new ones immediately, and recovers when descriptors are free',
  async (t) => {
    const DESCRIPTORS = 96;
    const { port, child, ended } = await serveProject(
      t,
      { files: {}, settings: { metrics: { provider: 'prometheus' } } },
      { under: ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'] },
    );
    const kept = await open(t, port);
    kept.write(GET('/healthz', 'keep-alive'));
    await once(kept, 'data');
    const others = await Promise.all(Array.from({ length: 2 * DESCRIPTORS }, () => open(t, port)));
    let closed = 0;
    for (const other of others) other.resume().once('end', () => (closed += 1));
    const end = performance.now() + TOLERANCE;
    while (closed < DESCRIPTORS && performance.now() < end) await sleep(10);
    t.true(closed >= DESCRIPTORS, `${closed} of ${others.length} closed`);

    for (const path of ['/healthz', '/metrics', '/logspec']) {
      kept.write(GET(path, 'keep-alive'));
      t.regex(String(await once(kept, 'data')), /^HTTP\/1\.1 200 OK\r\n/, path);
    }
    t.is(await statusOf(port, '/healthz'), undefined);
    for (const other of others) other.destroy();
    while ((await statusOf(port, '/healthz')) !== 200) await sleep(50);
    child.kill('SIGTERM');
    const { status, stderr } = await ended;
    t.is(status, 0);
    t.is(
      stderr.split('\n').length,
      4,
      `only serving, stopping and stopped are logged, nothing per connection:\n${stderr}`,
    );
  },
);

/** A checker whose metrics are larger than the send buffer of a socket. */
const MANY = pluginSource(
  'checker',
  'many',
  `const family = context.metrics.counter({ name: 'many', help: 'A test metric.', labelNames: ['n'] });
   const long = 'x'.repeat(1000);
   for (let n = 0; n < 20_000; n += 1) family.with({ n: n + long }).inc();
   return { check() {} };`,
);
const LARGE = { files: { 'many.js': MANY }, settings: { metrics: { maxSeries: 20_000 } } };

/** Requests large metrics and stops reading after the first chunk. */
async function startSlowScrape(
  t: ExecutionContext,
): Promise<{ program: ServingProgram; reader: Socket; firstChunk: Buffer }> {
  const plugins = [{ plugin: './many.js' }, { plugin: 'prometheus' }];
  const program = await serveProject(t, { ...LARGE, settings: { ...LARGE.settings, plugins } });
  const reader = await open(t, program.port);
  reader.write(GET('/metrics'));
  const [firstChunk] = (await once(reader, 'data')) as [Buffer];
  reader.pause();
  return { program, reader, firstChunk };
}

test.serial(
  'after SIGTERM a slow client receives the complete /metrics response, then the program exits with status 0',
  async (t) => {
    const { program, reader, firstChunk } = await startSlowScrape(t);
    program.child.kill('SIGTERM');
    await program.line(/stopping/);
    await sleep(500);
    let bytes = firstChunk.length;
    reader.on('data', (chunk) => (bytes += chunk.length)).resume();
    await once(reader, 'end');
    const head = firstChunk.toString('latin1').split('\r\n\r\n')[0] ?? '';
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
    t.true(length > 20_000_000);
    t.is(bytes, head.length + 4 + length);
    t.is((await program.ended).status, 0);
  },
);

test.serial(
  'a client that stops reading /metrics delays the exit for at most the shutdown timeout',
  async (t) => {
    const { program } = await startSlowScrape(t);
    program.child.kill('SIGTERM');
    await program.line(/stopping/);
    const elapsed = startStopwatch(t);
    t.is((await program.ended).status, 0);
    t.true(elapsed() < 5000 + TOLERANCE);
  },
);

test.serial('a second signal during a scrape exits immediately', async (t) => {
  const { program } = await startSlowScrape(t);
  program.child.kill('SIGTERM');
  await program.line(/stopping/);
  const elapsed = startStopwatch(t);
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 1);
  t.true(elapsed() < 4000, 'the shutdown timeout is 5 s');
});

/** Starts a flush over TCP to a daemon that does not read. */
async function startStalledFlush(t: ExecutionContext): Promise<ServingProgram> {
  const daemon = await startTcpDaemon(t, new ReceivedLines(), { onConnection: (socket) => socket.pause() });
  const options = { network: 'tcp', address: `127.0.0.1:${daemon.port}`, writeInterval: '100ms' };
  const plugins = [{ plugin: './many.js' }, { plugin: 'statsd', options }];
  const program = await serveProject(t, { ...LARGE, settings: { ...LARGE.settings, plugins } });
  await program.line(/pushing metrics failed, .*: the daemon does not read/);
  return program;
}

test.serial(
  'after SIGTERM a daemon that does not read delays the exit for at most the last flush',
  async (t) => {
    const program = await startStalledFlush(t);
    t.is(await statusOf(program.port, '/healthz'), 200);
    program.child.kill('SIGTERM');
    await program.line(/stopping/);
    const elapsed = startStopwatch(t);
    const { status, stderr } = await program.ended;
    t.is(status, 0);
    // Time limits: 2 s for the current flush, 2 s for the last one, 1.5 s for the connection.
    t.true(elapsed() < 5500 + TOLERANCE);
    t.regex(stderr, /stopped\n$/);
  },
);

test.serial('a second signal during a flush exits immediately', async (t) => {
  const program = await startStalledFlush(t);
  program.child.kill('SIGTERM');
  program.child.kill('SIGINT');
  t.is((await program.ended).status, 1);
});

test.serial(
  'after SIGKILL with open connections the program can start on the same port immediately',
  async (t) => {
    const port = await freePort();
    const settings = { operations: { listenAddress: `127.0.0.1:${port}` } };
    for (let round = 0; round < 12; round += 1) {
      const { child, ended } = await serveProject(t, { files: {}, settings });
      const sockets = await Promise.all(Array.from({ length: 10 }, () => open(t, port)));
      for (const [index, socket] of sockets.entries())
        socket.write(index % 2 === 0 ? GET('/healthz', 'keep-alive') : 'GET /healthz HTTP/1.1\r\nHos');
      t.is(await statusOf(port, '/healthz'), 200);
      child.kill('SIGKILL');
      t.is((await ended).signal, 'SIGKILL');
    }
  },
);
