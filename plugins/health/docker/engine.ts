// Requests to a Docker engine through dockerode, bounded in time and in size.

import { Agent, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type Dockerode from '#dockerode';
import { within } from '../../../core/contract/index.js';
import type { TlsClientFiles } from '../../../core/kit/index.js';
import { parseEndpoint } from './endpoint.js';

/** The part of a response body that is read, in bytes. */
const MAX_BODY_SIZE = 16 * 1024;
/** dockerode reads the body of a response with any other status to its end. */
const ANY_STATUS = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [index + 100, true]));

/** The status and the start of the body of a response. */
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

/** Sends GET requests to an engine. */
export class Engine {
  readonly #endpoint: string;
  readonly #timeout: number;
  readonly #create: typeof Dockerode;

  /**
   * @param endpoint empty: that of the environment of the process, such as `DOCKER_HOST`
   * @param timeout for each response, in milliseconds
   * @param create dockerode, which is only loaded for this plugin
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

  /**
   * Sends a request over a new connection.
   *
   * @param what names the request in the error of a timeout
   * @throws AgentError `PLUGIN_TIMED_OUT`, or an error with the `code` of a failed connection
   */
  get(path: string, what: string, tls: TlsClientFiles, signal: AbortSignal): Promise<EngineResponse> {
    // dockerode does not settle when a response switches protocols, whatever its own time limits are.
    return within(this.#timeout, what, signal, async (abortSignal) => {
      const response = await this.#dial(path, tls, abortSignal);
      try {
        return { status: response.statusCode ?? 0, text: await readStart(response) };
      } finally {
        response.destroy();
      }
    });
  }

  #dial(path: string, tls: TlsClientFiles, abortSignal: AbortSignal): Promise<IncomingMessage> {
    const { modem } = new this.#create(this.#options(tls));
    const settings = modem as unknown as ModemSettings;
    // Connections are not kept: they would outlive the plugin.
    settings.agent = settings.protocol === 'https' ? new TlsAgent({ maxCachedSessions: 0 }) : new Agent();
    const request = { path, method: 'GET', statusCodes: ANY_STATUS, isStream: true, abortSignal };
    return new Promise((resolve, reject) => {
      modem.dial(request, (error: unknown, result: unknown) => {
        if (error !== null) return reject(error);
        const response = result as IncomingMessage;
        // It may fail before it is read.
        response.on('error', () => undefined);
        resolve(response);
      });
    });
  }

  /** Without an endpoint dockerode takes everything from the environment; with one nothing, so each option is set. */
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

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_BODY_SIZE) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new Error('the response was truncated', { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_SIZE);
}
