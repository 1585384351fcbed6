// The result of a monitoring plugin.

import { CheckWarning } from '../../../core/contract/index.js';
import { describeEnd } from '../../../core/kit/index.js';
import { type CommandResult, firstLine } from '../../../core/kit/internal/index.js';

/** Exit statuses of monitoring plugins. */
const STATUS = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const;

/**
 * The failure that a plugin reports; undefined when it reports none.
 *
 * @param text its first line of output
 * @param unknown the severity of the status `unknown`
 */
export function failureOfCommand(
  result: CommandResult,
  text: string,
  unknown: 'critical' | 'warning',
): Error | undefined {
  const { status, stderr } = result;
  if (status === STATUS.ok) return undefined;
  const isKnown = status !== null && status <= STATUS.unknown;
  const output = firstLine(text) || firstLine(stderr);
  const reason = isKnown && output !== '' ? output : describeEnd(result, text, stderr);
  return status === STATUS.warning || (status === STATUS.unknown && unknown === 'warning')
    ? new CheckWarning(reason)
    : new Error(reason);
}
