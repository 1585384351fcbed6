// The operations of the service.

import { encode } from '../../proto/from-json.js';
import type { Bounds } from '../../proto/limits.js';
import { decodeToPieces } from '../../proto/to-json.js';

/** The operations of the service. They throw `TranslateError` for input that they refuse. */
export interface Operations {
  /** Converts a serialized message of a type to JSON text in pieces, as UTF-8; it ends in a newline. */
  readonly decode: (type: string, bytes: Uint8Array, bounds: Bounds) => readonly Uint8Array[];
  /** Converts JSON text to a serialized message of a type. */
  readonly encode: (type: string, json: Uint8Array, bounds: Bounds) => Uint8Array;
  /** Computes the update between two serialized `common.Config`, as a serialized `common.ConfigUpdate`. */
  readonly computeUpdate: (
    original: Uint8Array,
    updated: Uint8Array,
    channelId: string,
  ) => Promise<Uint8Array>;
}

/** The operations of the program. */
export const OPERATIONS: Operations = {
  decode: decodeToPieces,
  encode,
  // Loaded with the first form: an idle service does not keep it.
  computeUpdate: async (...configs) => (await import('../update/index.js')).computeUpdate(...configs),
};
