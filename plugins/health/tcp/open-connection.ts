// One TCP or TLS connection.

import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { HostPort } from '../../../core/contract/index.js';

/**
 * Opens a connection and closes it at once.
 *
 * @param agent has the TLS settings
 * @throws Error with the `code` of a failed connection, or the reason of the signal
 */
export function openConnection(
  agent: Agent,
  { host, port }: HostPort,
  tls: boolean,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Without a server name, a TLS server with several certificates could choose the wrong one. Addresses are not server names.
    const servername = isIP(host) === 0 ? host : '';
    const { options } = agent as Agent & { readonly options: AgentOptions };
    const socket = agent.createConnection({ servername, ...options, host, port }) as Socket;
    const end = (error?: Error): void => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    const onAbort = (): void => end(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    socket.on('error', end);
    socket.on(tls ? 'secureConnect' : 'connect', () => end());
  });
}
