import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { runAgentCommand, type CommandOutcome } from '../../helpers/agent-command.js';
import { Authority } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { runProgram } from '../../helpers/program.js';

/** A machine that is busy takes longer than the default allows. */
const PATIENTLY = ['--timeout', '30s'];

/** Runs the command; what it wrote and its status. */
const ask = (...args: string[]): Promise<CommandOutcome> =>
  runAgentCommand(['healthcheck', ...PATIENTLY, ...args]);

async function listen(t: ExecutionContext, server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A stand-in for the service. */
const standIn = (t: ExecutionContext, listener: RequestListener): Promise<string> =>
  listen(t, createHttpServer(listener));

const HEALTHY = { status: 0, stdout: '', stderr: '' };

test('a healthy service is status 0 and no output', async (t) => {
  const { url } = await startAgent(t);
  t.deepEqual(await ask('--url', url), HEALTHY);
  t.deepEqual(await ask('--url', `${url}/healthz`), HEALTHY);
});

test('the failed checks of a service are printed, a line each, and the status is 1', async (t) => {
  const { agent, url } = await startAgent(t);
  for (const name of ['disk', 'couchdb'])
    agent.health.register(name, () => Promise.reject(new Error(`${name}\nis away`)));
  t.deepEqual(await ask('--url', url), {
    status: 1,
    stdout: 'couchdb: couchdb is away\ndisk: disk is away\n',
    stderr: '',
  });
});

test('what a service answers cannot speak to the terminal', async (t) => {
  const { agent, url } = await startAgent(t);
  agent.health.register('disk', () => Promise.reject(new Error('\u001b[31mred\u0007')));
  t.is((await ask('--url', url)).stdout, 'disk: \\u001b[31mred\\u0007\n');
});

test('the program ends with the status of the command', async (t) => {
  const { agent, url } = await startAgent(t);
  const program = () => runProgram(t, ['healthcheck', ...PATIENTLY, '--url', url]);
  t.deepEqual(await program(), { ...HEALTHY, signal: null });
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  t.deepEqual(await program(), { status: 1, signal: null, stdout: 'disk: full\n', stderr: '' });
});

test('without a URL the address in the settings is asked', async (t) => {
  const { port } = await startAgent(t);
  for (const address of [`127.0.0.1:${port}`, `localhost:${port}`, `:${port}`, `0.0.0.0:${port}`])
    t.deepEqual(await ask('--set', `operations.listenAddress=${address}`), HEALTHY, address);
});

test('a port that is chosen at start cannot be asked', async (t) => {
  t.deepEqual(await ask('--set', 'operations.listenAddress=127.0.0.1:0'), {
    status: 2,
    stdout: '',
    stderr:
      "fabric-ops-agent: error: port 0 cannot be asked, say with --url where the service listens: found 'http://127.0.0.1:0/healthz'\n",
  });
});

test('any other status is printed', async (t) => {
  const url = await standIn(t, (_, response) => {
    response.statusCode = 404;
    response.end('{"error":"nothing here"}');
  });
  t.deepEqual(await ask('--url', `${url}/other`), {
    status: 1,
    stdout: 'answered with status 404\n',
    stderr: '',
  });
});

test('a path in the URL is asked as it is, the root is /healthz', async (t) => {
  const paths: (string | undefined)[] = [];
  const url = await standIn(t, (request, response) => {
    paths.push(request.url);
    response.end();
  });
  await ask('--url', url);
  await ask('--url', `${url}/`);
  await ask('--url', `${url}/probe?x=1`);
  t.deepEqual(paths, ['/healthz', '/healthz', '/probe?x=1']);
});

test('a service that refuses the connection is status 1 with the reason', async (t) => {
  const server = createServer();
  const url = await listen(t, server);
  await new Promise((resolve) => server.close(resolve));
  t.deepEqual(await ask('--url', url), {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent healthcheck: ${url}/healthz cannot be asked: connect ECONNREFUSED ${url.slice('http://'.length)}\n`,
  });
});

const silent: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['accepts and never answers', () => {}],
  ['stops after the header', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')],
  [
    'sends a body without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
      const timer = setInterval(() => socket.write('1\r\na\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    },
  ],
];
for (const [what, answer] of silent) {
  test(`a service that ${what} is status 1 when the time is over`, async (t) => {
    const url = await listen(
      t,
      createServer((socket) => socket.once('data', () => answer(socket))),
    );
    t.deepEqual(await ask('--url', url, '--timeout', '300.5ms'), {
      status: 1,
      stdout: '',
      stderr: `fabric-ops-agent healthcheck: ${url}/healthz cannot be asked: no answer within 300.5ms\n`,
    });
  });
}

test('a service that closes in the middle of its answer is status 1 with the reason', async (t) => {
  const url = await listen(
    t,
    createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    ),
  );
  t.deepEqual(await ask('--url', url), {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent healthcheck: ${url}/healthz cannot be asked: the answer broke off\n`,
  });
});

/** A service with TLS on, and the flags that a client of it needs. */
async function startTlsAgent(t: ExecutionContext, clientAuthRequired: boolean) {
  const folder = temporaryFolder(t);
  const authority = new Authority(folder, 'ca');
  const server = authority.issue('server', 'serverAuth');
  const { url } = await startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [authority.cert],
    'operations.tls.clientAuthRequired': clientAuthRequired,
  });
  const client = authority.issue('client', 'clientAuth');
  return {
    url,
    cacert: ['--cacert', authority.cert],
    client: ['--cert', client.cert, '--key', client.key],
    foreign: ['--cacert', new Authority(folder, 'other').cert],
  };
}

test('over TLS the server certificate is verified if an authority is named', async (t) => {
  const { url, cacert, foreign } = await startTlsAgent(t, false);
  t.deepEqual(await ask('--url', url), HEALTHY);
  t.deepEqual(await ask('--url', url, ...cacert), HEALTHY);
  const { status, stdout, stderr } = await ask('--url', url, ...foreign);
  t.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  t.regex(stderr, /^fabric-ops-agent healthcheck: \S+ cannot be asked: .*certificate.*\n$/);
});

test('where a client certificate is required, the one named is sent', async (t) => {
  const { url, cacert, client } = await startTlsAgent(t, true);
  t.deepEqual(await ask('--url', url, ...cacert, ...client), HEALTHY);
  const without = await ask('--url', url, ...cacert);
  t.is(without.status, 1);
  t.is(
    without.stderr,
    `fabric-ops-agent healthcheck: ${url}/healthz cannot be asked: it demands a client certificate; give one with --cert and --key\n`,
  );
});

test('a certificate without its key is a usage error', async (t) => {
  t.deepEqual(await ask('--url', 'https://127.0.0.1:1', '--cert', 'a.pem'), {
    status: 2,
    stdout: '',
    stderr: 'fabric-ops-agent: error: --cert and --key: both or none of them must be given\n',
  });
});

test('asking in clear where TLS is spoken, and the reverse, says what to do', async (t) => {
  const tls = await startTlsAgent(t, false);
  const inClear = await ask('--url', tls.url.replace('https:', 'http:'));
  t.regex(
    inClear.stderr,
    /it closed the connection without an answer; a service with TLS is asked with https:/,
  );
  const { url } = await startAgent(t);
  const overTls = await ask('--url', url.replace('http:', 'https:'));
  t.regex(overTls.stderr, /it does not speak TLS; ask it with http:/);
  t.deepEqual([inClear.status, overTls.status], [1, 1]);
});

test('a certificate file that cannot be read is one line of error and status 1', async (t) => {
  t.deepEqual(await ask('--url', 'https://127.0.0.1:1', '--cacert', '/nonexistent/ca.pem'), {
    status: 1,
    stdout: '',
    stderr: 'fabric-ops-agent: error: /nonexistent/ca.pem cannot be read: no such file\n',
  });
});

test('a file of authorities without any is one line of error and status 1', async (t) => {
  const folder = temporaryFolder(t, { 'ca.pem': 'nonsense' });
  t.deepEqual(await ask('--url', 'https://127.0.0.1:1', '--cacert', `${folder}/ca.pem`), {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent: error: ${folder}/ca.pem holds no certificate in PEM form\n`,
  });
});

test('a certificate file that holds something else is one line of error and status 1', async (t) => {
  const folder = temporaryFolder(t, { 'a.pem': 'nonsense' });
  const file = `${folder}/a.pem`;
  const { status, stderr } = await ask('--url', 'https://127.0.0.1:1', '--cert', file, '--key', file);
  t.is(status, 1);
  t.regex(stderr, /^fabric-ops-agent healthcheck: \S+ cannot be asked: .+\n$/);
});
