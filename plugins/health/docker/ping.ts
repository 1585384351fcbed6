// A ping: `GET /_ping`, bounded in time and in size.

import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import { within } from '../../../core/contract/index.js';

/** The part of a response body that is read, in bytes. */
const MAX_BODY_SIZE = 16 * 1024;

/** All statuses are success here: docker-modem would read the body of an error response to its end. */
const ALL_STATUSES = Object.fromEntries(Object.keys(STATUS_CODES).map((code) => [code, true] as const));

/** The options and the callback of docker-modem, for which dockerode has no types. */
interface Modem {
  dial(
    options: {
      readonly path: string;
      readonly method: string;
      readonly isStream: true;
      readonly statusCodes: Readonly<Record<string, true>>;
      readonly abortSignal: AbortSignal;
    },
    callback: (error: Error | null, response: IncomingMessage | null) => void,
  ): void;
}

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
export function ping(docker: Docker, timeout: number, signal: AbortSignal): Promise<PingResponse> {
  return within(timeout, 'the ping', signal, async (abortSignal) => {
    const response = await request(docker, abortSignal);
    return { status: response.statusCode ?? 0, text: await readStart(response) };
  });
}

function request(docker: Docker, abortSignal: AbortSignal): Promise<IncomingMessage> {
  const options = {
    path: '/_ping',
    method: 'GET',
    isStream: true,
    statusCodes: ALL_STATUSES,
    abortSignal,
  } as const;
  return new Promise((resolve, reject) => {
    // Not docker.ping(): it buffers an endless response without limit (measured: 900 MiB in 5 s).
    (docker.modem as Modem).dial(options, (error, response) => {
      if (response === null) reject(error ?? new Error('no response'));
      else resolve(response);
    });
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
