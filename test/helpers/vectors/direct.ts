// Computes the response to a request by calling the operations directly, without HTTP, for quick checks during development.

import { computeUpdate, decode, encode, TranslateError } from '../../../translator/index.js';
import { readBody, readPart, routeOf, type HttpResponse, type Vector } from './vector.js';

const errorResponse = (status: number, text: string): HttpResponse => ({
  status,
  body: Buffer.from(`${text}\n`),
});

/** Returns the response of the service to an error of decode and encode. */
function responseToError(error: unknown): HttpResponse {
  // An unexpected error is reported, it does not end the run.
  if (!(error instanceof TranslateError)) return errorResponse(500, (error as Error).stack ?? String(error));
  return error.code === 'UNKNOWN_TYPE'
    ? errorResponse(404, `message type not found: ${error.message}`)
    : errorResponse(400, error.message);
}

function translate(directory: string, vector: Vector): HttpResponse | undefined {
  const route = routeOf(vector.path);
  if (vector.method !== 'POST' || route === undefined) return undefined;
  const body = readBody(directory, vector.request);
  try {
    const result =
      route.operation === 'decode' ? Buffer.from(decode(route.type, body)) : encode(route.type, body);
    return { status: 200, body: Buffer.from(result) };
  } catch (error) {
    return responseToError(error);
  }
}

function compute(directory: string, { request }: Vector): HttpResponse | undefined {
  const { original, originalEncoding, updated, updatedEncoding, channel = '' } = request.multipart ?? {};
  if (original === undefined || updated === undefined) return undefined;
  const parts = [
    readPart(directory, original, originalEncoding),
    readPart(directory, updated, updatedEncoding),
  ] as const;
  try {
    return { status: 200, body: Buffer.from(computeUpdate(...parts, channel)) };
  } catch (error) {
    if (!(error instanceof TranslateError)) return responseToError(error);
    return error.code === 'BAD_BYTES'
      ? errorResponse(
          400,
          `Error with field '${error.path}': error unmarshalling field bytes: ${error.message}`,
        )
      : errorResponse(400, `Error computing update: ${error.message}`);
  }
}

/** Returns the response to a request; undefined if it depends on the HTTP service (invalid forms, paths, methods). */
export function respondDirectly(directory: string, vector: Vector): HttpResponse | undefined {
  return vector.path.startsWith('/configtxlator/')
    ? compute(directory, vector)
    : translate(directory, vector);
}
