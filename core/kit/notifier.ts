// Common parts of notifiers: their options, an event as JSON, and requests to a receiver.

import { onOneLine } from '../common/text/one-line.js';
import {
  AgentError,
  type AgentEvent,
  type Logger,
  type OptionSchema,
  type OptionValues,
} from '../contract/index.js';
import type { Notification, NotifierSchedule } from '../contract/notifier.js';
import { readSecret } from './files.js';
import { HttpClient, RequestError } from './http-client.js';
import { endpointOf } from './url.js';
import { describeResponse } from './reason.js';

/** The options of every notifier: when it is called, for which events, the name of the agent, and the runbook. */
export const NOTIFIER_OPTIONS = {
  events: {
    format: ['all', 'critical', 'none'],
    default: 'all',
    doc: '`all`; `critical`: only critical failures and their recoveries; `none`: only the heartbeat',
  },
  groupFor: { format: 'duration', default: '10s', doc: 'how long events are collected for one notification' },
  repeat: {
    format: 'duration',
    default: '4h',
    doc: 'time between reminders of checks that still fail; `0s`: none',
  },
  heartbeat: {
    format: 'duration',
    default: '0s',
    doc: 'time between heartbeats; a missing heartbeat means that the agent does not run; `0s`: none',
  },
  agent: { format: String, default: '', doc: 'name of the agent; empty: `operations.name` of the agent' },
  runbook: {
    format: String,
    default: '',
    doc: 'URL at which `config/deploy/runbook.md` is published; empty: no links',
  },
} as const satisfies OptionSchema;

/** The values of {@link NOTIFIER_OPTIONS}. */
type NotifierOptions = OptionValues<typeof NOTIFIER_OPTIONS>;

/** The schedule of a notifier with these options. */
export const scheduleOf = ({
  events,
  groupFor,
  repeat,
  heartbeat,
}: NotifierOptions): Required<NotifierSchedule> => ({ events, groupFor, repeat, heartbeat });

/** The name of the agent. */
export const agentName = (
  { agent }: Pick<NotifierOptions, 'agent'>,
  { agent: own }: Pick<Notification, 'agent'>,
): string => (agent === '' ? own : agent);

/** The link to the section of the runbook; undefined if there is none. */
export function runbookUrl({ runbook }: NotifierOptions, event: AgentEvent): string | undefined {
  return runbook === '' || event.runbook === undefined
    ? undefined
    : `${runbook}#${event.runbook.toLowerCase()}`;
}

/** An event as JSON for programs: times as text, with the name of the agent and the link to the runbook. */
export const eventDocument = (
  options: NotifierOptions,
  event: AgentEvent,
  notification: Pick<Notification, 'agent'>,
): object => ({
  ...event,
  since: new Date(event.since).toISOString(),
  agent: agentName(options, notification),
  runbook: runbookUrl(options, event),
});

/**
 * What follows the headline of an event, a line each: what the event means, and the first step with its command. For a failure that lasts.
 */
export function detailsOf({ state, meaning = '', reason, steps = [] }: AgentEvent): readonly string[] {
  const [first] = state === 'failed' || state === 'warning' ? steps : [];
  return [
    onOneLine(meaning === '' ? reason : meaning),
    ...(first === undefined ? [] : [onOneLine(`First: ${first.text}`)]),
    ...(first?.command === undefined ? [] : [onOneLine(first.command)]),
  ];
}

/** The part of a response body that is read, in bytes. */
const MAX_BODY_SIZE = 64 * 1024;
/** Statuses after which the same request can succeed later, besides those of server errors (5xx). */
const RETRYABLE: ReadonlySet<number> = new Set([401, 403, 404, 408, 425, 429]);

/** Codes of errors before the request is sent. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

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
  #client: HttpClient | undefined;

  constructor(options: ReceiverOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  /**
   * Posts a document.
   *
   * @param secrets secret texts in the document
   * @throws AgentError `NOTIFICATION_REFUSED` when the receiver will not accept the content, `NOTIFICATION_NOT_ACCEPTED` when it has
   * certainly not accepted it; Error when it is unclear whether it has
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
        Authorization: await readSecret(authorizationFile, 'options.authorizationFile').catch(notAccepted),
      }),
    };
    const limits = { maxSize: MAX_BODY_SIZE, acceptsAny: true, timeout, signal };
    const found = await client
      .send({ method: 'POST', path, headers, body, secrets, ...limits })
      .catch((error: unknown) => {
        // The path is not part of messages: it is the secret of some receivers.
        const reason = error instanceof RequestError ? error.reason : (error as Error).message;
        const failure = new Error(`POST ${origin}: ${reason}`, { cause: error });
        throw isSent(error) ? failure : notAccepted(failure);
      });
    if (found.status >= 200 && found.status < 300) return;
    const reason = `POST ${origin}: ${onOneLine(describeResponse(found))}`;
    if (found.status >= 400 && found.status < 500 && !RETRYABLE.has(found.status))
      throw new AgentError('NOTIFICATION_REFUSED', reason);
    // With another server error (5xx) the server, or a server behind a proxy, may have processed the request.
    if (found.status < 500 || found.status === 503) notAccepted(new Error(reason));
    throw new Error(reason);
  }

  /** Closes all connections. */
  close(): void {
    this.#client?.close();
    this.#client = undefined;
    this.#url = undefined;
  }

  /** The client for the URL, which can change because it may come from a file. */
  #clientOf(text: string): { path: string; client: HttpClient; origin: string } {
    const url = new URL(text);
    const { path, ...endpoint } = endpointOf(url);
    if (this.#client === undefined || this.#url !== text) {
      this.close();
      const { ca, cert, key } = this.#options;
      const client = new HttpClient({ ...endpoint, ca, cert, key }, this.#log);
      client.open();
      this.#client = client;
      this.#url = text;
    }
    return { path, client: this.#client, origin: url.origin };
  }
}

/** Whether a request that failed may have reached the receiver. */
const isSent = (error: unknown): boolean =>
  !(error instanceof RequestError) ||
  (error.failure !== 'tls' && !NOT_CONNECTED.has((error.cause as NodeJS.ErrnoException | undefined)?.code));

/** @throws AgentError `NOTIFICATION_NOT_ACCEPTED` with the message of the error */
function notAccepted(error: unknown): never {
  throw new AgentError('NOTIFICATION_NOT_ACCEPTED', (error as Error).message, { cause: error });
}
