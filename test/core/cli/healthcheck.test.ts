import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { runAgentCommand, withFlag, type CommandOutcome } from '../../helpers/agent-command.js';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { runProgram } from '../../helpers/program.js';

/** Longer than the default, for a busy machine. */
const LONG_TIMEOUT = '5m';

/** Runs the command. */
const healthcheck = (...args: string[]): Promise<CommandOutcome> =>
  runAgentCommand(['healthcheck', ...withFlag('--timeout', LONG_TIMEOUT, args)]);

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

/** Starts a stand-in for the agent. */
const standIn = (t: ExecutionContext, listener: RequestListener): Promise<string> =>
  listen(t, createHttpServer(listener));

const HEALTHY = { status: 0, stdout: '', stderr: '' };

test('a healthy service: exit status 0 and no output', async (t) => {
  const { url } = await startAgent(t);
  t.deepEqual(await healthcheck('--url', url), HEALTHY);
  t.deepEqual(await healthcheck('--url', `${url}/healthz`), HEALTHY);
});

test('failed checks are printed one per line and the exit status is 1', async (t) => {
  const { agent, url } = await startAgent(t);
  for (const name of ['disk', 'couchdb'])
    agent.health.register(name, () => Promise.reject(new Error(`${name}\nis unavailable`)));
  t.deepEqual(await healthcheck('--url', url), {
    status: 1,
    stdout: 'couchdb: couchdb is unavailable\ndisk: disk is unavailable\n',
    stderr: '',
  });
});

test('control characters in a response are escaped', async (t) => {
  const { agent, url } = await startAgent(t);
  agent.health.register('disk', () => Promise.reject(new Error('\u001b[31mred\u0007')));
  t.is((await healthcheck('--url', url)).stdout, 'disk: \\u001b[31mred\\u0007\n');
});

test('the program exits with the status of the command', async (t) => {
  const { agent, url } = await startAgent(t);
  const program = () => runProgram(t, ['healthcheck', '--timeout', LONG_TIMEOUT, '--url', url]);
  t.deepEqual(await program(), { ...HEALTHY, signal: null });
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  t.deepEqual(await program(), { status: 1, signal: null, stdout: 'disk: full\n', stderr: '' });
});

test('healthcheck without --url: the listen address in the settings is used', async (t) => {
  const { port } = await startAgent(t);
  for (const address of [`127.0.0.1:${port}`, `localhost:${port}`, `:${port}`, `0.0.0.0:${port}`])
    t.deepEqual(await healthcheck('--set', `operations.listenAddress=${address}`), HEALTHY, address);
});

test('port 0 in the settings is a usage error', async (t) => {
  t.deepEqual(await healthcheck('--set', 'operations.listenAddress=127.0.0.1:0'), {
    status: 2,
    stdout: '',
    stderr:
      "fabric-ops-agent: error: port 0 is not a port to connect to; set --url: found 'http://127.0.0.1:0/healthz'\n",
  });
});

const UNEXPECTED: Readonly<Record<string, string>> = {
  '{"error":"nothing\\nhere"}': ': nothing\\nhere',
  '{"error":7}': '',
  '{}': '',
  null: '',
  '404 page not found\n': '',
};
for (const [body, error] of Object.entries(UNEXPECTED))
  test(`an unexpected HTTP status is printed, with the error in the body: ${JSON.stringify(body)}`, async (t) => {
    const url = await standIn(t, (_, response) => {
      response.statusCode = 404;
      response.end(body);
    });
    t.deepEqual(await healthcheck('--url', `${url}/other`), {
      status: 1,
      stdout: `unexpected HTTP status 404${error}\n`,
      stderr: '',
    });
  });

test('the path in --url can be /readyz or a component', async (t) => {
  const { agent, url } = await startAgent(t, { 'health.groups.ready.exclude': 'disk' });
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  agent.health.register('docker', () => undefined);
  t.deepEqual(await healthcheck('--url', `${url}/readyz`), HEALTHY);
  t.deepEqual(await healthcheck('--url', `${url}/healthz/docker`), HEALTHY);
  t.deepEqual(await healthcheck('--url', `${url}/healthz/disk`), {
    status: 1,
    stdout: 'disk: full\n',
    stderr: '',
  });
  t.is(
    (await healthcheck('--url', `${url}/healthz/dosk`)).stdout,
    "unexpected HTTP status 404: unknown component 'dosk'; did you mean disk?\n",
  );
});

test('a path in --url is kept, an empty path becomes /healthz', async (t) => {
  const paths: (string | undefined)[] = [];
  const url = await standIn(t, (request, response) => {
    paths.push(request.url);
    response.end();
  });
  await healthcheck('--url', url);
  await healthcheck('--url', `${url}/`);
  await healthcheck('--url', `${url}/probe?x=1`);
  t.deepEqual(paths, ['/healthz', '/healthz', '/probe?x=1']);
});

test('a refused connection: exit status 1 and the reason', async (t) => {
  const server = createServer();
  const url = await listen(t, server);
  await new Promise((resolve) => server.close(resolve));
  t.deepEqual(await healthcheck('--url', url), {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent healthcheck: ${url}/healthz: request failed: connection refused\n`,
  });
});

const NEVER_COMPLETE: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['accepts and never responds', () => {}],
  ['stops after the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')],
  [
    'sends an endless body',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
      const timer = setInterval(() => socket.write('1\r\na\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    },
  ],
];
for (const [what, respond] of NEVER_COMPLETE) {
  test(`a service that ${what}: exit status 1 at the timeout`, async (t) => {
    const url = await listen(
      t,
      createServer((socket) => socket.once('data', () => respond(socket))),
    );
    t.deepEqual(await healthcheck('--url', url, '--timeout', '300.5ms'), {
      status: 1,
      stdout: '',
      stderr: `fabric-ops-agent healthcheck: ${url}/healthz: request failed: the response took longer than 0.3005s\n`,
    });
  });
}

test('a truncated response: exit status 1 and the reason', async (t) => {
  const url = await listen(
    t,
    createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    ),
  );
  t.deepEqual(await healthcheck('--url', url), {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent healthcheck: ${url}/healthz: request failed: the response was truncated\n`,
  });
});

/** Starts a service with TLS; the result has the flags that a client needs. */
async function startTlsAgent(t: ExecutionContext, clientAuthRequired: boolean) {
  const directory = temporaryFolder(t);
  const ca = new TestCa(directory, 'ca');
  const server = ca.issue('server', 'serverAuth');
  const { url } = await startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
    'operations.tls.clientAuthRequired': clientAuthRequired,
  });
  const client = ca.issue('client', 'clientAuth');
  return {
    url,
    cacert: ['--cacert', ca.cert],
    client: ['--cert', client.cert, '--key', client.key],
    foreign: ['--cacert', new TestCa(directory, 'other').cert],
  };
}

test('with --ca the server certificate is verified, and --cacert is another name of it', async (t) => {
  const { url, cacert, foreign } = await startTlsAgent(t, false);
  const [, ca = ''] = cacert;
  t.deepEqual(await healthcheck('--url', url, '--ca', ca), HEALTHY);
  t.is((await healthcheck('--url', url, '--ca', foreign[1] ?? '')).status, 1);
  t.deepEqual(await healthcheck('--url', url, '--ca', ca, ...cacert), {
    status: 2,
    stdout: '',
    stderr: 'fabric-ops-agent: error: --ca and --cacert are the same flag; set one of them\n',
  });
});

test('with --cacert the server certificate is verified', async (t) => {
  const { url, cacert, foreign } = await startTlsAgent(t, false);
  t.deepEqual(await healthcheck('--url', url), HEALTHY);
  t.deepEqual(await healthcheck('--url', url, ...cacert), HEALTHY);
  const { status, stdout, stderr } = await healthcheck('--url', url, ...foreign);
  t.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  t.regex(stderr, /^fabric-ops-agent healthcheck: \S+: request failed: .*certificate.*\n$/);
});

test('the client certificate of --cert and --key is sent', async (t) => {
  const { url, cacert, client } = await startTlsAgent(t, true);
  t.deepEqual(await healthcheck('--url', url, ...cacert, ...client), HEALTHY);
  const without = await healthcheck('--url', url, ...cacert);
  t.is(without.status, 1);
  t.is(
    without.stderr,
    `fabric-ops-agent healthcheck: ${url}/healthz: request failed: the agent requires a client certificate; set --cert and --key\n`,
  );
});

test('--cert without --key is a usage error', async (t) => {
  t.deepEqual(await healthcheck('--url', 'https://127.0.0.1:1', '--cert', 'a.pem'), {
    status: 2,
    stdout: '',
    stderr: 'fabric-ops-agent: error: --cert and --key must be set together\n',
  });
});

test('http to a TLS port and https to a plain port: the reason says what to do', async (t) => {
  const tls = await startTlsAgent(t, false);
  const overPlain = await healthcheck('--url', tls.url.replace('https:', 'http:'));
  t.regex(
    overPlain.stderr,
    /the connection was closed without a response; if the agent uses TLS, use https:/,
  );
  const { url } = await startAgent(t);
  const overTls = await healthcheck('--url', url.replace('http:', 'https:'));
  t.regex(overTls.stderr, /the agent does not use TLS; use http:/);
  t.deepEqual([overPlain.status, overTls.status], [1, 1]);
});

test('an unreadable --cacert file: one error line and exit status 1', async (t) => {
  t.deepEqual(await healthcheck('--url', 'https://127.0.0.1:1', '--cacert', '/nonexistent/ca.pem'), {
    status: 1,
    stdout: '',
    stderr: 'fabric-ops-agent: error: --cacert /nonexistent/ca.pem cannot be read: no such file\n',
  });
});

test('a --cacert file without a certificate: one error line and exit status 1', async (t) => {
  const directory = temporaryFolder(t, { 'ca.pem': 'nonsense' });
  t.deepEqual(await healthcheck('--url', 'https://127.0.0.1:1', '--cacert', `${directory}/ca.pem`), {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent: error: --cacert ${directory}/ca.pem contains no PEM certificate\n`,
  });
});

test('a --cert file without a certificate: one error line and exit status 1', async (t) => {
  const directory = temporaryFolder(t, { 'a.pem': 'nonsense' });
  const file = `${directory}/a.pem`;
  const { status, stderr } = await healthcheck('--url', 'https://127.0.0.1:1', '--cert', file, '--key', file);
  t.is(status, 1);
  t.is(stderr, `fabric-ops-agent: error: --cert ${file} contains no PEM certificate\n`);
});
