// Runs work with a deadline.

import { setDeadline } from '../common/flow/deadline.js';
import { onAbort } from '../common/flow/on-abort.js';
import { untilAborted } from '../common/flow/until-aborted.js';
import { AgentError } from './errors.js';

/**
 * Runs work with a deadline.
 *
 * @param timeout milliseconds, without time in which this process did not run
 * @param what names the work in the error, such as `init`
 * @param other when aborted, rejects with its reason
 * @param work its signal is aborted at the deadline or together with `other`
 * @throws AgentError `PLUGIN_TIMED_OUT`
 */
export async function within<T>(
  timeout: number,
  what: string,
  other: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const onTimeout = (): void =>
    abort.abort(new AgentError('PLUGIN_TIMED_OUT', `${what} took longer than ${timeout / 1000}s`));
  const cancel = setDeadline(timeout, onTimeout);
  const stopListening = other && onAbort(other, () => abort.abort(other.reason));
  try {
    return await untilAborted(work(abort.signal), abort.signal);
  } finally {
    cancel();
    stopListening?.();
  }
}
