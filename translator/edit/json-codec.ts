// Conversion between JSON and serialized messages; edits get it as an argument, because few need it.

/** `decode` and `encode` of the translator. */
export interface JsonCodec {
  /** Converts a serialized message of a type to JSON text. */
  readonly decode: (type: string, bytes: Uint8Array) => string;
  /** Converts JSON text to a serialized message of a type. */
  readonly encode: (type: string, json: Uint8Array) => Uint8Array;
}
