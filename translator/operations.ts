// What the two fronts need of the translator: they are given these functions and import none of them.

/** The operations of the translator; each but `messageNames` throws `TranslateError` for input it refuses. */
export interface Operations {
  /** A serialized message of a type to its JSON text, which ends in a newline. */
  readonly decode: (type: string, bytes: Uint8Array) => string;
  /** JSON text to the serialized message of a type. */
  readonly encode: (type: string, json: Uint8Array) => Uint8Array;
  /** The update that turns one serialized `common.Config` into another, as a serialized `common.ConfigUpdate`. */
  readonly computeUpdate: (original: Uint8Array, updated: Uint8Array, channelId: string) => Uint8Array;
  /** The full names of all message types, sorted. */
  readonly messageNames: () => readonly string[];
}
