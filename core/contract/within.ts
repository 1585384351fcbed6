import { AgentError } from './errors.js';

/**
 * Runs work that must end in time.
 *
 * @param timeout milliseconds
 * @param what the work, for the error: the subject of a sentence
 * @param other ends the work when it is aborted
 * @param work gets a signal that is aborted at the deadline, or with the other one
 * @throws AgentError `PLUGIN_TIMED_OUT`
 */
export async function within<T>(
  timeout: number,
  what: string,
  other: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onOther: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (error: unknown): void => {
      abort.abort(error);
      reject(error);
    };
    timer = setTimeout(
      () => end(new AgentError('PLUGIN_TIMED_OUT', `${what} took longer than ${timeout / 1000}s`)),
      timeout,
    );
    onOther = () => end(other?.reason);
    if (other?.aborted === true) onOther();
    else other?.addEventListener('abort', onOther);
  });
  try {
    return await Promise.race([work(abort.signal), ended]);
  } finally {
    clearTimeout(timer);
    if (onOther !== undefined) other?.removeEventListener('abort', onOther);
  }
}
