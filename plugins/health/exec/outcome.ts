// What the end of a monitoring plugin says.

import { CheckWarning } from '../../../core/contract/index.js';
import { type CommandResult, describeEnd, firstLine } from '../../../core/kit/index.js';

/** Exit statuses of monitoring plugins. */
const STATUS = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const;

/**
 * The failure that a plugin reports; undefined when it reports none.
 *
 * @param text its first line
 * @param unknown what the status `unknown` means
 */
export function failureOf(
  result: CommandResult,
  text: string,
  unknown: 'critical' | 'warning',
): Error | undefined {
  const { status, stderr } = result;
  if (status === STATUS.ok) return undefined;
  const line = text === '' ? stderr : text;
  const isKnown = status !== null && status <= STATUS.unknown;
  const reason = isKnown && line.trim() !== '' ? firstLine(line) : describeEnd(result, line);
  return status === STATUS.warning || (status === STATUS.unknown && unknown === 'warning')
    ? new CheckWarning(reason)
    : new Error(reason);
}
