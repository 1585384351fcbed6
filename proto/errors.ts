// The one error class of the translator: a code for programs, a text for people, the path of the field.

/** What went wrong, for programs. Front ends choose a status or an exit code by it. */
export type TranslateErrorCode =
  /** The message name is not known. */
  | 'UNKNOWN_TYPE'
  /** The outer bytes are no message: not the protobuf wire format, or text that is not UTF-8. */
  | 'BAD_BYTES'
  /** The input is no JSON document, or not an object. */
  | 'BAD_JSON'
  /** A field has a value that its type does not allow. */
  | 'BAD_FIELD'
  /** Nested deeper, or larger, than the translator handles. */
  | 'TOO_LARGE'
  /** The input is another message than the required one. */
  | 'WRONG_MESSAGE'
  /** A configuration without a channel group. */
  | 'NO_CHANNEL_GROUP'
  /** The two configurations do not differ. */
  | 'NO_DIFFERENCES';

/**
 * Thrown by every operation of the translator.
 *
 * `message` begins as the text of Fabric's configtxlator for the same mistake (specification section 7);
 * `path` names the field from the outermost message (`payload.data.config`), empty where there is none; `offset` is the
 * character of the document at which it stops being JSON.
 */
export class TranslateError extends Error {
  override readonly name = 'TranslateError';
  readonly code: TranslateErrorCode;
  readonly path: string;
  readonly offset: number | undefined;

  constructor(code: TranslateErrorCode, message: string, path = '', offset?: number) {
    super(message);
    this.code = code;
    this.path = path;
    this.offset = offset;
  }
}
