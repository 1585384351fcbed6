// The HTTP client of the commands that send requests to a running service.

import { Agent, type IncomingHttpHeaders } from 'node:http';
import { Agent as TlsAgent, type AgentOptions } from 'node:https';
import { endpointOf } from '../kit/url.js';
import { exchange } from '../kit/exchange.js';
import { withoutSecrets } from '../kit/sent-secrets.js';
import { reasonOf, within } from '../contract/index.js';

/** The part of a response body that is read, in bytes. */
const MAX_BODY_SIZE = 8 * 1024 * 1024;
/** OpenSSL errors for a response that is not TLS. */
const NOT_TLS = /wrong version number|packet length too long/;

/** A response with the start of its body. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Sends a GET request and reads the response.
 *
 * @param timeout for the complete response, in milliseconds
 * @throws Error that {@link describeRequestError} explains
 */
export function sendGet(url: URL, tlsOptions: AgentOptions, timeout: number): Promise<ServiceResponse> {
  const { address, tls, path } = endpointOf(url);
  const agent = tls ? new TlsAgent(tlsOptions) : new Agent();
  const protocol = tls ? 'https:' : 'http:';
  const limits = { maxSize: MAX_BODY_SIZE, acceptsAny: true };
  return within(timeout, 'the response', undefined, async (signal) => {
    const sent = {
      agent,
      protocol,
      ...address,
      method: 'GET',
      path,
      headers: {},
      ...limits,
      signal,
    } as const;
    const { status, headers, body } = await exchange(sent);
    return { status, headers, body: body.toString() };
  });
}

/** A text of a response without the query of its URL, which can have secrets. */
export const withoutQuery = (text: string, { search }: URL): string =>
  withoutSecrets(text, { path: search, headers: {} });

/** Why a request failed, with a hint where the error alone does not help. */
export function describeRequestError(error: unknown, { protocol }: URL): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
    return 'the service requires a client certificate; set --cert and --key';
  if (NOT_TLS.test(reasonOf(error))) return 'the service does not use TLS; use http://';
  if (code === 'ECONNRESET') {
    const hint =
      protocol === 'http:'
        ? 'if the service uses TLS, use https://'
        : 'the service may require another client certificate, see --cert and --key';
    return `the connection was closed without a response; ${hint}`;
  }
  return reasonOf(error);
}
