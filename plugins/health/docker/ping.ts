// A ping: `GET /_ping`, bounded in time and in size. dockerode would load gRPC, protobufjs and ssh2 for this one request (77 packages,
// 10 MiB) and buffers an endless response without limit.

import { request, type IncomingMessage } from 'node:http';
import { within } from '../../../core/contract/index.js';
import type { TlsClientFiles } from '../../../core/common/client/tls.js';
import type { Endpoint } from './endpoint.js';

/** The part of a response body that is read, in bytes. */
const MAX_BODY_SIZE = 16 * 1024;

/** The status and the start of the body of a response. */
export interface PingResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Pings an engine.
 *
 * @param timeout for the response, in milliseconds
 * @throws AgentError `PLUGIN_TIMED_OUT`, or an error with the `code` of a failed connection
 */
export function ping(
  endpoint: Endpoint,
  tls: TlsClientFiles,
  timeout: number,
  signal: AbortSignal,
): Promise<PingResponse> {
  return within(timeout, 'the ping', signal, async (abortSignal) => {
    const response = await open(endpoint, tls, abortSignal);
    try {
      return { status: response.statusCode ?? 0, text: await readStart(response) };
    } finally {
      response.destroy();
    }
  });
}

/** Sends the request over a new connection; resolves with the headers of the response. */
async function open(endpoint: Endpoint, tls: TlsClientFiles, signal: AbortSignal): Promise<IncomingMessage> {
  const send = endpoint.protocol === 'http:' ? request : (await import('node:https')).request;
  return new Promise((resolve, reject) => {
    send({ ...endpoint, ...tls, path: '/_ping', agent: false, signal }, resolve)
      .on('error', reject)
      .end();
  });
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
