// The program when the system, an operator or a daemon treats it badly.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { pluginSource, serveProject, type ServingProgram } from '../helpers/plugin-program.js';
import { ask } from '../helpers/raw-http.js';
import { ReceivedLines, startTcpDaemon } from '../helpers/statsd-daemon.js';
import { freePort } from '../helpers/free-port.js';

const GET = (path: string, connection = 'close'): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;

/** Milliseconds that a machine may take longer than the bounds of the program say. */
const SLOW_MACHINE = 8000;

/** A connection that is closed at the end of the test. */
async function open(t: ExecutionContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function statusOf(port: number, path: string): Promise<number | undefined> {
  return (await ask(port, GET(path)))[0]?.status;
}

test.serial(
  'without file descriptors left the agent answers whom it has, closes others at once, and serves again when some are free',
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
    const end = performance.now() + SLOW_MACHINE;
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
      `serving, stopping, stopped, and no word for each connection:\n${stderr}`,
    );
  },
);

/** A checker that makes metrics so large that the system cannot hold them for a reader. */
const MANY = pluginSource(
  'health',
  'many',
  `const family = context.metrics.counter({ name: 'many', help: 'Of the test.', labelNames: ['n'] });
   const long = 'x'.repeat(1000);
   for (let n = 0; n < 20_000; n += 1) family.with({ n: n + long }).inc();
   return { check() {} };`,
);
const LARGE = { files: { 'many.js': MANY }, settings: { metrics: { maxSeries: 20_000 } } };

/** Asks for large metrics and stops reading in the middle of them. */
async function startSlowScrape(
  t: ExecutionContext,
): Promise<{ program: ServingProgram; reader: Socket; begun: Buffer }> {
  const plugins = [{ plugin: './many.js' }, { plugin: 'prometheus' }];
  const program = await serveProject(t, { ...LARGE, settings: { ...LARGE.settings, plugins } });
  const reader = await open(t, program.port);
  reader.write(GET('/metrics'));
  const [begun] = (await once(reader, 'data')) as [Buffer];
  reader.pause();
  return { program, reader, begun };
}

test.serial(
  'at SIGTERM a slow reader of large metrics gets all of them, then the program ends with status 0',
  async (t) => {
    const { program, reader, begun } = await startSlowScrape(t);
    program.child.kill('SIGTERM');
    await program.line(/stopping/);
    await sleep(500);
    let bytes = begun.length;
    reader.on('data', (chunk) => (bytes += chunk.length)).resume();
    await once(reader, 'end');
    const head = begun.toString('latin1').split('\r\n\r\n')[0] ?? '';
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
    t.true(length > 20_000_000);
    t.is(bytes, head.length + 4 + length);
    t.is((await program.ended).status, 0);
  },
);

test.serial(
  'a reader of large metrics that does not read holds the end up for the time of grace and no longer',
  async (t) => {
    const { program } = await startSlowScrape(t);
    program.child.kill('SIGTERM');
    await program.line(/stopping/);
    const start = performance.now();
    t.is((await program.ended).status, 0);
    t.true(performance.now() - start < 5000 + SLOW_MACHINE);
  },
);

test.serial('a second signal during a scrape ends the program at once', async (t) => {
  const { program } = await startSlowScrape(t);
  program.child.kill('SIGTERM');
  await program.line(/stopping/);
  const start = performance.now();
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 1);
  t.true(performance.now() - start < 4000, 'the time of grace is 5 s');
});

/** A flush over tcp that a daemon does not read. */
async function startStalledFlush(t: ExecutionContext): Promise<ServingProgram> {
  const daemon = await startTcpDaemon(t, new ReceivedLines(), { onConnection: (socket) => socket.pause() });
  const options = { network: 'tcp', address: `127.0.0.1:${daemon.port}`, writeInterval: '100ms' };
  const plugins = [{ plugin: './many.js' }, { plugin: 'statsd', options }];
  const program = await serveProject(t, { ...LARGE, settings: { ...LARGE.settings, plugins } });
  await program.line(/pushing metrics failed, .*: the daemon does not read/);
  return program;
}

test.serial(
  'at SIGTERM a daemon that does not read holds the end up for the last flush and no longer',
  async (t) => {
    const program = await startStalledFlush(t);
    t.is(await statusOf(program.port, '/healthz'), 200);
    program.child.kill('SIGTERM');
    await program.line(/stopping/);
    const start = performance.now();
    const { status, stderr } = await program.ended;
    t.is(status, 0);
    // The flush under way and the last one get 2 s each, the connection 1.5 s.
    t.true(performance.now() - start < 5500 + SLOW_MACHINE);
    t.regex(stderr, /stopped\n$/);
  },
);

test.serial('a second signal during a flush ends the program at once', async (t) => {
  const program = await startStalledFlush(t);
  program.child.kill('SIGTERM');
  program.child.kill('SIGINT');
  t.is((await program.ended).status, 1);
});

test.serial(
  'killed again and again under open connections, the program starts at once on the same port',
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
