// The checks of options that push sinks have in common.

import { formatHostPort } from '../common/text/host-port.js';
import type { HostPort } from '../contract/index.js';

/** Shortest time between two pushes, in milliseconds. */
const MIN_INTERVAL = 10;

/**
 * Checks an interval between pushes.
 *
 * @param writeInterval in milliseconds
 * @throws Error naming the option
 */
export function checkInterval(writeInterval: number): void {
  if (writeInterval < MIN_INTERVAL)
    throw new Error(`options.writeInterval: must be at least 10ms: value was ${writeInterval}ms`);
}

/**
 * Checks the address of a daemon.
 *
 * @throws Error naming the option
 */
export function checkDaemonAddress(address: HostPort): void {
  if (address.port === 0)
    throw new Error(`options.address: the port must not be 0: value was "${formatHostPort(address)}"`);
}

/** @throws Error saying what is allowed */
export function checkPrefix(value: unknown): void {
  if (typeof value !== 'string' || /[|:\s\p{Cc}]/u.test(value))
    throw new Error('must be a string without whitespace, control characters, colons or vertical bars');
}

/**
 * Characters that receivers do not keep. StatsD 0.9.0 replaces `/` and removes all but letters, digits and `_-.;=` (`stats.js`,
 * `sanitizeKeyName`). Tags begin at `;` in Graphite, at `,` in InfluxDB's, at `#` in Librato's and at `[` in SignalFx's form of StatsD.
 * Graphite reads `*?{}[]` in queries as patterns.
 */
const NOT_KEPT = /[^A-Za-z0-9_.-]/gu;

/** Warns of a prefix that arrives as another name, or as tags. */
export function warnOfPrefix(value: unknown): string | undefined {
  const found = [...new Set(String(value).match(NOT_KEPT))].join('');
  return found === ''
    ? undefined
    : `receivers remove or replace ${found}, or read it as the start of tags; use letters, digits, '_', '-' and '.'`;
}

/** @throws Error saying what is allowed */
export function checkSize(value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw new Error('must be a whole number of 1 or more');
}
