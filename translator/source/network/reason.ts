// Why a call of an orderer failed, in plain words.

import type { ServiceError } from '@grpc/grpc-js';
import { describeSystemError } from '../../../core/common/text/system-error.js';

const DEADLINE_EXCEEDED = 4;
const SYSTEM_ERROR = /\b(E[A-Z]{3,})\b/;

/** Texts of Node.js about certificates, and what they mean here. */
const TLS: readonly (readonly [RegExp, string])[] = [
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
  [/wrong version number|packet length too long/i, 'it does not use TLS'],
];

/** @param timeout of the call, in milliseconds */
export function reasonOfCall({ code, details, message }: ServiceError, timeout: number): string {
  const text = details === '' ? message : details;
  if (code === DEADLINE_EXCEEDED) return `no response within ${timeout / 1000} s`;
  const known = TLS.find(([pattern]) => pattern.test(text));
  if (known !== undefined) return known[1];
  const system = SYSTEM_ERROR.exec(text)?.[1];
  return system === undefined ? text : describeSystemError({ code: system, message: text });
}
