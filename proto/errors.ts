// The error class of the translator.

/** The kind of error, for programs. Front ends derive the HTTP status or exit code from it. */
export type TranslateErrorCode =
  /** Unknown message name. */
  | 'UNKNOWN_TYPE'
  /** The input is not a serialized message: invalid wire format, or a string that is not UTF-8. */
  | 'BAD_BYTES'
  /** The input is not JSON, or not a JSON object. */
  | 'BAD_JSON'
  /** An unknown field, or a value that the type of its field does not allow. */
  | 'BAD_FIELD'
  /** The input is nested too deep or too large. */
  | 'TOO_LARGE'
  /** The input is another message than the required one. */
  | 'WRONG_MESSAGE'
  /** The configuration has no channel group. */
  | 'NO_CHANNEL_GROUP'
  /** The two configurations are equal. */
  | 'NO_DIFFERENCES'
  /** The text of a policy cannot be parsed. */
  | 'BAD_POLICY'
  /** An edit of a config that is not possible, or that changes nothing. */
  | 'BAD_EDIT';

/** Thrown by every operation of the translator for input that it rejects. */
export class TranslateError extends Error {
  override readonly name = 'TranslateError';
  readonly code: TranslateErrorCode;
  /** The field, from the outermost message: `payload.data.config`. Empty if the error is not about a field. */
  readonly path: string;
  /** For `BAD_JSON` and `BAD_POLICY`: the index of the character where the text stops being valid. */
  readonly offset: number | undefined;

  /** @param message begins with the text of Fabric's configtxlator for the same input */
  constructor(code: TranslateErrorCode, message: string, path = '', offset?: number) {
    super(message);
    this.code = code;
    this.path = path;
    this.offset = offset;
  }
}
