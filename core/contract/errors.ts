/**
 * The codes an {@link AgentError} can carry, with what each one means. Match on the code, not on the class: two copies of
 * this package may be loaded in one process.
 */
export const ERROR_CODES = {
  LOG_SPEC_INVALID: 'a logging specification that the grammar refuses',
  LOGGER_NAME_INVALID: 'a logger name that no logging specification could mention',
  LOG_FORMAT_INVALID: 'a log format that cannot be used',
  METRIC_INVALID: 'a metric definition or a label that cannot be accepted',
  COMPONENT_INVALID: 'a health component that cannot be registered',
  PLUGIN_START_FAILED: 'a plugin that did not start and whose policy is to fail',
  PLUGIN_TIMED_OUT: 'a plugin that did not finish in time',
  LISTEN_FAILED: 'an address that cannot be listened on',
  TLS_INVALID: 'certificates, keys or authorities that cannot be used',
  BODY_INVALID: 'a request body that is broken or not what the route takes',
  BODY_TOO_LARGE: 'a request body over the limit',
  BODY_TIMED_OUT: 'a request body that did not arrive in time',
  USAGE: 'a command line that cannot be understood',
} as const;

/** One of the keys of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The one error class of the agent: a message for a person, a code for a program, and the cause where there is one. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Longest reason that {@link reasonOf} returns, in UTF-16 units. */
export const MAX_REASON_LENGTH = 2048;

/** The text of anything that was thrown or rejected with, on hand for a log line or a reply: never empty, never long. */
export function reasonOf(thrown: unknown): string {
  const text = textOf(thrown).trim() || 'no reason given';
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH)}…` : text;
}

/** A message of OpenSSL: `<thread>:error:<code>:<library>:<function>:<reason>:<source file>:<line>:`. */
const OPENSSL_MESSAGE = /[0-9A-F]:error:[0-9A-F]+:[^:]*:[^:]*:(?<reason>[^:]+):/;

function textOf(thrown: unknown): string {
  try {
    // An error of several connection attempts (happy eyeballs) has an empty message of its own.
    if (thrown instanceof AggregateError && thrown.message === '' && thrown.errors.length > 0)
      return textOf(thrown.errors[0]);
    if (thrown instanceof Error) {
      // Whatever its type says: a message can be anything.
      const message: unknown = thrown.message || thrown.name;
      if (typeof message !== 'string') return textOf(message);
      return OPENSSL_MESSAGE.exec(message)?.groups?.reason ?? message;
    }
    if (thrown === undefined || thrown === null) return '';
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? typeof thrown);
  } catch {
    return 'a value that cannot be shown as text';
  }
}
