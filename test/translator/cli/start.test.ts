// `configtxlator start`.

import { generateKeyPairSync } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scheduler } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { decode } from '../../../proto/index.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { CA, makeCertificate } from '../../helpers/make-certificate.js';
import { runCommand, runService, type RunningService } from '../../helpers/cli.js';
import { startProgram, TRANSLATOR, type RunningProgram } from '../../helpers/program.js';
import { sendRequest, exchangeRaw, parseResponses, type RawResponse } from '../../helpers/raw-http.js';
import { sendTlsRequest, clientOptions } from '../../helpers/tls-client.js';
import { rawRequest } from '../../helpers/translator.js';

interface Started extends RunningProgram {
  readonly port: number;
  /** The log line of the start. */
  readonly announced: string;
}

async function start(t: ExecutionContext, ...args: string[]): Promise<Started> {
  const program = startProgram(t, ['start', '--port', '0', ...args], { program: TRANSLATOR });
  const [announced, port] = await program.line(/^.*Serving HTTPS? requests on \S+:(\d+).*\n/);
  return { ...program, announced, port: Number(port) };
}

/** Starts it on 127.0.0.1. */
const startLocal = (t: ExecutionContext, ...args: string[]): Promise<Started> =>
  start(t, '--hostname', '127.0.0.1', ...args);

/** Runs it in the test process, on a free port of 127.0.0.1. */
const serve = (t: ExecutionContext, ...args: readonly string[]): Promise<RunningService> =>
  runService(t, ['--hostname=127.0.0.1', '--port=0', ...args]);

const start127 = ['start', '--hostname', '127.0.0.1'];
const DECODE = 'POST /protolator/decode/common.LastConfig';

test('it prints its address on one line without colours', async (t) => {
  const { announced, port, stderr } = await startLocal(t);
  t.regex(
    announced,
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC 0001 INFO \[configtxlator\] startServer -> Serving HTTP requests on 127\.0\.0\.1:\d+\n$/,
  );
  const [response] = await sendRequest(port, rawRequest(DECODE, [], Buffer.from([8, 7])));
  t.is(response?.body, '{\n\t"index": "7"\n}\n');
  const [wrong] = await sendRequest(port, rawRequest(DECODE, [], 'garbage'));
  t.is(wrong?.status, 400);
  t.is(stderr(), announced);
});

test('FABRIC_LOGGING_SPEC does not silence the line', async (t) => {
  const environment = { FABRIC_LOGGING_SPEC: 'error' };
  const { line } = startProgram(t, [...start127, '--port', '0'], { program: TRANSLATOR, environment });
  t.truthy(await line(/Serving HTTP requests on /));
});

test('without --hostname it listens on all IPv4 addresses', async (t) => {
  const { announced } = await start(t);
  t.regex(announced, / requests on 0\.0\.0\.0:\d+\n$/);
});

for (const [hostname, shown] of [
  ['', '\\[::\\]'],
  ['localhost', '127\\.0\\.0\\.1'],
  ['[::1]', '\\[::1\\]'],
] as const)
  test(`start --hostname=${hostname} prints the address ${shown}`, async (t) => {
    const { announced } = await runService(t, [`--hostname=${hostname}`, '--port=0']);
    t.regex(announced, new RegExp(`^\\S+ \\S+ UTC .* -> Serving HTTP requests on ${shown}:\\d+\\n$`));
  });

test('clients may use the name of --hostname, and names of --hosts', async (t) => {
  const { port } = await runService(t, ['--hostname=localhost', '--port=0', '--hosts=console.example']);
  for (const [host, status] of [
    ['localhost', 200],
    ['console.example', 200],
    ['other.example', 403],
  ] as const) {
    const request = `GET /version HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    t.is((await sendRequest(port, request))[0]?.status, status, host);
  }
});

test('CORS origins are printed and allowed', async (t) => {
  const { announced, port } = await serve(t, '--CORS', 'http://a', '--CORS=http://b');
  t.true(announced.endsWith(' with CORS [http://a http://b]\n'), announced);
  const [response] = await sendRequest(port, rawRequest(DECODE, ['Origin: http://b']));
  t.is(response?.headers.get('access-control-allow-origin'), 'http://b');
});

test('--max-body limits bodies, by default to 100 MB', async (t) => {
  const { port } = await serve(t, '--max-body', '1KB');
  const [response] = await sendRequest(port, rawRequest(DECODE, [], 'x'.repeat(1025)));
  t.is(response?.status, 413);
  const standard = await serve(t);
  // Of a larger body, as much again would be read first.
  const [refused] = await sendRequest(
    standard.port,
    `${DECODE} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 209715201\r\n\r\n`,
  );
  t.is(refused?.body, 'request body is larger than 104857600 bytes; the limit is set by --max-body\n');
});

/** A message with many empty consenters, whose JSON is much longer. */
const consenters = (count: number): Buffer => Buffer.from('0a00'.repeat(count), 'hex');
const sizeOf = (count: number): number => decode('common.Orderers', consenters(count)).length;

for (const [args, maxOutput] of [
  [['--max-body=1KB'], 4096],
  [['--max-body=1KB', '--max-output=9KB'], 9216],
] as const)
  test(`start ${args.join(' ')} decodes to at most ${maxOutput} bytes of JSON`, async (t) => {
    const { port } = await serve(t, ...args);
    const tooMany = Array.from({ length: 500 }, (_, index) => index).find(
      (each) => sizeOf(each) > maxOutput,
    )!;
    const statuses: unknown[] = [];
    for (const count of [tooMany - 1, tooMany]) {
      const request = rawRequest('POST /protolator/decode/common.Orderers', [], consenters(count));
      statuses.push((await sendRequest(port, request))[0]?.status);
    }
    t.deepEqual(statuses, [200, 400]);
  });

test('the channel page is served, except with --no-page', async (t) => {
  for (const [args, status] of [
    [[], 200],
    [['--no-page'], 404],
  ] as const) {
    const { port } = await serve(t, ...args);
    t.is((await sendRequest(port, rawRequest('GET /')))[0]?.status, status);
  }
});

test('a single process does not count workers in its health', async (t) => {
  const { port } = await serve(t, '--workers=1');
  const [response] = await sendRequest(port, rawRequest('GET /healthz'));
  t.false('workers' in (JSON.parse(response!.body) as object));
});

test('a stop ends it with the status 0, without an output', async (t) => {
  const { announced, port, stop, ended } = await serve(t);
  stop();
  t.deepEqual(await ended, { status: 0, stdout: '', stderr: announced });
  await untilRefused(port);
});

test('a fractional port is truncated', async (t) => {
  const { port } = await runService(t, ['--hostname=127.0.0.1', '--port=0.7']);
  t.true(port > 0);
});

test('an address in use is an error', async (t) => {
  const blocker = createServer();
  t.teardown(() => blocker.close());
  const port = await new Promise<number>((resolve) => {
    blocker.listen(0, '127.0.0.1', () => resolve((blocker.address() as { port: number }).port));
  });
  t.deepEqual(await runCommand(t, [...start127, '--port', String(port)]), {
    status: 1,
    stdout: '',
    stderr: `configtxlator: error: Could not bind to address '127.0.0.1:${port}': listen tcp 127.0.0.1:${port}: bind: address already in use\n`,
  });
});

for (const [hostname, message] of [
  [
    '192.0.2.1',
    "Could not bind to address '192.0.2.1:0': listen tcp 192.0.2.1:0: bind: this machine does not have the address",
  ],
  ['::1', "Could not bind to address '::1:0': listen tcp: address ::1:0: too many colons in address"],
  [
    'nowhere.invalid',
    "Could not bind to address 'nowhere.invalid:0': listen tcp: lookup nowhere.invalid: no such host",
  ],
] as const) {
  test(`start --hostname ${hostname} fails: ${message}`, async (t) => {
    const { status, stderr } = await runCommand(t, ['start', '--hostname', hostname, '--port', '0']);
    t.is(stderr, `configtxlator: error: ${message}\n`);
    t.is(status, 1);
  });
}

/** Begins a request; resolves when the service waits for the body. */
async function beginRequest(port: number): Promise<{ exchange: Promise<RawResponse>; finish: () => void }> {
  let finish = (): void => undefined;
  let exchange: Promise<RawResponse> | undefined;
  await new Promise<void>((resolve) => {
    exchange = exchangeRaw(port, (socket) => {
      // 100 Continue.
      socket.once('data', () => resolve());
      finish = () => socket.write('\b\u0007');
      socket.write(
        `${DECODE} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
      );
    });
  });
  return { exchange: exchange!, finish };
}

/** Resolves when the service no longer listens. */
async function untilRefused(port: number): Promise<void> {
  const isRefused = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(false));
      socket.on('error', () => resolve(true)).on('connect', () => socket.destroy());
    });
  while (!(await isRefused())) await scheduler.wait(20);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`after ${signal} the program finishes requests in flight before it exits`, async (t) => {
    const { child, ended, port } = await startLocal(t);
    const { exchange, finish } = await beginRequest(port);
    child.kill(signal);
    await untilRefused(port);
    finish();
    const response = parseResponses((await exchange).bytes).find(({ status }) => status >= 200);
    t.is(response?.body, '{\n\t"index": "7"\n}\n');
    t.is(response?.headers.get('connection'), 'close');
    const { status, signal: by } = await ended;
    t.deepEqual({ status, by }, { status: 0, by: null });
  });
}

test('a second signal exits at once', async (t) => {
  const { child, ended, port } = await startLocal(t);
  const { exchange } = await beginRequest(port);
  child.kill('SIGTERM');
  await untilRefused(port);
  child.kill('SIGTERM');
  t.is((await ended).status, 1);
  t.true((await exchange).closed);
});

const certificates = makeCertificates();
const { ca, server, clients } = certificates;
const TLS = ['--tls-cert', server.cert, '--tls-key', server.key];

test('with a certificate it accepts only TLS', async (t) => {
  const { announced, port } = await serve(t, ...TLS);
  t.true(announced.includes(' Serving HTTPS requests on 127.0.0.1:'), announced);
  t.is((await sendTlsRequest(port, '/healthz', clientOptions(ca.cert))).status, 200);
  const { bytes } = await exchangeRaw(port, rawRequest('GET /healthz'));
  t.false(bytes.startsWith('HTTP/1.1 200'));
});

test('an expired certificate is noted', async (t) => {
  const expired = ca.issue('expired-server', 'serverAuth', ['20200101000000Z', '20200201000000Z']);
  const { announced, stop, ended } = await serve(t, '--tls-cert', expired.cert, '--tls-key', expired.key);
  stop();
  t.is(
    (await ended).stderr,
    `configtxlator: note: clients refuse the server: --tls-cert ${expired.cert} expired on Feb  1 00:00:00 2020 GMT\n${announced}`,
  );
});

test('with a client CA, clients need a certificate', async (t) => {
  const { port } = await serve(t, ...TLS, '--tls-client-ca', ca.cert);
  t.is((await sendTlsRequest(port, '/healthz', clientOptions(ca.cert, clients.trusted))).status, 200);
  await t.throwsAsync(sendTlsRequest(port, '/healthz', clientOptions(ca.cert)));
});

test('TLS files may be pipes', async (t) => {
  const pipes = `exec "$0" "$1" start --hostname 127.0.0.1 --port 0 --tls-cert <(cat "$2") --tls-key /dev/stdin --tls-client-ca <(cat "$4") < <(cat "$3")`;
  const { line } = startProgram(t, [server.cert, server.key, ca.cert], {
    program: TRANSLATOR,
    under: ['bash', '-c', pipes],
  });
  const [, port] = await line(/Serving HTTPS requests on 127\.0\.0\.1:(\d+)/);
  t.is((await sendTlsRequest(Number(port), '/healthz', clientOptions(ca.cert, clients.trusted))).status, 200);
});

test('unusable TLS files are an error before the service listens', async (t) => {
  const directory = temporaryFolder(t, { empty: '' });
  const empty = join(directory, 'empty');
  writeFileSync(
    join(directory, 'other.key'),
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
  );
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const namesakes = ['one', 'two'].map(
    (name) => makeCertificate(directory, name, { subject: 'same', extensions: CA }).cert,
  );
  writeFileSync(join(directory, 'rsa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  for (const [args, message] of [
    [['--tls-cert', empty, '--tls-key', server.key], `--tls-cert ${empty} contains no PEM certificate\n`],
    [
      ['--tls-cert', server.key, '--tls-key', server.cert],
      `--tls-cert ${server.key} contains no PEM certificate; it contains a private key: are the files swapped?\n`,
    ],
    [
      ['--tls-cert', server.cert, '--tls-key', join(directory, 'other.key')],
      `--tls-key ${join(directory, 'other.key')} is invalid: `,
    ],
    ...[clients.trusted?.key ?? '', join(directory, 'rsa.key')].map(
      (key) =>
        [
          ['--tls-cert', server.cert, '--tls-key', key],
          `--tls-key ${key} does not belong to --tls-cert ${server.cert}\n`,
        ] as const,
    ),
    [[...TLS, '--tls-client-ca', empty], `--tls-client-ca ${empty} contains no PEM certificate\n`],
    [
      [...TLS, ...namesakes.flatMap((file) => ['--tls-client-ca', file])],
      '--tls-client-ca: two CAs have the name CN=same and different keys',
    ],
  ] as const) {
    const { status, stderr } = await runCommand(t, [...start127, ...args]);
    t.is(status, 1);
    t.true(stderr.startsWith(`configtxlator: error: ${message}`), stderr);
  }
});
