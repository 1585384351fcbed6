// Opens opaque bytes: reads the messages in them.

import { TranslateError, attempt } from './errors.js';
import { fromBinary } from './from-binary.js';
import { Message, Refusal, type Descriptor, type Field, type Readable, type Value } from './message.js';
import { timestampProblem } from './timestamp.js';

/**
 * Reads a message that has a JSON form.
 *
 * @param limit the limit for values of the outermost message. @default the limit of the parent
 * @throws TranslateError BAD_BYTES, TOO_LARGE, or BAD_FIELD for a timestamp without a JSON form
 */
export function readMessage(
  descriptor: Descriptor,
  bytes: Uint8Array,
  parent?: Message,
  limit = parent?.limit,
): Message {
  const timestamps: Message[] = [];
  const message = fromBinary(descriptor, bytes, { parent, limit, timestamps });
  for (const timestamp of timestamps) {
    const problem = timestampProblem(timestamp);
    if (problem !== undefined)
      throw new TranslateError('BAD_FIELD', `${descriptor.goType}: proto: ${problem}`);
  }
  return message;
}

/**
 * The message in some bytes.
 *
 * Returns the bytes if their type is unknown, or if they are not a valid message: one such value must not make the rest of a block
 * unreadable.
 */
export function open(bytes: Buffer, field: Field, parent: Message, key: string): Message | Buffer {
  const content = field.content!(parent, key, openField);
  return content instanceof Refusal ? bytes : (tryRead(content, bytes, parent) ?? bytes);
}

/**
 * The message in some bytes; undefined if they are not a valid message. Counts as a value.
 *
 * @throws TranslateError TOO_LARGE: more values than the bounds of the operation allow
 */
export function tryRead(descriptor: Descriptor, bytes: Buffer, parent: Message): Message | undefined {
  parent.limit?.add();
  return attempt(
    () => readMessage(descriptor, bytes, parent),
    (error) => {
      if (error.code === 'TOO_LARGE' && parent.limit !== undefined) throw error;
      return undefined;
    },
  );
}

/** Opens a bytes field by its name; undefined if it is absent or empty. */
export function openField(message: Readable, name: string): Message | Buffer | undefined {
  const field = message.descriptor.byName.get(name)!;
  return openSlot(message as Message, field) as Message | Buffer | undefined;
}

/**
 * The value of a field that is not a list or map, with bytes opened; undefined if it is absent or empty.
 *
 * Does not change the slot: a message that is being encoded must keep the given bytes.
 */
export function openSlot(message: Message, field: Field): Value | undefined {
  const value = message.slots[field.slot];
  if (!(value instanceof Buffer)) return value;
  return value.length === 0 ? undefined : open(value, field, message, '');
}
