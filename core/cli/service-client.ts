// The HTTP client of the commands that send requests to a running service.

import { request as requestPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestTls, type RequestOptions } from 'node:https';
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
export function sendGet(url: URL, tls: RequestOptions, timeout: number): Promise<ServiceResponse> {
  return within(timeout, 'the response', undefined, async (signal) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options: RequestOptions = { ...tls, agent: false, signal };
      const send = url.protocol === 'https:' ? requestTls : requestPlain;
      send(url, options, resolve).on('error', reject).end();
    });
    const body = await readText(response).catch(() => {
      // Without the cause, which only says that the request was aborted.
      throw new Error('the response was truncated');
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  });
}

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

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_SIZE) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
