// Answers a request by calling the operations, without HTTP: for quick rounds during development.

import { computeUpdate, decode, encode, TranslateError } from '../../../translator/index.js';
import { readBody, readPart, routeOf, type Answer, type Vector } from './vector.js';

const errorAnswer = (status: number, text: string): Answer => ({ status, body: Buffer.from(`${text}\n`) });

/** What the service makes of an error of decode and encode. */
function answerTo(error: unknown): Answer {
  // A defect must show as one, not end the run.
  if (!(error instanceof TranslateError)) return errorAnswer(500, (error as Error).stack ?? String(error));
  return error.code === 'UNKNOWN_TYPE'
    ? errorAnswer(404, `message type not found: ${error.message}`)
    : errorAnswer(400, error.message);
}

function translate(folder: string, vector: Vector): Answer | undefined {
  const route = routeOf(vector.path);
  if (vector.method !== 'POST' || route === undefined) return undefined;
  const body = readBody(folder, vector.request);
  try {
    const answer =
      route.operation === 'decode' ? Buffer.from(decode(route.type, body)) : encode(route.type, body);
    return { status: 200, body: Buffer.from(answer) };
  } catch (error) {
    return answerTo(error);
  }
}

function compute(folder: string, { request }: Vector): Answer | undefined {
  const { original, originalEncoding, updated, updatedEncoding, channel = '' } = request.multipart ?? {};
  if (original === undefined || updated === undefined) return undefined;
  const parts = [
    readPart(folder, original, originalEncoding),
    readPart(folder, updated, updatedEncoding),
  ] as const;
  try {
    return { status: 200, body: Buffer.from(computeUpdate(...parts, channel)) };
  } catch (error) {
    if (!(error instanceof TranslateError)) return answerTo(error);
    return error.code === 'BAD_BYTES'
      ? errorAnswer(
          400,
          `Error with field '${error.path}': error unmarshalling field bytes: ${error.message}`,
        )
      : errorAnswer(400, `Error computing update: ${error.message}`);
  }
}

/** The answer of the operations; undefined where only the HTTP front has one (forms in odd forms, paths, methods). */
export function answerDirectly(folder: string, vector: Vector): Answer | undefined {
  return vector.path.startsWith('/configtxlator/') ? compute(folder, vector) : translate(folder, vector);
}
