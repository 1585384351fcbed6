// The cases for plugins that send HTTP requests: servers that do not respond, or respond incorrectly.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { HostPort } from '../common/text/host-port.js';
import { reasonOf } from '../contract/errors.js';
import { inTime, type ContractCase } from './case.js';

/** A server that a client under test connects to. */
export interface NetworkServer {
  readonly address: HostPort;
  readonly tls: boolean;
  /** The file with the CA of its certificate; empty without TLS. */
  readonly ca: string;
}

/** A started plugin. */
export interface NetworkClient {
  /** Sends its requests once: a check, a reading, a push. Rejects if they fail. */
  use(signal: AbortSignal): Promise<void>;
  stop(): void | Promise<void>;
}

/** The parts of a request that {@link NetworkClientFixtures.respond} can read; `IncomingMessage` of `node:http` has them. */
export interface ServedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The functions of a response that {@link NetworkClientFixtures.respond} can call; `ServerResponse` of `node:http` has them. */
export interface ServedResponse {
  writeHead(status: number, headers?: Record<string, string | number>): unknown;
  setHeader(name: string, value: string | number): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
}

/** The fixtures for the suite of a network client. */
export interface NetworkClientFixtures {
  /** Creates and starts a plugin that connects to a server, with a timeout of at least a minute and without retries. */
  connect(server: NetworkServer): NetworkClient | Promise<NetworkClient>;
  /** Responds like a healthy server. A `RequestListener` of `node:http` can be given. */
  respond(this: void, request: ServedRequest, response: ServedResponse): void;
  /** Files of a server certificate for 127.0.0.1, its CA, and another CA. */
  readonly certificates: Readonly<Record<'cert' | 'key' | 'ca' | 'otherCa', string>>;
}

/** Maximum number of bytes of an endless body that may be sent, including buffers of the operating system. */
const MAX_READ = 64 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** A server of a case. */
interface Started {
  readonly port: number;
  /** The number of sent bytes. */
  readonly sent: () => number;
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
}

async function listen(server: Server): Promise<Started> {
  const sockets = new Set<Socket>();
  let closedBytes = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      closedBytes += socket.bytesWritten;
    });
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, closedBytes),
    connections: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a response with an endless body. */
const endless: RequestListener = ({ method }, response) => {
  response.writeHead(200);
  const write = (): void => {
    while (!response.destroyed && response.write(CHUNK));
  };
  if (method === 'HEAD') {
    response.end();
  } else {
    response.on('drain', write);
    write();
  }
};

const bytes = (text: string, end: 'end' | 'reset' | 'open'): Server =>
  createTcpServer((socket) => {
    socket.once('data', () => {
      socket.write(text, () => {
        if (end === 'end') socket.end();
        else if (end === 'reset') socket.resetAndDestroy();
      });
    });
  });

/** Servers without TLS that respond incorrectly, and the expected reason for each; undefined: any reason. */
const FAULTS: readonly (readonly [what: string, create: () => Server, reason: RegExp | undefined])[] = [
  [
    'a server that closes connections',
    () => bytes('', 'end'),
    /the connection was closed without a response/,
  ],
  [
    'a server that resets connections',
    () => bytes('', 'reset'),
    /the connection was closed without a response/,
  ],
  [
    'a server of another protocol',
    () => bytes('\u0000\u0001garbage\r\n\r\n', 'end'),
    /the response is not HTTP/,
  ],
  [
    'a response that is interrupted',
    () => bytes('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx', 'end'),
    undefined,
  ],
  [
    'a header that is too large',
    () => bytes(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1 << 20)}`, 'open'),
    undefined,
  ],
  [
    'a status that is not a number',
    () => bytes('HTTP/1.1 abc OK\r\n\r\n', 'end'),
    /the response is not HTTP/,
  ],
  [
    'interim responses without end',
    () => bytes('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5000), 'open'),
    undefined,
  ],
];

/**
 * The suite of a plugin that sends HTTP requests.
 *
 * @param label names the plugin in the titles
 */
export function networkClientCases(label: string, fixtures: NetworkClientFixtures): ContractCase[] {
  const { respond, certificates } = fixtures;
  const overTls = (): Server =>
    createHttpsServer(
      { cert: readFileSync(certificates.cert), key: readFileSync(certificates.key) },
      respond,
    );
  const failing = (
    what: string,
    create: () => Server,
    reason: RegExp | undefined,
    tls: Partial<NetworkServer> = {},
  ): ContractCase => ({
    title: `${label}: ${what} fails with a reason`,
    run: () =>
      withClient(fixtures, create(), tls, async ({ use }) => checkReason(await failureOf(use), reason)),
  });
  return [
    {
      title: `${label}: a healthy server is used`,
      run: () => withClient(fixtures, createHttpServer(respond), {}, async ({ use }) => use(noSignal())),
    },
    {
      title: `${label}: a healthy server with TLS is used`,
      run: () =>
        withClient(fixtures, overTls(), { tls: true, ca: certificates.ca }, async ({ use }) =>
          use(noSignal()),
        ),
    },
    {
      title: `${label}: no server fails with a reason`,
      run: () =>
        withClient(fixtures, undefined, {}, async ({ use }) =>
          checkReason(await failureOf(use), /connection refused/),
        ),
    },
    ...FAULTS.map(([what, create, reason]) => failing(what, create, reason)),
    failing(
      'a CA that did not issue the certificate',
      overTls,
      /its certificate is not signed by a trusted CA/,
      {
        tls: true,
        ca: certificates.otherCa,
      },
    ),
    failing('TLS to a server without it', () => createHttpServer(respond), /it does not use TLS/, {
      tls: true,
      ca: certificates.ca,
    }),
    failing('a server with TLS without it', overTls, /the connection was closed without a response/),
    {
      title: `${label}: an endless body is not read to its end`,
      run: () =>
        withClient(fixtures, createHttpServer(endless), {}, async ({ use, server }) => {
          // Only the size matters: some plugins do not read the body.
          await use(noSignal()).catch(() => undefined);
          assert.ok(server.sent() < MAX_READ, `${server.sent()} bytes were sent`);
        }),
    },
    {
      title: `${label}: a server that does not respond is used until the signal is aborted, and its connection is closed`,
      run: () =>
        withClient(fixtures, createTcpServer(), {}, async ({ use, server, connected }) => {
          const abort = new AbortController();
          const failure = failureOf(use, abort.signal);
          await inTime('the connection', Promise.race([connected, failure]));
          abort.abort(new Error('the caller stopped waiting'));
          checkReason(await failure, undefined);
          await inTime('the end of the connection', untilNone(server));
        }),
    },
  ];
}

const noSignal = (): AbortSignal => new AbortController().signal;

/** @param given undefined: nothing listens on the address */
async function withClient(
  fixtures: NetworkClientFixtures,
  given: Server | undefined,
  { tls = false, ca = '' }: Partial<NetworkServer>,
  work: (started: {
    readonly use: NetworkClient['use'];
    readonly server: Started;
    readonly connected: Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  const server = given ?? createTcpServer();
  const connected = new Promise<void>((resolve) => server.once('connection', () => resolve()));
  const started = await listen(server);
  if (given === undefined) await started.stop();
  const client = await fixtures.connect({ address: { host: '127.0.0.1', port: started.port }, tls, ca });
  try {
    const use = (signal: AbortSignal): Promise<void> => inTime('the use of the server', client.use(signal));
    await work({ use, server: started, connected });
  } finally {
    await inTime('stop', client.stop());
    await started.stop();
  }
}

async function failureOf(use: NetworkClient['use'], signal = noSignal()): Promise<unknown> {
  try {
    await use(signal);
  } catch (error) {
    return error;
  }
  return assert.fail('it must fail');
}

function checkReason(failure: unknown, expected: RegExp | undefined): void {
  assert.ok(failure instanceof Error, 'it must fail with an Error');
  assert.match(reasonOf(failure), /^[^\n]+$/, 'the reason must be one line');
  if (expected !== undefined) assert.match(reasonOf(failure), expected);
}

async function untilNone(server: Started): Promise<void> {
  while (server.connections() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
