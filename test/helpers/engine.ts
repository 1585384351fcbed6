// Stand-ins for a Docker engine or another server.

import { spawn } from 'node:child_process';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from './folder.js';
import { guardProcess } from './guard.js';
import { PATIENCE } from './patience.js';

/** Listens on a free port of 127.0.0.1, or on a path; everything is closed at the end of the test. */
async function listen(t: ExecutionContext, server: Server, path?: string): Promise<number> {
  // A server of HTTP closes a connection that a busy client does not use for 5 s.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = PATIENCE;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    const onListening = (): void => resolve(path === undefined ? (server.address() as AddressInfo).port : 0);
    if (path === undefined) server.listen(0, '127.0.0.1', onListening);
    else server.listen(path, onListening);
  });
}

/** Starts an engine on a unix socket; the result is its endpoint. */
export async function engineOnSocket(t: ExecutionContext, onRequest: RequestListener): Promise<string> {
  const path = join(temporaryFolder(t), 'docker.sock');
  await listen(t, createHttpServer(onRequest), path);
  return `unix://${path}`;
}

/** Starts an engine on a TCP port; the result is `127.0.0.1:port`. */
export async function engineOnPort(t: ExecutionContext, onRequest: RequestListener): Promise<string> {
  return `127.0.0.1:${await listen(t, createHttpServer(onRequest))}`;
}

/** Starts an engine with TLS; the result is `127.0.0.1:port`. */
export async function engineOverTls(
  t: ExecutionContext,
  options: ServerOptions,
  onRequest: RequestListener = ok,
): Promise<string> {
  const server = createHttpsServer(options, onRequest);
  server.on('tlsClientError', () => undefined);
  return `127.0.0.1:${await listen(t, server)}`;
}

/** Starts a TCP server; the result is `127.0.0.1:port`. */
export async function bytesOnPort(t: ExecutionContext, onSocket: (socket: Socket) => void): Promise<string> {
  return `127.0.0.1:${await listen(t, createTcpServer(onSocket))}`;
}

/** The response of a healthy engine. */
export const ok: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('OK');
};

/** Starts a TLS server that requires client certificates and sends the alert for a rejected one, as engines do and Node.js does not. */
export function strictTls(
  t: ExecutionContext,
  files: { ca: string; cert: string; key: string },
  version: 'TLSv1.2' | 'TLSv1.3',
): Promise<string> {
  const flags = [`-CAfile=${files.ca}`, `-cert=${files.cert}`, `-key=${files.key}`].flatMap((flag) =>
    flag.split('='),
  );
  const rest = ['-accept', '127.0.0.1:0', '-Verify', '1', '-verify_return_error', '-www'];
  const child = spawn(
    'openssl',
    ['s_server', ...flags, ...rest, version === 'TLSv1.2' ? '-tls1_2' : '-tls1_3'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  guardProcess(child);
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`openssl s_server ended:\n${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const address = /ACCEPT (\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}
