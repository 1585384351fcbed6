// A message in memory, between bytes and JSON text.

import type { Plan } from './plan.js';

/** A value of a field; absent fields are undefined. 64-bit integers are decimal text, enums are numbers. */
export type Value = string | number | boolean | Buffer | Message | Value[] | Map<string, Value>;

/**
 * A message: one slot for each field of its plan.
 *
 * Bytes that have been opened are a Message in the slot of the bytes.
 */
export class Message {
  readonly plan: Plan;
  /** The message that holds this one, also as opened bytes. */
  readonly parent: Message | undefined;
  /** Its key, where it is an entry of a map. */
  readonly key: string;
  readonly slots: (Value | undefined)[];
  /** Length in bytes, once `write.ts` has measured it. */
  size = 0;

  constructor(plan: Plan, parent?: Message, key = '') {
    this.plan = plan;
    this.parent = parent;
    this.key = key;
    this.slots = plan.noValues.slice();
  }

  /** The value of a field by its name; undefined when it is absent. */
  get(field: string): Value | undefined {
    return this.slots[this.plan.byName.get(field)!.slot];
  }

  /** The value of a 32-bit number or enum field; 0 when it is absent. */
  int(field: string): number {
    return (this.get(field) as number | undefined) ?? 0;
  }
}
