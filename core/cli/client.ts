// Connects commands to a running agent: their flags, its address, and the HTTP client.

import { Agent, type IncomingHttpHeaders } from 'node:http';
import { Agent as TlsAgent, type AgentOptions } from 'node:https';
import { readCertificates, readKeyPair } from '../common/certificates/tls-files.js';
import { endpointOf } from '../kit/url.js';
import { exchange } from '../kit/exchange.js';
import { withoutSecrets } from '../kit/sent-secrets.js';
import { parsePositiveDuration } from '../common/text/duration.js';
import { formatHostPort, isAnyHost } from '../common/text/host-port.js';
import { maskUrls } from '../common/text/value.js';
import { AgentError, reasonOf, within } from '../contract/index.js';
import { loadFrom, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import type { Process } from './command.js';

/** Longest part of a response body that is read, in bytes. */
export const MAX_BODY_SIZE = 8 * 1024 * 1024;
/** OpenSSL errors for a response that is not TLS. */
const NOT_TLS = /wrong version number|packet length too long/;

/** A response with the start of its body. */
export interface AgentResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request that changes something. */
export interface Change {
  readonly method: 'PUT' | 'DELETE';
  /** @default none */
  readonly body?: string;
}

/**
 * Sends a request, GET by default, and reads the response.
 *
 * @param timeout for the complete response, in milliseconds
 * @throws Error that {@link describeRequestError} explains
 */
export function sendRequest(
  url: URL,
  tlsOptions: AgentOptions,
  timeout: number,
  { method, body }: Change | { readonly method: 'GET'; readonly body?: undefined } = { method: 'GET' },
): Promise<AgentResponse> {
  const { address, tls, path } = endpointOf(url);
  const agent = tls ? new TlsAgent(tlsOptions) : new Agent();
  const protocol = tls ? 'https:' : 'http:';
  const limits = { maxSize: MAX_BODY_SIZE, acceptsAny: true };
  return within(timeout, 'the response', undefined, async (signal) => {
    const sent = {
      agent,
      protocol,
      ...address,
      method,
      path,
      headers: {},
      body,
      ...limits,
      signal,
    } as const;
    const { status, headers, body: received } = await exchange(sent);
    return { status, headers, body: received.toString() };
  });
}

/** Requests a resource of the agent, such as `/status`, or changes it, as {@link sendRequest} does. */
export const getResource = (
  { url, tls, timeout }: ClientOptions,
  path: string,
  change?: Change,
): Promise<AgentResponse> =>
  sendRequest(new URL(url.pathname.replace(/\/$/, '') + path, url), tls, timeout, change);

/** Masks the query of the URL in a text of a response, because the query can contain secrets. */
export const withoutQuery = (text: string, { search }: URL): string =>
  withoutSecrets(text, { path: search, headers: {} });

/** Why a request failed, with a hint where the error alone does not help. */
export function describeRequestError(error: unknown, { protocol }: URL): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
    return 'the agent requires a client certificate; set --cert and --key';
  if (NOT_TLS.test(reasonOf(error))) return 'the agent does not use TLS; use http://';
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ECONNRESET') {
    const hint =
      protocol === 'http:'
        ? 'if the agent uses TLS, use https://'
        : 'the agent may require another client certificate, see --cert and --key';
    return `the connection was closed without a response; ${hint}`;
  }
  return reasonOf(error);
}

const DEFAULT_TIMEOUT = '5s';

/** The flags of a connection to the agent. */
export const CONNECTION_FLAGS = {
  url: { type: 'string' },
  timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  cert: { type: 'string' },
  key: { type: 'string' },
  ca: { type: 'string' },
  cacert: { type: 'string' },
} as const;

/** The flags of a connection and of settings. */
export const CLIENT_FLAGS = { ...SETTINGS_FLAGS, ...CONNECTION_FLAGS } as const;

/** The help text of {@link CONNECTION_FLAGS}. */
export const CONNECTION_HELP = `      --url URL       the URL of the agent, or host:port for http (default: the
                      listen address in the settings)
      --timeout DURATION
                      time limit for each complete response, such as 2s (default
                      ${DEFAULT_TIMEOUT})
      --ca FILE       CA of the server certificate; without it the certificate
                      is not verified. --cacert is another name of this flag
      --cert FILE, --key FILE
                      client certificate and its private key, if the agent
                      requires one
`;

/** The help text of {@link CLIENT_FLAGS}. */
export const CLIENT_HELP = `${CONNECTION_HELP}${SETTINGS_HELP}`;

/** The values of {@link CLIENT_FLAGS}. */
export interface ClientValues {
  readonly node?: string[] | undefined;
  readonly 'node-env'?: string[] | undefined;
  readonly config?: string[] | undefined;
  readonly set?: string[] | undefined;
  readonly url?: string | undefined;
  readonly timeout: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly ca?: string | undefined;
  readonly cacert?: string | undefined;
}

/** How to reach the agent. */
export interface ClientOptions {
  readonly url: URL;
  /** Whether a flag or a variable names the address of the agent. */
  readonly isGiven: boolean;
  /** For one complete response, in milliseconds. */
  readonly timeout: number;
  readonly tls: AgentOptions;
}

/**
 * Reads the flags.
 *
 * @param defaultPath the path of a URL without a path
 * @throws AgentError `USAGE`, or Error for an unusable file
 */
export function readClientOptions(
  values: ClientValues,
  process: Process,
  defaultPath: string,
): ClientOptions {
  const { url, isGiven } =
    values.url === undefined ? urlFromSettings(values, process) : { url: values.url, isGiven: true };
  return {
    url: readUrl(values.url === undefined ? `${url}${defaultPath}` : url, defaultPath),
    isGiven,
    timeout: readTimeout(values.timeout),
    tls: readTlsFiles(values),
  };
}

/** The URL of the listen address of the agent, and whether a flag or a variable names it. */
function urlFromSettings(values: ClientValues, process: Process): { url: string; isGiven: boolean } {
  const { settings, effective } = loadFrom(values, process);
  const { listenAddress, tls } = settings.operations;
  const { host, port } = listenAddress;
  const origin = effective.get('operations.listenAddress')?.origin ?? '';
  return {
    url: `${tls.enabled ? 'https' : 'http'}://${formatHostPort({ host: isAnyHost(host) ? 'localhost' : host, port })}`,
    isGiven:
      [values.node, values.config, values.set].some((flag) => flag !== undefined) ||
      origin.startsWith('environment'),
  };
}

/** `host:port`, also with a path after it: a URL without `http://`. */
const WITHOUT_PROTOCOL = /^(?:\[[\da-f:]+\]|[^/:@?#]+):\d+(?:[/?]|$)/i;

function readUrl(text: string, defaultPath: string): URL {
  const written = WITHOUT_PROTOCOL.test(text) ? `http://${text}` : text;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new AgentError(
      'USAGE',
      `--url must be host:port, or an http or https URL: found '${maskUrls(text)}'`,
    );
  // Node would connect to the default port of the protocol instead.
  if (url.port === '0')
    throw new AgentError('USAGE', `port 0 is not a port to connect to; set --url: found '${maskUrls(text)}'`);
  if (url.pathname === '/') url.pathname = defaultPath;
  return url;
}

/** The value of `--timeout`, in milliseconds. @throws AgentError `USAGE` */
export function readTimeout(text: string): number {
  try {
    return parsePositiveDuration(text);
  } catch (error) {
    throw new AgentError('USAGE', `--timeout: ${reasonOf(error)}: found '${text}'`);
  }
}

function readTlsFiles({ ca: file, cacert, cert, key }: ClientValues): AgentOptions {
  if (file !== undefined && cacert !== undefined)
    throw new AgentError('USAGE', '--ca and --cacert are the same flag; set one of them');
  const ca =
    file === undefined
      ? cacert && readCertificates(cacert, '--cacert').pem
      : readCertificates(file, '--ca').pem;
  const server: AgentOptions = { ...(ca !== undefined && { ca }), rejectUnauthorized: ca !== undefined };
  if (cert === undefined && key === undefined) return server;
  if (cert === undefined || key === undefined)
    throw new AgentError('USAGE', '--cert and --key must be set together');
  const pair = readKeyPair({ cert, key }, { cert: '--cert', key: '--key' });
  return { ...server, cert: pair.cert, key: pair.key };
}

/** The default port of the agent. The settings can have another one, if they are read from the file of a node. */
export const AGENT_PORT = 9543;

/**
 * Finds the agent if no address is given: on its default port if an agent responds there, else on the port of the settings.
 *
 * @param port the default port
 */
export async function findAgent(options: ClientOptions, port = AGENT_PORT): Promise<ClientOptions> {
  if (options.isGiven) return options;
  const url = new URL(options.url);
  url.port = String(port);
  try {
    // Nodes do not have this resource.
    const { status } = await sendRequest(new URL('/livez', url), options.tls, options.timeout);
    return status === 200 ? { ...options, url } : options;
  } catch {
    return options;
  }
}
