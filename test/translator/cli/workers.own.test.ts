// `configtxlator start --workers`: real processes.

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { runProgram, startProgram, TRANSLATOR, type RunningProgram } from '../../helpers/program.js';
import { until } from '../../helpers/until.js';

interface Service {
  readonly program: RunningProgram;
  readonly url: string;
}

async function start(t: ExecutionContext, workers: string): Promise<Service> {
  const args = ['start', '--hostname', '127.0.0.1', '--port', '0', '--workers', workers];
  const program = startProgram(t, args, { program: TRANSLATOR });
  const [, address = ''] = await program.line(/Serving HTTP requests on (\S+)/);
  return { program, url: `http://${address}` };
}

interface Health {
  readonly status: string;
  readonly workers?: { readonly running: number; readonly configured: number };
}

/** Each call uses a new connection, so it may reach any worker. */
async function health(url: string): Promise<Health> {
  const response = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
  return (await response.json()) as Health;
}

const running = (url: string, count: number) => async (): Promise<boolean> => {
  const responses = await Promise.all([health(url), health(url), health(url), health(url)]);
  return responses.every(({ workers }) => workers?.running === count && workers.configured === 3);
};

/** The process ids of the workers. */
const workersOf = ({ child: { pid = 0 } }: RunningProgram): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** Whether the service accepts no more requests. An accepted request receives its response, even during the stop. */
const isRefused = (url: string): Promise<boolean> =>
  health(url).then(
    () => false,
    () => true,
  );

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/exe`);

test('three workers serve one port, and a killed one is replaced', async (t) => {
  const { program, url } = await start(t, '3');
  await until(running(url, 3), 100);
  const workers = workersOf(program);
  t.is(workers.length, 3);
  process.kill(workers[1]!, 'SIGKILL');
  await program.line(/a worker has ended \(SIGKILL\); another one is started/);
  await until(running(url, 3), 100);
  t.is(workersOf(program).filter((pid) => workers.includes(pid)).length, 2);
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 0);
  t.false(workers.some(isAlive));
});

test('a current request is completed before the workers stop', async (t) => {
  const { program, url } = await start(t, '2');
  await until(async () => (await health(url)).workers?.running === 2, 100);
  const call = request(`${url}/protolator/decode/common.LastConfig`, {
    method: 'POST',
    headers: { Expect: '100-continue' },
  });
  const response = once(call, 'response') as Promise<[IncomingMessage]>;
  call.write(Buffer.from([8]));
  await once(call, 'continue');
  program.child.kill('SIGTERM');
  await until(() => isRefused(url));
  call.end(Buffer.from([7]));
  const [received] = await response;
  t.is(await text(received), '{\n\t"index": "7"\n}\n');
  t.is((await program.ended).status, 0);
});

/** Resolves when a connection is closed, whether with an error or not. */
const closedOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

/** A connection with a request without its last byte, after a worker has begun to read the body. */
async function begin(t: ExecutionContext, url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  t.teardown(() => socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (part: string) => (received += part));
  socket.write(
    'POST /protolator/decode/common.LastConfig HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n\b',
  );
  await until(() => received.includes('100 Continue'));
  return { socket, received: () => received };
}

test('a stop finishes current requests and closes their connections, and no worker ends with an error', async (t) => {
  const { program, url } = await start(t, '2');
  await until(async () => (await health(url)).workers?.running === 2, 100);
  const begun = await Promise.all(Array.from({ length: 12 }, () => begin(t, url)));
  program.child.kill('SIGTERM');
  await until(() => isRefused(url));
  const closed = begun.map(({ socket }) => closedOf(socket));
  for (const { socket } of begun) socket.write('\u0007');
  await Promise.all(closed);
  for (const { received } of begun) {
    t.regex(received(), /HTTP\/1\.1 200 OK\r\n/);
    // An open connection would delay the stop until it has been idle for long enough.
    t.regex(received(), /\r\nConnection: close\r\n/i);
  }
  const { status, stderr } = await program.ended;
  t.is(status, 0);
  t.deepEqual(
    stderr.split('\n').filter((line) => !/ Serving HTTP requests on /.test(line)),
    [''],
  );
});

test('connections that arrive at a stop get a response or are closed, and none stays open', async (t) => {
  const { program, url } = await start(t, '2');
  await until(async () => (await health(url)).workers?.running === 2, 100);
  const sockets = Array.from({ length: 40 }, (_, index) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    t.teardown(() => socket.destroy());
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    if (index === 20) program.child.kill('SIGTERM');
    return socket.resume();
  });
  await Promise.all(sockets.map(closedOf));
  const { status, stderr } = await program.ended;
  t.deepEqual([status, /Error/.test(stderr)], [0, false]);
});

test('workers end when the primary process is killed', async (t) => {
  const { program, url } = await start(t, '2');
  await until(async () => (await health(url)).workers?.running === 2, 100);
  const workers = workersOf(program);
  program.child.kill('SIGKILL');
  await until(async () => !workers.some(isAlive), 100);
  t.pass();
});

test('a port in use is one error, and no worker remains', async (t) => {
  const { program, url } = await start(t, '2');
  const args = ['start', '--hostname', '127.0.0.1', '--port', new URL(url).port, '--workers', '2'];
  const { status, stderr } = await runProgram(t, args, { program: TRANSLATOR });
  t.is(status, 1);
  t.is(
    stderr,
    `configtxlator: error: Could not bind to address '127.0.0.1:${new URL(url).port}': listen tcp 127.0.0.1:${new URL(url).port}: bind: address already in use\n`,
  );
  t.true(workersOf(program).length > 0);
});

test('without --workers the health has no workers', async (t) => {
  const { url } = await start(t, '1');
  const { status, workers } = await health(url);
  t.deepEqual([status, workers], ['OK', undefined]);
});

for (const value of ['0', '65', 'two', '-1', ''])
  test(`--workers ${JSON.stringify(value)} is refused`, async (t) => {
    const { status, stderr } = await runProgram(t, ['start', '--port', '0', `--workers=${value}`], {
      program: TRANSLATOR,
    });
    t.deepEqual(
      [status, stderr],
      [
        1,
        `configtxlator: error: --workers must be auto or a number between 1 and 64: found ${JSON.stringify(value)}, try --help\n`,
      ],
    );
  });
