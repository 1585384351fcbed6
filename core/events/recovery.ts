import { formatDuration } from '../common/text/duration.js';
import { reasonOf, type AgentEvent } from '../contract/index.js';

/**
 * The reason of a recovery.
 *
 * @param before what ended
 * @param what what is true now, such as `works again`
 */
export function recoveryReason({ state, since, reason }: AgentEvent, what: string): string {
  const duration = formatDuration(Math.max(0, Math.floor((Date.now() - since) / 1000) * 1000));
  const was = state === 'warning' ? 'needed attention' : 'failed';
  const start = new Date(since).toISOString().replace(/\.\d+Z$/, 'Z');
  return reasonOf(`${what} after ${duration}; ${was} since ${start}, former reason: ${reason}`);
}
