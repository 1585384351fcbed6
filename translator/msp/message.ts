// Reads serialized messages of MSPs.

import { TranslateError } from '../../proto/errors.js';
import { readAs, type MessageOf, type Shape } from '../config/message.js';
import { MspError } from './errors.js';

/** Reads a message. @throws MspError BAD_MESSAGE with the text of Go's runtime */
export function readMspMessage<S extends Shape>(shape: S, bytes: Uint8Array): MessageOf<S> {
  try {
    return readAs(shape, bytes);
  } catch (error) {
    throw error instanceof TranslateError ? new MspError('BAD_MESSAGE', error.message) : error;
  }
}
