// The keep-alive connections of a client to an operations endpoint, and their TLS.

import type { X509Certificate } from 'node:crypto';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import { reasonOf, type Logger } from '../../core/contract/index.js';
import { readCertificates } from '../../core/service/tls-files.js';
import type { OperationsOptions } from './operations-options.js';
import { OTHER_CERTIFICATE } from './reason.js';
import { readTlsClientFiles, TLS_FILES_READ, TLS_FILES_UNUSABLE, versionsOf } from './tls-files.js';

/** Most connections to an endpoint at a time; further requests wait for one. */
export const MAX_SOCKETS = 4;
/** Without cached sessions each new connection verifies the server certificate. */
const CONNECTIONS = { keepAlive: true, maxSockets: MAX_SOCKETS, maxCachedSessions: 0 } as const;

/** Keeps the agent for the current TLS files: a renewed certificate is used without a restart. */
export class OperationsAgents {
  readonly #options: OperationsOptions;
  readonly #log: Logger;
  /** The TLS files; none without TLS. */
  readonly #files: readonly string[];
  #agent: Agent | undefined;
  #versions = '';

  constructor(options: OperationsOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
    const { tls, ca, certificate, cert, key } = options;
    this.#files = tls ? [ca, certificate, cert, key] : [];
  }

  /**
   * Creates the agent.
   *
   * @throws Error naming the option, the TLS file and what is wrong with it
   */
  open(): void {
    this.close();
    this.#versions = versionsOf(this.#files);
    this.#agent = createAgent(this.#options);
  }

  /**
   * The agent for the current TLS files. When they changed but cannot be used, it is that for the previous ones.
   *
   * @throws Error when it is not open
   */
  current(): Agent {
    if (this.#agent === undefined) throw new Error('the plugin is not started');
    const versions = versionsOf(this.#files);
    if (versions !== this.#versions) {
      this.#versions = versions;
      this.#renew(this.#agent);
    }
    return this.#agent;
  }

  /** Closes all connections; requests in progress fail. */
  close(): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }

  #renew(previous: Agent): void {
    try {
      this.#agent = createAgent(this.#options);
    } catch (error) {
      this.#log.warn(`${TLS_FILES_UNUSABLE}: ${reasonOf(error)}`);
      return;
    }
    this.#log.info(TLS_FILES_READ);
    // Requests in progress end on the previous connections.
    previous.maxFreeSockets = 0;
    for (const sockets of Object.values(previous.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }
}

function createAgent(options: OperationsOptions): Agent {
  if (!options.tls) return new Agent(CONNECTIONS);
  const { certificate, serverName } = options;
  const files = readTlsClientFiles(options);
  const exact =
    options.ca === '' && certificate !== ''
      ? readCertificates(certificate, 'options.certificate:').certificates[0]
      : undefined;
  const trust = exact === undefined ? {} : { ca: exact.toString(), allowPartialTrustChain: true };
  return new TlsAgent({
    ...CONNECTIONS,
    secureContext: createSecureContext({ ...files, ...trust }),
    checkServerIdentity:
      exact === undefined ? checkServerIdentity : (_host, found) => differenceFrom(exact, found),
    ...(serverName !== '' && { servername: serverName }),
  });
}

/** Accepts exactly one certificate, whatever host names it has. A partial chain would also accept those that it has signed. */
function differenceFrom(expected: X509Certificate, found: PeerCertificate): Error | undefined {
  if (found.raw.equals(expected.raw)) return undefined;
  return Object.assign(new Error('another server certificate'), { code: OTHER_CERTIFICATE });
}
