// Requests to an operations endpoint, of a node or of the agent, with and without TLS.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ConnectionOptions } from 'node:tls';

/** An operations endpoint. */
export interface Endpoint {
  readonly url: string;
  /** The CA of the server and the client certificate; undefined without TLS. */
  readonly tls?: ConnectionOptions | undefined;
}

/** A response. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request; GET by default. */
export interface EndpointRequest {
  readonly method?: 'GET' | 'PUT';
  readonly body?: string;
}

/** Longest time without data from the endpoint, in milliseconds. */
const IDLE_TIMEOUT = 10_000;

/** Sends a request on a new connection. Rejects if there is no complete response. */
export function send(
  { url, tls }: Endpoint,
  path: string,
  { method = 'GET', body }: EndpointRequest = {},
): Promise<EndpointResponse> {
  const options = { method, agent: false, timeout: IDLE_TIMEOUT };
  return new Promise((resolve, reject) => {
    const sent =
      tls === undefined
        ? requestHttp(url + path, options)
        : requestHttps(url + path, { ...options, ...(tls as object) });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('timeout', () => sent.destroy(new Error(`no data from ${url}${path}`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Changes a log specification. */
export const putSpec = (endpoint: Endpoint, spec: string, query = ''): Promise<EndpointResponse> =>
  send(endpoint, `/logspec${query}`, { method: 'PUT', body: JSON.stringify({ spec }) });

/** The metrics in the text format. Throws an error unless the status is 200. */
export async function metricsOf(endpoint: Endpoint, path = '/metrics'): Promise<string> {
  const { status, body } = await send(endpoint, path);
  if (status !== 200) throw new Error(`${endpoint.url}${path}: ${status} ${body}`);
  return body;
}

/** The status of a health resource and the reasons of failed checks by component. */
export async function failedChecks(
  endpoint: Endpoint,
  path = '/healthz',
): Promise<{ status: number; failed: Readonly<Record<string, string>> }> {
  const { status, body } = await send(endpoint, path);
  const { failed_checks: failed = [] } = JSON.parse(body) as {
    failed_checks?: { component: string; reason: string }[];
  };
  return { status, failed: Object.fromEntries(failed.map(({ component, reason }) => [component, reason])) };
}
