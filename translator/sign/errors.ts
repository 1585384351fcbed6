// The error class of signing and merging.

/** The kind of error, for programs. */
export type SignErrorCode =
  /** The input is not an envelope with a config update. */
  | 'WRONG_MESSAGE'
  /** The config update has content that is not understood. */
  | 'NOT_UNDERSTOOD'
  /** The private key cannot be read, or its algorithm is unknown. */
  | 'BAD_KEY'
  /** The private key does not belong to the certificate. */
  | 'KEY_MISMATCH'
  /** The envelopes to merge contain different updates. */
  | 'DIFFERENT_UPDATES';

/** Thrown for input that cannot be signed or merged. */
export class SignError extends Error {
  override readonly name = 'SignError';
  readonly code: SignErrorCode;

  constructor(code: SignErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
