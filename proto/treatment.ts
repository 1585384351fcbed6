// What is done with the opaque bytes of a message: the words in which the files of `opaque/` are written.

import type { Message } from './message.js';

/** Says why bytes cannot be opened, in the words of Fabric's configtxlator. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * What a bytes field holds: a message name, or a choice that depends on the message around it
 * and, for an entry of a map of bytes, on its key.
 */
export type Content = string | ((message: Message, key: string) => string | Refusal);

/** How a message is treated where it is reached through fields that are looked into (specification section 6). */
export interface Treatment {
  /** The Go type that errors name; by default made of the message name. */
  readonly go?: string;
  /** Absent fields are not printed. */
  readonly sparse?: true;
  /** Opaque bytes fields that are opened. */
  readonly opens?: Readonly<Record<string, Content>>;
  /** Message fields whose content is treated in another way than its own type is, by the key of the map they are in. */
  readonly within?: Readonly<Record<string, (key: string) => Treatment>>;
}

/** The treatments of one family, by message name. */
export type Treatments = Readonly<Record<string, Treatment>>;
