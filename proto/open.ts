// Opens opaque bytes: reads the message that they hold.

import { Message, type Value } from './message.js';
import type { Field, Plan } from './plan.js';
import { readMessage } from './read.js';
import { Refusal } from './treatment.js';
import { TranslateError } from './errors.js';

/**
 * The message in some bytes.
 *
 * Bytes whose content is not known, or that are no such message, are given back: nobody should be locked out of a
 * block by one value (design, decision 13).
 */
export function open(bytes: Buffer, field: Field, parent: Message, key: string): Message | Buffer {
  const plan = field.content!(parent, key);
  return plan instanceof Refusal ? bytes : (tryRead(plan, bytes, parent) ?? bytes);
}

/** The message that bytes hold; undefined when they are none. */
export function tryRead(plan: Plan, bytes: Buffer, parent: Message): Message | undefined {
  try {
    return readMessage(plan, bytes, parent);
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}

/** A bytes field, opened. Undefined when it is absent or empty. */
export function openField(message: Message, name: string): Message | Buffer | undefined {
  const field = message.plan.byName.get(name)!;
  return openSlot(message, field) as Message | Buffer | undefined;
}

/**
 * A field that holds one value, its bytes opened. Undefined when it is absent or empty.
 *
 * The slot stays as it is: what is being encoded must keep the bytes that it was given.
 */
export function openSlot(message: Message, field: Field): Value | undefined {
  const value = message.slots[field.slot];
  if (!(value instanceof Buffer)) return value;
  return value.length === 0 ? undefined : open(value, field, message, '');
}
