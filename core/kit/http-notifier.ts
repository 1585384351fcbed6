// Sends the requests of notifiers to their receivers.

import { AgentError, type Logger, type OptionSchema, type OptionValues } from '../contract/index.js';
import { endpointOf } from './endpoint.js';
import { describeResponse } from './reason.js';
import { onOneLine } from '../common/text/one-line.js';
import { PluginHttpClient } from './http-client.js';
import { readSecret } from './secret.js';

/** The part of a response body that is read, in bytes. */
const MAX_BODY_SIZE = 64 * 1024;
/** Statuses after which the same request can succeed later, besides those of servers that fail. */
const RETRYABLE: ReadonlySet<number> = new Set([401, 403, 404, 408, 425, 429]);

/** The options of requests to a receiver. */
export const RECEIVER_OPTIONS = {
  authorizationFile: {
    format: 'path',
    default: '',
    doc: 'file with the value of the header `Authorization`, read for each request',
  },
  ca: { format: 'path', default: '', doc: 'PEM file with the CA of the server certificate' },
  cert: { format: 'path', default: '', doc: 'PEM file with the client certificate' },
  key: { format: 'path', default: '', doc: 'PEM file with the private key of the client certificate' },
  timeout: { format: 'duration', default: '10s', doc: 'time limit for a request' },
} as const satisfies OptionSchema;

/** The values of {@link RECEIVER_OPTIONS}. */
export type ReceiverOptions = OptionValues<typeof RECEIVER_OPTIONS>;

/** Sends JSON to one receiver. Its URL can be a secret, so messages name only its host. */
export class ReceiverClient {
  readonly #options: ReceiverOptions;
  readonly #log: Logger;
  #url: string | undefined;
  #client: PluginHttpClient | undefined;

  constructor(options: ReceiverOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  /**
   * Posts a document.
   *
   * @param secrets what is secret in the document
   * @throws AgentError `NOTIFICATION_REFUSED` when the receiver will not accept the content; Error or SourceError when it did not now
   */
  async post(
    url: string,
    document: unknown,
    signal: AbortSignal,
    secrets: readonly string[] = [],
  ): Promise<void> {
    const { path, client, origin } = this.#clientOf(url);
    const body = JSON.stringify(document);
    const { authorizationFile, timeout } = this.#options;
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      ...(authorizationFile !== '' && {
        Authorization: await readSecret(authorizationFile, 'options.authorizationFile'),
      }),
    };
    // The path is not part of messages: it is the secret of some receivers.
    const sent = {
      method: 'POST',
      path,
      headers,
      body,
      secrets,
      maxSize: MAX_BODY_SIZE,
      acceptsAny: true,
      signal,
    };
    const found = await client.sendWithin(timeout, sent).catch((error: unknown) => {
      throw new Error((error as Error).message.replace(/^POST \S+:/, `POST ${origin}:`), {
        cause: error,
      });
    });
    if (found.status >= 200 && found.status < 300) return;
    const reason = `POST ${origin}: ${onOneLine(describeResponse(found))}`;
    if (found.status >= 400 && found.status < 500 && !RETRYABLE.has(found.status))
      throw new AgentError('NOTIFICATION_REFUSED', reason);
    throw new Error(reason);
  }

  /** Closes all connections. */
  close(): void {
    this.#client?.close();
    this.#client = undefined;
    this.#url = undefined;
  }

  /** The client of the URL, which changes when its file does. */
  #clientOf(text: string): { path: string; client: PluginHttpClient; origin: string } {
    const url = new URL(text);
    const { path, ...endpoint } = endpointOf(url);
    if (this.#client === undefined || this.#url !== text) {
      this.close();
      const { ca, cert, key } = this.#options;
      const client = new PluginHttpClient(
        { ...endpoint, ca, cert, key, certificate: '', serverName: '' },
        this.#log,
      );
      client.open();
      this.#client = client;
      this.#url = text;
    }
    return { path, client: this.#client, origin: url.origin };
  }
}
