// The keep-alive connections of a client to an HTTP endpoint.

import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { Renewed, type RenewalLog } from './renewed.js';
import { filesOf, readEndpointTls, type EndpointTls } from './tls.js';

/** Most connections to an endpoint at a time; further requests wait for one. */
export const MAX_SOCKETS = 4;
/** Without cached sessions each new connection verifies the server certificate. */
const CONNECTIONS = { keepAlive: true, maxSockets: MAX_SOCKETS, maxCachedSessions: 0 } as const;

/** Keeps the agent for the current TLS files. */
export class ClientAgents {
  readonly #agents: Renewed<Agent>;
  #agent: Agent | undefined;

  constructor(options: EndpointTls, log: RenewalLog) {
    this.#agents = new Renewed(filesOf(options), () => createAgent(options), log);
  }

  /**
   * Creates the agent.
   *
   * @throws Error naming the option, the TLS file and what is wrong with it
   */
  open(): void {
    this.close();
    this.#agent = this.#agents.open();
  }

  /**
   * The agent for the current TLS files, see {@link Renewed.current}.
   *
   * @throws Error when it is not open
   */
  async current(): Promise<Agent> {
    const agent = await this.#agents.current();
    if (this.#agent !== undefined && agent !== this.#agent) closeIdle(this.#agent);
    this.#agent = agent;
    return agent;
  }

  /** Closes all connections; requests in progress fail. */
  close(): void {
    this.#agents.close();
    this.#agent?.destroy();
    this.#agent = undefined;
  }
}

/** Requests in progress end on their connections. */
function closeIdle(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

function createAgent(options: EndpointTls): Agent {
  const tls = readEndpointTls(options);
  return tls === undefined ? new Agent(CONNECTIONS) : new TlsAgent({ ...CONNECTIONS, ...tls });
}
