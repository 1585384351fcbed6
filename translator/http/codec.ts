// Decode and encode.

import { ERRORS, type TranslateError } from '../../proto/errors.js';
import type { Operations } from './operations.js';
import { bytesReply, jsonReply, textReply, type Reply } from './reply.js';
import type { Translation } from './route.js';

/** `/protolator/decode/{name}` and `/protolator/encode/{name}`. */
export function codecTranslations({ decode, encode }: Operations): readonly Translation[] {
  return [
    {
      path: '/protolator/decode',
      hasName: true,
      translate: ({ name, body }, bounds) => jsonReply(decode(name, body, bounds)),
      errorReply,
    },
    {
      path: '/protolator/encode',
      hasName: true,
      translate: ({ name, body }, bounds) => bytesReply(encode(name, body, bounds)),
      errorReply,
    },
  ];
}

const errorReply = (error: TranslateError): Reply => textReply(ERRORS[error.code].status, textOf(error));

function textOf(error: TranslateError): string {
  if (error.code === 'UNKNOWN_TYPE') return `message type not found: ${error.message}`;
  return error.code === 'TOO_LARGE'
    ? `${error.message}; limits depend on --max-output and the size of the body`
    : error.message;
}
