import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { HostPort } from '../common/text/host-port.js';

/** A server, and the options of a TLS connection to it; without them there is no TLS. */
export interface SocketServer {
  readonly address: HostPort;
  readonly tls: ConnectionOptions | undefined;
}

/** Begins a TCP or TLS connection. */
export function openSocket({ address: { host, port }, tls }: SocketServer): Socket {
  const target = { host: host === '' ? 'localhost' : host, port };
  if (tls === undefined) return connectTcp(target);
  // Without a server name, a server with several certificates could choose the wrong one. Addresses are not server names.
  return connectTls({ ...(isIP(target.host) === 0 && { servername: target.host }), ...target, ...tls });
}
