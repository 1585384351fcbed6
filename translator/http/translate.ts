// The routes of decode and encode.

import { TranslateError } from '../../proto/errors.js';
import type { Operations } from '../operations.js';
import { bytesReply, jsonReply, textReply, type Reply } from './reply.js';
import type { Route } from './route.js';

/** `/protolator/decode/{name}` and `/protolator/encode/{name}`. */
export function translateRoutes({ decode, encode }: Operations): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/protolator/decode',
      hasName: true,
      handle: async ({ name, body }) => {
        const bytes = await body();
        return orErrorReply(() => jsonReply(decode(name, bytes)));
      },
    },
    {
      method: 'POST',
      path: '/protolator/encode',
      hasName: true,
      handle: async ({ name, body }) => {
        const json = await body();
        return orErrorReply(() => bytesReply(encode(name, json)));
      },
    },
  ];
}

function orErrorReply(translate: () => Reply): Reply {
  try {
    return translate();
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return error.code === 'UNKNOWN_TYPE'
      ? textReply(404, `message type not found: ${error.message}`)
      : textReply(400, error.message);
  }
}
