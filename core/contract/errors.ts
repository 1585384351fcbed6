// The errors of the agent and of plugins.

import type { Step } from './step.js';

/** The codes of {@link AgentError}, with the meaning of each. */
export const ERROR_CODES = {
  SETTINGS_INVALID: 'invalid settings, plugin declarations or plugin options; `problems` lists each one',
  LOG_SPEC_INVALID: 'an invalid logging specification',
  LOGGER_NAME_INVALID: 'a logger name that no logging specification can contain',
  LOG_FORMAT_INVALID: 'an invalid log format',
  METRIC_INVALID: 'an invalid metric definition or label',
  COMPONENT_INVALID: 'a health component with an empty or duplicate name',
  PLUGIN_NOT_STARTED: 'a plugin that has not started yet',
  PLUGIN_START_FAILED: 'a plugin with `onStartError: fail` did not start',
  PLUGIN_TIMED_OUT: 'a plugin did not finish in time',
  AGENT_STOPPED: 'the agent is stopping or was stopped',
  LISTEN_FAILED: 'the agent cannot listen on its address',
  TLS_INVALID: 'unusable certificates, private keys or CAs',
  BODY_INVALID: 'a request body that is truncated or that the route does not accept',
  BODY_TOO_LARGE: 'a request body over the limit',
  BODY_TIMED_OUT: 'a request body that did not arrive in time',
  QUERY_INVALID: 'an invalid parameter of a request',
  CHECKS_FAILED: 'a check that failed in parts; `parts` lists each one',
  CHECK_WARNING: 'a check of a component that works but needs attention',
  SOURCE_FAILED: 'a metric source could not be read; `failure` has the reason',
  NOTIFICATION_REFUSED: 'a receiver of notifications will not accept these events',
  NOTIFICATION_NOT_ACCEPTED:
    'a receiver of notifications has certainly not accepted these events, but may accept them later',
  NODE_UNREACHABLE: 'a node did not respond completely',
  NODE_UNKNOWN: 'a node that the agent does not monitor, or a resource of a node that is switched off',
  NODE_BUSY: 'too many requests to a node are in progress',
  NODE_REFUSED: 'a node refused a request',
  NODE_RESPONSE_INVALID: 'a node sent an unexpected response',
  SILENCE_UNKNOWN: 'a silence that does not exist, or has ended',
  SILENCES_FULL: 'too many silences at a time',
  USAGE: 'an invalid command line',
} as const;

/** One of the keys of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * The error class of the agent: a complete message, a code and an optional cause. Match the code, not the class: two
 * copies of this package can be loaded in one process.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The code of an error of the agent, from any copy of this package; undefined for other values. */
export function errorCodeOf(error: unknown): ErrorCode | undefined {
  // The usual case, for each check that succeeds: an exception would cost more than many checks.
  if (error === undefined) return undefined;
  try {
    const { code } = error as { code: unknown };
    return typeof code === 'string' && Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : undefined;
  } catch {
    return undefined;
  }
}

/** Longest reason that {@link reasonOf} returns by default, in UTF-16 units. */
export const MAX_REASON_LENGTH = 2048;

/** How many causes {@link reasonOf} follows. */
const MAX_CAUSES = 3;

/**
 * The reason in any thrown value, for a log line or a response; never empty. If the message has no `: ` in it, such as `fetch failed`,
 * the message of the cause is appended.
 *
 * @param maxLength in UTF-16 units; a longer reason is truncated and ends in `…`. @default {@link MAX_REASON_LENGTH}
 */
export function reasonOf(thrown: unknown, maxLength: number = MAX_REASON_LENGTH): string {
  const text = textOf(thrown, MAX_CAUSES) || 'no reason given';
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** A message of OpenSSL: `<thread>:error:<code>:<library>:<function>:<reason>:<source file>:<line>:`. */
const OPENSSL_MESSAGE = /[0-9A-F]:error:[0-9A-F]+:[^:]*:[^:]*:(?<reason>[^:]+):/;

/** Names of errors that explain nothing as a cause. */
const ABORTS: ReadonlySet<unknown> = new Set(['AbortError', 'TimeoutError']);

function textOf(thrown: unknown, causesLeft: number): string {
  try {
    if (thrown instanceof Error) return textOfError(thrown, causesLeft);
    if (thrown === undefined || thrown === null) return '';
    return (typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? typeof thrown)).trim();
  } catch {
    return 'a value that cannot be shown as text';
  }
}

function textOfError(error: Error, causesLeft: number): string {
  // A message can have any type at run time.
  const message: unknown = error.message || error.name;
  if (typeof message !== 'string') return textOf(message, 0);
  // The error of several failed connection attempts has no message.
  const isList = error instanceof AggregateError && error.errors.length > 0;
  const text =
    isList && error.message === '' ? '' : (OPENSSL_MESSAGE.exec(message)?.groups?.reason ?? message).trim();
  const cause: unknown = isList ? error.errors[0] : error.cause;
  const isExplained = text.includes(': ') || errorCodeOf(error) !== undefined;
  if (isExplained || causesLeft === 0 || !(cause instanceof Error) || ABORTS.has(cause.name)) return text;
  const reason = textOf(cause, causesLeft - 1);
  if (text === '') return reason;
  return text.includes(reason) ? text : `${text}: ${reason}`;
}

/** The kind of a failed reading; the label `reason` of `fabric_ops_agent_source_failures_total`. */
export type SourceFailure = 'unreachable' | 'timeout' | 'tls' | 'status' | 'too_large' | 'invalid' | 'other';

/** A reading that failed. Its code is `SOURCE_FAILED`. */
export class SourceError extends AgentError {
  readonly failure: SourceFailure;

  constructor(failure: SourceFailure, message: string, options?: { cause?: unknown }) {
    super('SOURCE_FAILED', message, options);
    this.failure = failure;
  }
}

/** Error codes when a server closes a connection that it did not serve in time. */
const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ERR_RESPONSE_TRUNCATED']);

/** Returns true if the connection of a failed reading was refused: the host runs, the process does not. */
export function isRefused(thrown: unknown): boolean {
  if (errorCodeOf(thrown) !== 'SOURCE_FAILED') return false;
  const { cause } = thrown as { readonly cause?: { readonly code?: unknown } };
  return cause?.code === 'ECONNREFUSED';
}

/** Error codes of a host name without an address. */
const UNRESOLVED: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/** Returns true if a reading failed because the host name has no address: this proves nothing about the process. */
export function isUnresolved(thrown: unknown): boolean {
  if (errorCodeOf(thrown) !== 'SOURCE_FAILED') return false;
  return UNRESOLVED.has((thrown as { readonly cause?: { readonly code?: unknown } }).cause?.code);
}

/** Returns true if an error is only a timeout, which a slow host may have caused. A refused connection is certain. */
export function isLate(thrown: unknown): boolean {
  const code = errorCodeOf(thrown);
  if (code !== 'SOURCE_FAILED') return code === 'PLUGIN_TIMED_OUT';
  const { failure, cause } = thrown as {
    readonly failure?: unknown;
    readonly cause?: { readonly code?: unknown };
  };
  return failure === 'timeout' || CLOSED.has(cause?.code);
}

/** `critical`: the component does not do its work. `warning`: it works, but needs attention soon. */
export type Severity = 'critical' | 'warning';

/** A part of a component that is not healthy. */
export interface FailedPart {
  /** The name of the part; it is reported as `<component of the check>/<this>`. */
  readonly component: string;
  readonly reason: string;
  /** @default 'critical' */
  readonly severity?: Severity;
  /** The next steps, the first one first, at most 5. @default none: only the runbook has them */
  readonly steps?: readonly Step[];
}

/**
 * Thrown by a check that fails in parts. Each part is reported as a separate failed check; the component itself is not reported.
 * Its code is `CHECKS_FAILED`.
 */
export class FailedChecks extends AgentError {
  readonly parts: readonly FailedPart[];

  /**
   * @param parts at least one; of several with the same name the first counts
   * @throws TypeError without a part
   */
  constructor(parts: readonly FailedPart[]) {
    if (parts.length === 0) throw new TypeError('FailedChecks needs at least one part');
    super('CHECKS_FAILED', parts.map(({ component, reason }) => `${component}: ${reason}`).join('; '));
    this.parts = parts;
  }
}

/**
 * Thrown by a check when the component works but needs attention: the severity of the failure is `warning`, and `/healthz` and `/readyz`
 * still respond with 200. Its code is `CHECK_WARNING`.
 */
export class CheckWarning extends AgentError {
  /** @param reason shown to the operator */
  constructor(reason: string) {
    super('CHECK_WARNING', reason);
  }
}

/** The problems of an error: each problem of invalid settings, else the reason. */
export function problemsOf(error: unknown): readonly string[] {
  return errorCodeOf(error) === 'SETTINGS_INVALID'
    ? (error as { readonly problems: readonly string[] }).problems
    : [reasonOf(error)];
}
