// The routes of decode and encode.

import { ERRORS, type TranslateError, attempt } from '../../proto/errors.js';
import type { Bounds } from '../../proto/limits.js';
import type { Operations } from '../operations.js';
import { bytesReply, jsonReply, textReply, type Reply } from './reply.js';
import type { Route } from './route.js';

/** `/protolator/decode/{name}` and `/protolator/encode/{name}`. */
export function translateRoutes(
  { decode, encode }: Pick<Operations, 'decode' | 'encode'>,
  bounds: Bounds,
): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/protolator/decode',
      hasName: true,
      handle: async ({ name, body }) => {
        const bytes = await body();
        return orErrorReply(() => jsonReply(decode(name, bytes, bounds)));
      },
    },
    {
      method: 'POST',
      path: '/protolator/encode',
      hasName: true,
      handle: async ({ name, body }) => {
        const json = await body();
        return orErrorReply(() => bytesReply(encode(name, json, bounds)));
      },
    },
  ];
}

const orErrorReply = (translate: () => Reply): Reply =>
  attempt(translate, (error) => textReply(ERRORS[error.code].status, textOf(error)));

function textOf(error: TranslateError): string {
  if (error.code === 'UNKNOWN_TYPE') return `message type not found: ${error.message}`;
  return error.code === 'TOO_LARGE'
    ? `${error.message}; limits depend on --max-output and the size of the body`
    : error.message;
}
