// One short HTTP/2 connection, as gRPC clients make it. The server is not trusted: headers are bounded, pushes are refused.

import { connect as connectHttp2, type ClientHttp2Session, type ClientSessionOptions } from 'node:http2';
import { untilAborted } from '../flow/until-aborted.js';
import { formatHostPort } from '../text/host-port.js';
import { openSocket, type SocketServer } from './socket.js';

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
  { address, tls }: SocketServer,
  signal: AbortSignal,
  work: (session: ClientHttp2Session) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const socket = openSocket({
    address,
    tls: tls === undefined ? undefined : { ALPNProtocols: ['h2'], ...tls },
  });
  const url = `http${tls === undefined ? '' : 's'}://${formatHostPort(address)}`;
  const session = connectHttp2(url, { ...LIMITS, createConnection: () => socket });
  const failed = new Promise<never>((_, reject) => {
    socket.on('error', reject);
    session.on('error', reject);
    session.on('close', () => reject(closedError()));
  });
  try {
    const settled = new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()));
    return await untilAborted(Promise.race([settled.then(() => work(session)), failed]), signal);
  } finally {
    session.destroy();
    socket.destroy();
  }
}

const closedError = (): Error =>
  Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
