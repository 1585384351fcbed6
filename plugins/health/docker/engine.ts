// Requests to a Docker engine through dockerode. Differences from its defaults: a new connection for each request, a deadline, a limit for
// the size of a response, an error for a truncated response, for which dockerode waits forever, and no redirects.

import { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type Dockerode from 'dockerode';
import { within } from '../../../core/contract/index.js';
import { ByteCollector } from '../../../core/kit/index.js';
import type { TlsClientFiles } from '../../../core/kit/internal/index.js';
import { parseEndpoint } from './endpoint.js';

/** Largest response with its headers, in bytes. */
const MAX_RESPONSE = 64 * 1024;

/** The status and the body of a response. */
export interface EngineResponse {
  readonly status: number;
  readonly text: string;
}

/** Settings of dockerode's `modem` that its types lack. */
interface ModemSettings {
  readonly protocol: string;
  readonly host?: string;
  readonly port?: string;
  readonly socketPath?: string | (() => Promise<string>);
  agent?: Agent;
}

/** Functions of dockerode whose types lack the options. */
interface AbortableDocker {
  ping(options: { readonly abortSignal: AbortSignal }): Promise<unknown>;
  version(options: { readonly abortSignal: AbortSignal }): Promise<unknown>;
}

/** Sends requests to an engine. */
export class Engine {
  readonly #endpoint: string;
  readonly #timeout: number;
  readonly #create: typeof Dockerode;

  /**
   * @param endpoint empty: the endpoint in the environment of the process, such as `DOCKER_HOST`
   * @param timeout for each response, in milliseconds
   * @param create the class of dockerode, which only this plugin loads
   */
  constructor(endpoint: string, timeout: number, create: typeof Dockerode) {
    this.#endpoint = endpoint;
    this.#timeout = timeout;
    this.#create = create;
  }

  /**
   * The address of the engine, for messages.
   *
   * @throws Error when the environment is unusable and is needed
   */
  async address(): Promise<string> {
    if (this.#endpoint !== '') return this.#endpoint;
    const { host, port, socketPath } = new this.#create().modem as unknown as ModemSettings;
    if (host !== undefined) return `tcp://${host}:${port ?? ''}`;
    return `unix://${typeof socketPath === 'function' ? await socketPath() : (socketPath ?? '')}`;
  }

  /** @throws AgentError `PLUGIN_TIMED_OUT`, or an error with the `code` of a failed connection */
  ping(tls: TlsClientFiles, signal: AbortSignal): Promise<EngineResponse> {
    return this.#send('the ping', tls, signal, (docker, abortSignal) => docker.ping({ abortSignal }));
  }

  /** @throws AgentError `PLUGIN_TIMED_OUT`, or an error with the `code` of a failed connection */
  version(tls: TlsClientFiles, signal: AbortSignal): Promise<EngineResponse> {
    return this.#send('the version', tls, signal, (docker, abortSignal) => docker.version({ abortSignal }));
  }

  /** @param what the request, for the error of a timeout */
  #send(
    what: string,
    tls: TlsClientFiles,
    signal: AbortSignal,
    request: (docker: AbortableDocker, signal: AbortSignal) => Promise<unknown>,
  ): Promise<EngineResponse> {
    return within(this.#timeout, what, signal, (abortSignal) => {
      const docker = new this.#create(this.#options(tls));
      const settings = docker.modem as unknown as ModemSettings;
      // DOCKER_HOST=ssh://…: docker-modem would start a session on the host of the engine.
      if (settings.protocol === 'ssh') return Promise.reject(new Error('SSH is not supported'));
      return new Promise((resolve, reject) => {
        // Connections are not kept: they would outlive the plugin.
        const agent = settings.protocol === 'https' ? new TlsAgent({ maxCachedSessions: 0 }) : new Agent();
        const body = new ByteCollector(MAX_RESPONSE);
        let status = 0;
        settings.agent = watchResponses(watchConnections(agent, reject), (response) => {
          status = response.statusCode ?? 0;
          response.on('data', (chunk: Buffer) => body.add(chunk));
        });
        request(docker as unknown as AbortableDocker, abortSignal).then(
          () => resolve({ status, text: body.bytes().toString() }),
          reject,
        );
      });
    });
  }

  /** Without an endpoint dockerode reads all options from the environment. With an endpoint all options are set, so that it reads none. */
  #options({ ca, cert, key }: TlsClientFiles): Dockerode.DockerOptions {
    if (this.#endpoint === '') return {};
    const { host, port, socketPath, protocol } = parseEndpoint(
      this.#endpoint,
      ca !== undefined || cert !== undefined,
    );
    const address = { host, port, socketPath, protocol: protocol.slice(0, -1), pathPrefix: '/' };
    const options = { ...address, ca, cert, key, timeout: undefined };
    return options as Dockerode.DockerOptions;
  }
}

/** Reports a response that is too large, and the end of a connection: a complete response was returned before it. */
function watchConnections(agent: Agent, fail: (error: Error) => void): Agent {
  const watched = agent as Agent & { createConnection: (...args: unknown[]) => Socket };
  const connect = watched.createConnection.bind(agent);
  watched.createConnection = (...args) => {
    const socket = connect(...args);
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_RESPONSE) return;
      fail(new Error(`the response is larger than ${MAX_RESPONSE / 1024} KiB`));
      socket.destroy();
    });
    socket.on('close', () => setImmediate(() => fail(new Error('the response was truncated'))));
    return socket;
  };
  return agent;
}

/**
 * Makes each response a success without a location before docker-modem sees it. docker-modem would follow a redirect to any server, with its
 * own agent, and would not handle the errors of the second request. It writes the body of an error into a text, which throws an uncaught
 * error for some JSON, such as deep lists and `{"message":{"toString":1}}`.
 *
 * @param onResponse gets the unchanged response
 */
function watchResponses(agent: Agent, onResponse: (response: IncomingMessage) => void): Agent {
  const watched = agent as Agent & { addRequest: (request: ClientRequest, ...args: unknown[]) => void };
  const add = watched.addRequest.bind(agent);
  watched.addRequest = (request, ...args) => {
    request.prependListener('response', (response: IncomingMessage) => {
      onResponse(response);
      response.statusCode = 200;
      delete response.headers.location;
    });
    add(request, ...args);
  };
  return agent;
}
