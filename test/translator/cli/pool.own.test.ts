// The processes of a service: the primary process is this one, and scripts are its workers.

import cluster from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { runWorkers, workerRole, type WorkerCount } from '../../../translator/cli/workers.js';
import { runCommand, runService } from '../../helpers/cli.js';
import { stopTimeouts } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { freePort } from '../../helpers/free-port.js';
import { TRANSLATOR } from '../../helpers/program.js';
import { until } from '../../helpers/until.js';

/** Sends the newest number of workers to each client, and ends on a stop, or with a status. */
const SERVING = `
let count = null;
process.on('message', (message) => (message.kind === 'stop' ? process.exit(0) : (count = message.count)));
process.on('SIGUSR2', () => process.exit(5));
require('node:net').createServer((socket) => socket.end(JSON.stringify(count))).listen(0, '127.0.0.1');
`;

interface Running {
  readonly listening: string[];
  readonly ended: string[];
  readonly stop: () => void;
  readonly status: Promise<number>;
}

function runPool(t: ExecutionContext, script: string, workers: number): Running {
  const file = join(temporaryFolder(t, { 'worker.cjs': script }), 'worker.cjs');
  cluster.setupPrimary({ exec: file, args: [], execArgv: [], silent: true });
  let stop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => (stop = resolve));
  const [listening, ended]: string[][] = [[], []];
  const status = runWorkers({
    workers,
    stopRequested,
    onListening: (address, port) => listening!.push(`${address}:${port}`),
    onEnded: (reason) => ended!.push(reason),
  });
  t.teardown(async () => {
    stop();
    for (const worker of alive()) worker.process.kill('SIGKILL');
    await status;
  });
  return { listening: listening!, ended: ended!, stop: () => stop(), status };
}

const alive = () => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);

/** The number of workers that one of them knows. */
const countAt = async ({ listening }: Running): Promise<WorkerCount | null> => {
  const [host = '', port = ''] = listening[0]!.split(':');
  return (await json(connect(Number(port), host))) as WorkerCount | null;
};

/** Waits until each of several connections reaches a worker that knows the number. */
const untilRunning = (pool: Running, running: number): Promise<void> =>
  until(async () => {
    if (pool.listening.length === 0) return false;
    const counts = await Promise.all([countAt(pool), countAt(pool), countAt(pool), countAt(pool)]);
    return counts.every((count) => count?.running === running);
  });

for (const [script, expected] of [
  ['process.exit(7)', 7],
  ['process.exit(0)', 1],
  ["process.kill(process.pid, 'SIGKILL')", 1],
] as const)
  test.serial(
    `the first worker runs ${script} before it listens: the service ends with ${expected}`,
    async (t) => {
      const { listening, ended, status } = runPool(t, script, 2);
      t.is(await status, expected);
      t.deepEqual([listening, ended, alive()], [[], [], []]);
    },
  );

/** Never listens. */
const STARTING = `
process.on('message', ({ kind }) => kind === 'stop' && process.exit(0));
setInterval(() => undefined, 1000);
`;

test.serial('a stop before the first worker listens ends the service with 0', async (t) => {
  const pool = runPool(t, STARTING, 2);
  await until(() => alive()[0]?.isConnected() === true);
  pool.stop();
  t.is(await pool.status, 0);
  t.deepEqual([pool.listening, pool.ended, alive()], [[], [], []]);
});

test.serial(
  'all workers know how many are configured and running, and a stop ends them with the status 0',
  async (t) => {
    const pool = runPool(t, SERVING, 3);
    await untilRunning(pool, 3);
    t.deepEqual(await countAt(pool), { running: 3, configured: 3 });
    t.is(alive().length, 3);
    t.is(pool.listening.length, 1);
    t.regex(pool.listening[0]!, /^127\.0\.0\.1:\d+$/);
    pool.stop();
    t.is(await pool.status, 0);
    t.deepEqual([alive(), pool.ended], [[], []]);
  },
);

for (const [signal, reason] of [
  ['SIGKILL', 'SIGKILL'],
  ['SIGUSR2', 'exit status 5'],
] as const)
  test.serial(`a worker that ends (${reason}) within ten seconds is replaced after one second`, async (t) => {
    const clock = stopTimeouts(t);
    const pool = runPool(t, SERVING, 2);
    await untilRunning(pool, 2);
    clock.tick(9_999);
    process.kill(alive()[1]!.process.pid!, signal);
    await until(() => pool.ended.length > 0);
    t.deepEqual(pool.ended, [reason]);
    await untilRunning(pool, 1);
    clock.tick(999);
    t.is(alive().length, 1);
    clock.tick(1);
    t.is(alive().length, 2);
    await untilRunning(pool, 2);
  });

test.serial('a worker that ends after ten seconds is replaced at once', async (t) => {
  const clock = stopTimeouts(t);
  const pool = runPool(t, SERVING, 2);
  await untilRunning(pool, 2);
  clock.tick(10_000);
  alive()[1]!.process.kill('SIGKILL');
  await until(() => pool.ended.length > 0);
  clock.tick(0);
  t.is(alive().length, 2);
  await untilRunning(pool, 2);
});

test.serial('a worker that ends before a stop is not replaced after it', async (t) => {
  const clock = stopTimeouts(t);
  const pool = runPool(t, SERVING, 2);
  await untilRunning(pool, 2);
  alive()[1]!.process.kill('SIGKILL');
  await until(() => pool.ended.length > 0);
  pool.stop();
  t.is(await pool.status, 0);
  clock.tick(1000);
  t.deepEqual([alive(), clock.countTimers()], [[], 0]);
});

/** Does not end on a stop. */
const STUBBORN = `
process.on('message', () => undefined);
setInterval(() => undefined, 1000);
require('node:net').createServer().listen(0, '127.0.0.1');
`;

test.serial('a worker that does not end is killed 15 seconds after a stop', async (t) => {
  const clock = stopTimeouts(t);
  const pool = runPool(t, STUBBORN, 1);
  await until(() => pool.listening.length > 0);
  await nextTurn();
  const [worker] = alive();
  pool.stop();
  await until(() => clock.countTimers() > 0);
  let hasEnded = false;
  worker!.once('exit', () => (hasEnded = true));
  clock.tick(14_999);
  t.is(worker!.process.killed, false);
  clock.tick(1);
  t.is(worker!.process.killed, true);
  t.is(await pool.status, 0);
  t.true(hasEnded);
});

/** A worker other than the first one listens only when it is told to stop. */
const LATE = `
const { openSync } = require('node:fs');
let isFirst = true;
try { openSync(__filename + '.first', 'wx'); } catch { isFirst = false; }
let stops = 0;
const listen = () => require('node:net').createServer().listen(0, '127.0.0.1');
process.on('message', ({ kind }) => {
  if (kind !== 'stop') return;
  stops += 1;
  if (isFirst || stops === 2) process.exit(0);
  listen();
});
if (isFirst) listen();
`;

test.serial('a worker that starts to listen during a stop is stopped then', async (t) => {
  const pool = runPool(t, LATE, 2);
  await until(() => alive().length === 2 && alive().every((worker) => worker.isConnected()));
  const ends: unknown[] = [];
  for (const worker of alive()) worker.once('exit', (...end) => ends.push(end));
  pool.stop();
  t.is(await pool.status, 0);
  // A worker that is not stopped is killed.
  t.deepEqual(ends, [
    [0, null],
    [0, null],
  ]);
});

/** Runs `start` as primary process; its workers are the real program. */
async function startPool(t: ExecutionContext, workers: string) {
  const args = ['--hostname=127.0.0.1', '--port=0', `--workers=${workers}`];
  cluster.setupPrimary({ exec: TRANSLATOR, args: ['start', ...args], execArgv: [], silent: true });
  const service = await runService(t, args);
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${service.port}/healthz`, {
      headers: { connection: 'close' },
    });
    return (await response.json()) as { readonly workers?: WorkerCount };
  };
  return { ...service, health };
}

test.serial('start with two workers says that one has ended, and ends with the status 0', async (t) => {
  const { announced, health, stop, ended } = await startPool(t, '2');
  await until(async () => (await health()).workers?.running === 2);
  const [worker] = alive();
  const exit = once(worker!, 'exit');
  worker!.process.kill('SIGKILL');
  await exit;
  stop();
  const { status, stderr } = await ended;
  t.is(status, 0);
  t.is(stderr, `${announced}configtxlator: note: a worker has ended (SIGKILL); another one is started\n`);
});

test.serial('start with --workers auto has a process for each core', async (t) => {
  const { health } = await startPool(t, 'auto');
  const count = availableParallelism();
  await until(async () => (await health()).workers !== undefined);
  t.is((await health()).workers?.configured, count);
});

/** Makes this process a worker. */
function becomeWorker(t: ExecutionContext, id: number, isConnected = true): EventEmitter {
  const worker = Object.assign(new EventEmitter(), { id, isConnected: () => isConnected });
  Object.assign(cluster, { worker });
  t.teardown(() => Object.assign(cluster, { worker: undefined }));
  return worker;
}

const isSettled = async (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), nextTurn(false)]);

test.serial('a process that is no worker has no role', (t) => {
  t.is(workerRole(), undefined);
});

for (const [id, isFirst] of [
  [1, true],
  [2, false],
] as const)
  test.serial(
    `the worker ${id} ${isFirst ? 'prints' : 'does not print'} the notes, and knows the newest number of workers`,
    async (t) => {
      const worker = becomeWorker(t, id);
      const role = workerRole()!;
      t.is(role.isFirst, isFirst);
      t.is(role.count(), undefined);
      const count = { running: 1, configured: 2 };
      worker.emit('message', { kind: 'count', count });
      t.deepEqual(role.count(), count);
      t.false(await isSettled(role.stopRequested));
      worker.emit('message', { kind: 'stop' });
      t.true(await isSettled(role.stopRequested));
    },
  );

for (const event of ['disconnect', 'error'])
  test.serial(`a worker stops at the event ${event} of the connection to the primary process`, async (t) => {
    const worker = becomeWorker(t, 1);
    const { stopRequested } = workerRole()!;
    worker.emit(event, new Error('EPIPE'));
    t.true(await isSettled(stopRequested));
  });

test.serial('a worker stops if the primary process has ended before', async (t) => {
  becomeWorker(t, 1, false);
  t.true(await isSettled(workerRole()!.stopRequested));
});

test.serial('a worker serves without the line of the start, and ends with the status 0', async (t) => {
  const worker = becomeWorker(t, 2);
  const port = await freePort();
  const ended = runCommand(t, ['start', '--hostname=127.0.0.1', `--port=${port}`, '--workers=2']);
  const get = async (): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /healthz HTTP/1.0\r\n\r\n');
    return text(socket);
  };
  await until(() => get().then(Boolean, () => false));
  worker.emit('message', { kind: 'count', count: { running: 1, configured: 2 } });
  t.true((await get()).endsWith(',"workers":{"running":1,"configured":2}}'));
  worker.emit('message', { kind: 'stop' });
  t.deepEqual(await ended, { status: 0, stdout: '', stderr: '' });
});
