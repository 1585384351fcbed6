// One short HTTP/2 connection, as gRPC clients make it. The server is not trusted: headers are bounded, pushes are refused.

import { connect as connectHttp2, type ClientHttp2Session, type ClientSessionOptions } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { HostPort } from '../../core/contract/index.js';
import { formatAddress } from './format-address.js';

/** A server, and the options of a TLS connection to it; without them it is HTTP/2 without TLS. */
export interface Http2Server {
  readonly address: HostPort;
  readonly tls: ConnectionOptions | undefined;
}

const LIMITS: ClientSessionOptions = {
  maxHeaderListPairs: 64,
  /** In MiB. */
  maxSessionMemory: 1,
  settings: { enablePush: false, maxHeaderListSize: 16 * 1024, initialWindowSize: 64 * 1024 },
};

/**
 * Connects to a server and runs work as soon as the server has sent its settings. A gRPC client does not use a connection before.
 * The connection is closed when the work has ended or the signal is aborted.
 *
 * @throws what the work throws, the reason of the signal, or an error with the `code` of a failed connection
 */
export async function withHttp2Session<T>(
  server: Http2Server,
  signal: AbortSignal,
  work: (session: ClientHttp2Session) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const socket = openSocket(server);
  const url = `http${server.tls === undefined ? '' : 's'}://${formatAddress(server.address)}`;
  const session = connectHttp2(url, { ...LIMITS, createConnection: () => socket });
  let onAbort: (() => void) | undefined;
  const failed = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    socket.on('error', reject);
    session.on('error', reject);
    session.on('close', () => reject(closedError()));
  });
  try {
    const settled = new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()));
    return await Promise.race([settled.then(() => work(session)), failed]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    session.destroy();
    socket.destroy();
  }
}

function openSocket({ address: { host, port }, tls }: Http2Server): Socket {
  const target = { host: host === '' ? 'localhost' : host, port };
  return tls === undefined ? connectTcp(target) : connectTls({ ALPNProtocols: ['h2'], ...target, ...tls });
}

const closedError = (): Error =>
  Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
