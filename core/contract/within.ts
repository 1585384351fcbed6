import { AgentError } from './errors.js';

/**
 * Runs work with a deadline.
 *
 * @param timeout milliseconds
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
