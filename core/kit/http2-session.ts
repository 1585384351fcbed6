// One short HTTP/2 connection, as a gRPC client opens it. The server is not trusted: headers are bounded, pushes are refused.
//
// Checks do not use @grpc/grpc-js 1.14.7, which the orderer client uses for single calls. Measured with Node.js 20, one client per check and
// forced garbage collection: `Client.close()` does not end a connection whose server has not sent its settings, so 20 checks of a server that
// hangs left 20 connections open, and 40 checks of one that sends DATA after unfinished headers left 36. When the sockets were destroyed from
// outside after each call, 3 of 4 processes with 40 calls were aborted by Node.js (see `withWholeHeaders`).

import type { ClientHttp2Session, ClientSessionOptions } from 'node:http2';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { untilAborted } from '../common/flow/until-aborted.js';
import { formatHostPort, type HostPort } from '../common/text/host-port.js';

/** A server, and the options of a TLS connection to it; without them there is no TLS. */
export interface SocketServer {
  readonly address: HostPort;
  readonly tls: ConnectionOptions | undefined;
}

/** Opens a TCP or TLS socket without waiting for the connection. */
export function openSocket({ address: { host, port }, tls }: SocketServer): Socket {
  const target = { host: host === '' ? 'localhost' : host, port };
  if (tls === undefined) return connectTcp(target);
  // Without a server name, a server with several certificates could choose the wrong one. Addresses are not server names.
  return connectTls({ ...(isIP(target.host) === 0 && { servername: target.host }), ...target, ...tls });
}

const LIMITS: ClientSessionOptions = {
  maxHeaderListPairs: 64,
  /** In MiB. */
  maxSessionMemory: 1,
  settings: { enablePush: false, maxHeaderListSize: 16 * 1024, initialWindowSize: 64 * 1024 },
};

/**
 * Connects to a server and runs work as soon as the server has sent its settings. A gRPC client also waits for the settings. The connection
 * is closed when the work has ended or the signal is aborted.
 *
 * @throws the error of the work, the reason of the signal, or an error with the `code` of a failed connection
 */
export async function withHttp2Session<T>(
  { address, tls }: SocketServer,
  signal: AbortSignal,
  work: (session: ClientHttp2Session) => Promise<T>,
): Promise<T> {
  // Loaded only here: it takes memory, and few agents use it.
  const { connect: connectHttp2 } = await import('node:http2');
  signal.throwIfAborted();
  const socket = openSocket({
    address,
    tls: tls === undefined ? undefined : { ALPNProtocols: ['h2'], ...tls },
  });
  const url = `http${tls === undefined ? '' : 's'}://${formatHostPort(address)}`;
  const session = connectHttp2(url, { ...LIMITS, createConnection: () => withWholeHeaders(socket) });
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

/** Bytes of the header of a frame: length, type, flags, stream (RFC 9113, section 4.1). */
const FRAME_HEADER = 9;
const HEADERS = 0x1;
const PUSH_PROMISE = 0x5;
const CONTINUATION = 0x9;
const END_HEADERS = 0x4;

/**
 * A connection on which each block of headers must be one frame; a longer block closes the connection. Node.js 20 to 24 aborts the process
 * when an HTTP/2 session fails in the middle of such a block (`Assertion failed: (current_nghttp2_memory_) == (0)`), so a server could
 * crash the agent. The headers of a gRPC response fit in a frame of 16 KiB.
 */
function withWholeHeaders(socket: Socket): Duplex {
  const isWhole = wholeHeaders();
  const connection = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, callback) => void socket.write(chunk, callback),
    final: (callback) => void socket.end(callback),
    destroy(error, callback) {
      socket.destroy();
      callback(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    if (!isWhole(chunk)) connection.destroy(new Error('a block of headers is longer than one frame'));
    else if (!connection.push(chunk)) socket.pause();
  });
  socket.on('end', () => connection.push(null));
  socket.on('close', () => connection.destroy());
  return connection;
}

/** Reads the frame headers in the received chunks; returns false if a block of headers does not end in its frame. */
function wholeHeaders(): (chunk: Buffer) => boolean {
  const header = Buffer.alloc(FRAME_HEADER);
  let filled = 0;
  let payload = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      const skipped = Math.min(payload, chunk.length - at);
      payload -= skipped;
      at += skipped;
      const copied = chunk.copy(header, filled, at, at + FRAME_HEADER - filled);
      filled += copied;
      at += copied;
      if (filled < FRAME_HEADER) return true;
      filled = 0;
      payload = header.readUIntBE(0, 3);
      const [type, flags] = [header[3]!, header[4]!];
      const isOpen = (type === HEADERS || type === PUSH_PROMISE) && (flags & END_HEADERS) === 0;
      if (isOpen || type === CONTINUATION) return false;
    }
    return true;
  };
}

const closedError = (): Error =>
  Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
