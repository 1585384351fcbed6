// The operations of the translator. The command line and the HTTP service get them as arguments.

import type { Bounds } from '../proto/limits.js';

/** The operations of the translator. All except `messageNames` throw `TranslateError` for input that they refuse. */
export interface Operations {
  /**
   * Converts a serialized message of a type to JSON text in pieces, as UTF-8; it ends in a newline. `onUnknown` gets the number of unknown
   * fields that the text lacks, if there are any.
   */
  readonly decode: (
    type: string,
    bytes: Uint8Array,
    bounds?: Bounds,
    onUnknown?: (fields: number) => void,
  ) => readonly Uint8Array[];
  /** Converts JSON text to a serialized message of a type. */
  readonly encode: (type: string, json: Uint8Array, bounds?: Bounds) => Uint8Array;
  /** Computes the update between two serialized `common.Config`, as a serialized `common.ConfigUpdate`. */
  readonly computeUpdate: (
    original: Uint8Array,
    updated: Uint8Array,
    channelId: string,
    warn?: (text: string) => void,
  ) => Uint8Array;
  /** The full names of all message types, sorted. */
  readonly messageNames: () => readonly string[];
}
