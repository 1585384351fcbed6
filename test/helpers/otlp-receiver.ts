// A stand-in receiver of OTLP/HTTP that responds as a test says.

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import type { OtlpOptions } from '../../plugins/metrics/otlp/options.js';
import { freePort } from './free-port.js';
import { PATIENCE } from './patience.js';

/** A request that was received. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly url: string;
  readonly bytes: Buffer;
  /** When it was complete, in milliseconds. */
  readonly at: number;
}

/** A running receiver. */
export interface OtlpReceiver {
  readonly endpoint: string;
  readonly requests: readonly ReceivedRequest[];
  /** The bodies that were received. */
  readonly bodies: () => OtlpBody[];
  /** Stops it and resets its connections, as the end of its process does. */
  readonly stop: () => void;
}

/** The parts of a request that tests read. */
export interface OtlpBody {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly Record<string, unknown>[] }[];
  }[];
}

/** An attribute with a string. */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

/** Responds to a request; the number of the request begins at 0. */
export type Respond = (response: ServerResponse, index: number) => void;

/** Responds with a status, an optional body and headers. */
export function status(code: number, body = '', headers: Record<string, string> = {}): Respond {
  return (response) => {
    response.writeHead(code, headers);
    response.end(body);
  };
}

/** Accepts everything. */
export const ACCEPT = status(200, '{}', { 'Content-Type': 'application/json' });

/**
 * Starts a receiver; with TLS options it uses TLS. The end of the test closes it.
 *
 * @param port of a receiver that was stopped. @default a free port
 */
export async function startOtlpReceiver(
  t: Pick<ExecutionContext, 'teardown'>,
  respond: Respond = ACCEPT,
  tls?: ServerOptions,
  port?: number,
): Promise<OtlpReceiver> {
  const requests: ReceivedRequest[] = [];
  const handle: Parameters<typeof createHttpServer>[1] = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, method = '', url = '' } = request;
      requests.push({ headers, method, url, bytes: Buffer.concat(chunks), at: performance.now() });
      respond(response, requests.length - 1);
    });
  };
  const server = tls === undefined ? createHttpServer(handle) : createHttpsServer(tls, handle);
  server.listen(port ?? (await freePort()), '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  t.teardown(stop);
  const { port: listening } = server.address() as AddressInfo;
  return {
    endpoint: `${tls === undefined ? 'http' : 'https'}://localhost:${listening}/v1/metrics`,
    requests,
    stop,
    bodies: () =>
      requests.map(({ headers, bytes }) => {
        const text = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
        return JSON.parse(text.toString()) as OtlpBody;
      }),
  };
}

/** Returns all options of the sink, with defaults for tests. */
export function otlpOptions(options: Partial<OtlpOptions>): OtlpOptions {
  return {
    endpoint: 'http://localhost:4318/v1/metrics',
    headers: {},
    compression: 'gzip',
    writeInterval: 10_000,
    timeout: PATIENCE,
    ca: '',
    cert: '',
    key: '',
    instance: 'agent-1',
    resource: {},
    ...options,
  };
}
