// A ping: `GET /_ping`, bounded in time and in size.

import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type Docker from 'dockerode';

/** How much of an answer is read, in bytes; what follows is not waited for. */
const MAX_ANSWER = 16 * 1024;

/** What docker-modem takes of a request; dockerode's own ping keeps all of an answer in memory, however long it is. */
interface Modem {
  dial(
    options: {
      readonly path: string;
      readonly method: string;
      readonly isStream: true;
      readonly statusCodes: Readonly<Record<string, true>>;
      readonly abortSignal: AbortSignal;
    },
    callback: (error: Error, answer: IncomingMessage | null) => void,
  ): void;
}

/** Every status is an answer here: docker-modem would read one it takes for an error to its end. */
const EVERY_STATUS = Object.fromEntries(Object.keys(STATUS_CODES).map((code) => [code, true] as const));

/**
 * Pings an engine.
 *
 * @returns what it said
 * @throws an error with `statusCode` and `json`, the text, for any status but 200; or one with the `code` of a broken connection
 */
export async function ping(docker: Docker, timeout: number, signal: AbortSignal): Promise<string> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      abort.abort();
      reject(new Error(`no answer within ${timeout / 1000}s`));
    }, timeout);
  });
  try {
    return await Promise.race([ask(docker, AbortSignal.any([signal, abort.signal])), late]);
  } finally {
    clearTimeout(timer);
    // Also ends what an answer that was cut off, or is too long, has left open.
    abort.abort();
  }
}

async function ask(docker: Docker, abortSignal: AbortSignal): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { path: '/_ping', method: 'GET', isStream: true, statusCodes: EVERY_STATUS, abortSignal };
    (docker.modem as Modem).dial(options as never, (error, message) => {
      if (message === null) reject(error);
      else resolve(message);
    });
  });
  const text = await readStart(answer);
  const { statusCode = 0 } = answer;
  if (statusCode !== 200)
    throw Object.assign(new Error(`it answered ${statusCode}`), { statusCode, json: text });
  return text;
}

async function readStart(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new Error('it closed the connection in the middle of its answer', { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ANSWER);
}
