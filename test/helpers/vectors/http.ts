// Sends a recorded request to a running service, byte for byte as its path stands, and reads the answer.

import { exchangeRaw, parseAnswers } from '../raw-http.js';
import { BOUNDARY, rawRequest, writeForm } from '../translator.js';
import { readBody, readPart, type Answer, type Form, type Vector } from './vector.js';

/** Longest wait for one answer, in milliseconds. */
const WAIT = 30_000;

function writeMultipart(folder: string, form: Form): Buffer {
  const { original, originalEncoding, updated, updatedEncoding, channel } = form;
  const file = (name: string, path: string | undefined, encoding?: 'gzip') =>
    path === undefined ? [] : [{ name, filename: `${name}.pb`, content: readPart(folder, path, encoding) }];
  return writeForm([
    ...file('original', original, originalEncoding),
    ...file('updated', updated, updatedEncoding),
    ...(channel === undefined ? [] : [{ name: 'channel', content: channel }]),
  ]);
}

function writeRequest(folder: string, { method, path, request }: Vector): Buffer {
  const { multipart, contentType, headers = {} } = request;
  const body = multipart === undefined ? readBody(folder, request) : writeMultipart(folder, multipart);
  const type = multipart === undefined ? contentType : `multipart/form-data; boundary=${BOUNDARY}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return rawRequest(
    `${method} ${path}`,
    type === undefined ? lines : [`Content-Type: ${type}`, ...lines],
    body,
  );
}

/** Sends bytes on a connection of their own; the service must answer and close it. */
export async function exchange(port: number, request: Buffer, method = 'POST'): Promise<Answer> {
  const { bytes, closed } = await exchangeRaw(port, request, WAIT);
  const [answer] = parseAnswers(bytes, [method]);
  if (answer === undefined || !closed) return { status: 0, body: Buffer.alloc(0) };
  const body = Buffer.from(bytes.slice(bytes.indexOf('\r\n\r\n') + 4), 'latin1');
  return { status: answer.status, headers: answer.headers, body };
}

/** The answer of the service to a recorded request. */
export function ask(port: number, folder: string, vector: Vector): Promise<Answer> {
  return exchange(port, writeRequest(folder, vector), vector.method);
}
