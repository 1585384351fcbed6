// The error class of identities and MSPs.

/** The kind of error, for programs. */
export type MspErrorCode =
  /** Bytes that are not DER, not a certificate or not a CRL. */
  | 'BAD_CERTIFICATE'
  /** Bytes that are not a serialized message. */
  | 'BAD_MESSAGE'
  /** An identity that an MSP cannot read. */
  | 'BAD_IDENTITY'
  /** An MSP that Fabric does not set up. */
  | 'BAD_MSP';

/** Thrown for identities, certificates and MSPs that Fabric refuses; the message is Fabric's or Go's text. */
export class MspError extends Error {
  override readonly name = 'MspError';
  readonly code: MspErrorCode;

  constructor(code: MspErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Runs a step; prefixes the message of an `MspError`, as Go's `errors.WithMessage` does. */
export function withMessage<Result>(prefix: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw error instanceof MspError ? new MspError(error.code, `${prefix}: ${error.message}`) : error;
  }
}
