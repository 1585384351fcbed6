// The error class of the translator, the table of its codes, and functions that handle its errors.

interface ErrorKind {
  /** The HTTP status of a response that reports the error. */
  readonly status: number;
  /** The exit status of a command that fails with the error. */
  readonly exit: number;
  readonly meaning: string;
}

const failure = (meaning: string): ErrorKind => ({ status: 400, exit: 1, meaning });

/** All codes of errors. */
export const ERRORS = {
  UNKNOWN_TYPE: { ...failure('unknown message name'), status: 404 },
  BAD_BYTES: failure('the input is not a serialized message, or a string in it is not UTF-8'),
  BAD_JSON: failure('the document is not JSON, or not a JSON object'),
  BAD_FIELD: failure('an unknown field, or a value that the type of its field does not allow'),
  TOO_LARGE: failure('the input is nested too deep or too large'),
  WRONG_MESSAGE: failure('the input is another message than the required one'),
  NO_CHANNEL_GROUP: failure('the config has no channel group'),
  NO_DIFFERENCES: failure('the two configs are equal'),
  BAD_POLICY: failure('the text of a policy cannot be parsed'),
  BAD_ARGUMENT: failure('an argument of a function has another type than the required one'),
  BAD_EDIT: failure('the edit of a config is not possible, or changes nothing'),
  BAD_CERTIFICATE: failure('the bytes are not a certificate, a revocation list or other valid DER'),
  BAD_IDENTITY: failure('an MSP cannot read the identity'),
  BAD_MSP: failure('Fabric does not set up the MSP'),
  BAD_KEY: failure('the certificate or private key of a signer cannot be read, or its algorithm is unknown'),
  KEY_MISMATCH: failure('the private key does not belong to the certificate'),
  BAD_SIGNATURE: failure('the bytes are not a signature, or do not belong to the update and the certificate'),
  NOT_UNDERSTOOD: failure('the update to sign has content that is not understood'),
  WRONG_CHANNEL: failure('the update to sign names no channel, or another channel than its envelope'),
  BAD_VERSION: failure('a version of Fabric with unknown rules'),
  BAD_ADDRESS: failure('the text is not an address of a channel of a network'),
  UNREACHABLE: failure('an orderer cannot be reached, or does not respond in time'),
  REFUSED: failure('an orderer refuses a request'),
  NOT_SEEN: failure('an update was sent, but no response came, or too few orderers have it in time'),
  BAD_BLOCK: failure('a block fails its verification'),
  BAD_FILE: failure('a file or directory cannot be read or written'),
  BAD_MSP_FOLDER: failure('the path is not an MSP directory, or a certificate or key is missing in it'),
  BAD_LEDGER: failure('the ledger of a node cannot be read, or lacks the block'),
  BAD_NODE: failure('a program of Fabric does not start, or does not do what a rehearsal needs'),
  DIFFERENT_UPDATES: failure('the envelopes to merge contain different updates'),
  NOT_REHEARSED: {
    ...failure('an update cannot be rehearsed: the channel or the update cannot be copied'),
    exit: 3,
  },
} as const satisfies Readonly<Record<string, ErrorKind>>;

/** The kind of error, for programs. */
export type TranslateErrorCode = keyof typeof ERRORS;

/** Thrown by every operation of the translator for input that it rejects. */
export class TranslateError extends Error {
  override readonly name = 'TranslateError';
  readonly code: TranslateErrorCode;
  /** The field, from the outermost message: `payload.data.config`. Empty if the error is not about a field. */
  readonly path: string;
  /**
   * For `BAD_JSON` and `BAD_POLICY`: the index of the character where the text stops being valid. For `BAD_LEDGER` and `BAD_BLOCK`: the byte of the
   * block file at which there is no block.
   */
  readonly offset: number | undefined;
  /** The message without the Go types, fields and steps of Fabric before it; the message if it has none. */
  readonly reason: string;

  /** @param message begins with the text of Fabric's configtxlator, or of Go, for the same input */
  constructor(code: TranslateErrorCode, message: string, path = '', offset?: number, reason = message) {
    super(message);
    this.reason = reason;
    this.code = code;
    this.path = path;
    this.offset = offset;
  }
}

/**
 * Returns the result of a call, or the result of `otherwise` for its TranslateError; other errors are thrown. The call may return a promise.
 *
 * @param otherwise handles the error; may throw another error
 */
export function attempt<Result, Other>(
  call: () => Promise<Result>,
  otherwise: (error: TranslateError) => Other,
): Promise<Result | Other>;
export function attempt<Result, Other>(
  call: () => Result,
  otherwise: (error: TranslateError) => Other,
): Result | Other;
export function attempt(call: () => unknown, otherwise: (error: TranslateError) => unknown): unknown {
  const handle = (error: unknown): unknown => {
    if (error instanceof TranslateError) return otherwise(error);
    throw error;
  };
  try {
    const result = call();
    return result instanceof Promise ? result.catch(handle) : result;
  } catch (error) {
    return handle(error);
  }
}

/** Makes a call, and prefixes the message of its TranslateError, like Go's `errors.WithMessage`. */
export const withPrefix = <Result>(prefix: string, call: () => Result): Result =>
  attempt(call, ({ code, message, offset, reason }): never => {
    throw new TranslateError(code, `${prefix}: ${message}`, '', offset, reason);
  });
