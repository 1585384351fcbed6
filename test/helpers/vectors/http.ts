// Sends a recorded request to a running service, with its path unchanged, and reads the response.

import { exchangeRaw, parseResponses } from '../raw-http.js';
import { BOUNDARY, rawRequest, writeForm } from '../translator.js';
import { readBody, readPart, type HttpResponse, type Form, type Vector } from './vector.js';

function writeMultipart(directory: string, form: Form): Buffer {
  const { original, originalEncoding, updated, updatedEncoding, channel } = form;
  const file = (name: string, path: string | undefined, encoding?: 'gzip') =>
    path === undefined
      ? []
      : [{ name, filename: `${name}.pb`, content: readPart(directory, path, encoding) }];
  return writeForm([
    ...file('original', original, originalEncoding),
    ...file('updated', updated, updatedEncoding),
    ...(channel === undefined ? [] : [{ name: 'channel', content: channel }]),
  ]);
}

function writeRequest(directory: string, { method, path, request }: Vector): Buffer {
  const { multipart, contentType, headers = {} } = request;
  const body = multipart === undefined ? readBody(directory, request) : writeMultipart(directory, multipart);
  const type = multipart === undefined ? contentType : `multipart/form-data; boundary=${BOUNDARY}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return rawRequest(
    `${method} ${path}`,
    type === undefined ? lines : [`Content-Type: ${type}`, ...lines],
    body,
  );
}

/** Sends a request on a new connection. The status is 0 unless the service responds and closes the connection. */
export async function exchange(port: number, request: Buffer, method = 'POST'): Promise<HttpResponse> {
  const { bytes, closed } = await exchangeRaw(port, request);
  const [response] = parseResponses(bytes, [method]);
  if (response === undefined || !closed) return { status: 0, body: Buffer.alloc(0) };
  const body = Buffer.from(bytes.slice(bytes.indexOf('\r\n\r\n') + 4), 'latin1');
  return { status: response.status, headers: response.headers, body };
}

/** Sends a recorded request and returns the response. */
export function ask(port: number, directory: string, vector: Vector): Promise<HttpResponse> {
  return exchange(port, writeRequest(directory, vector), vector.method);
}
