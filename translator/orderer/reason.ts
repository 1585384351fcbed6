// Why a call of an orderer failed, in plain words.

import { describeSystemError } from '../../core/common/text/system-error.js';

/** `Status.DEADLINE_EXCEEDED`; the package is not loaded for its name. */
const DEADLINE_EXCEEDED = 4;
const SYSTEM_ERROR = /\b(E[A-Z]{3,})\b/;

/** What gRPC says of a call that failed. */
interface FailedCall {
  /** A `Status`. */
  readonly code: number;
  readonly details: string;
  readonly message: string;
}

/** Texts of Node.js and gRPC, and what they mean here. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [
    /unable to (?:verify|get)|self.signed certificate|unknown ca/i,
    'its TLS certificate is not of a CA that is given with --tls-ca',
  ],
  [
    /does not match certificate's altnames/,
    'its TLS certificate is for another name; --tls-server-name names it',
  ],
  [
    /certificate required|bad certificate|handshake failure/i,
    'it requires a client certificate that it trusts',
  ],
  [/certificate has expired/, 'its TLS certificate has expired'],
  [/wrong version number|packet length too long/i, 'it does not use TLS: write grpc:// in place of grpcs://'],
  [/Name resolution failed/, 'its host name cannot be resolved'],
];

/** @param timeout of the call, in milliseconds */
export function reasonOfCall({ code, details, message }: FailedCall, timeout: number): string {
  const text = details === '' ? message : details;
  if (code === DEADLINE_EXCEEDED) return `no response within ${timeout / 1000} s`;
  const known = TEXTS.find(([pattern]) => pattern.test(text));
  if (known !== undefined) return known[1];
  const system = SYSTEM_ERROR.exec(text)?.[1];
  if (system !== undefined) return describeSystemError({ code: system, message: text });
  // A server with TLS closes a connection without it, and Node.js gives no reason.
  return text.startsWith('No connection established')
    ? 'it closed the connection; if it uses TLS, write grpcs:// in place of grpc://'
    : text;
}
