// The types of the rules in opaque/, which declare the messages in bytes fields.

import type { OpenField, Readable, Refusal } from './message.js';

/**
 * The message in a bytes field: its name, or a function that derives the name from the message with the field and, for a map of bytes, the
 * key of the entry.
 */
export type Content = string | ((message: Readable, key: string, openField: OpenField) => string | Refusal);

/** The rules for the fields of one message type, as in Fabric's protolator and its `protoext` packages. */
export interface OpaqueRules {
  /** The Go type named in errors; the default is derived from the message name. */
  readonly goType?: string;
  /** Absent fields are not printed. */
  readonly omitAbsent?: true;
  /** The messages in bytes fields that are opened, by field name. */
  readonly opens?: Readonly<Record<string, Content>>;
  /** Hints for errors about unknown fields in opened bytes, by field name. */
  readonly hints?: Readonly<Record<string, (unknownField: string) => string | undefined>>;
  /** Rules for the messages in a field that replace the rules of their type, by field name; `key` is the key of a map entry. */
  readonly nested?: Readonly<Record<string, (key: string) => OpaqueRules>>;
}

/** The rules of some message types, by message name. */
export type RulesByMessage = Readonly<Record<string, OpaqueRules>>;
