// Reads serialized messages of MSPs.

import { TranslateError } from '../../proto/errors.js';
import type { MessageType } from '../../proto/messages/message-type.js';
import { readMessage } from '../../proto/messages/read-message.js';
import { MspError } from './errors.js';

/** Reads a message. @throws MspError BAD_MESSAGE with the text of Go's runtime */
export function readMspMessage<T extends object>(type: MessageType<T>, bytes: Uint8Array): T {
  try {
    return readMessage(type, bytes) as T;
  } catch (error) {
    throw error instanceof TranslateError ? new MspError('BAD_MESSAGE', error.message) : error;
  }
}
