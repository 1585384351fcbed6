import { untilAborted } from '../common/flow/until-aborted.js';
import type { SourceState } from '../contract/index.js';
import { stringMember } from './document.js';
import type { NodeClient } from './node-client.js';

/** How long a version is cached, in milliseconds. A restart of the node ends it earlier. */
const MAX_AGE = 300_000;
/** How long a failed request is not repeated, in milliseconds. */
const RETRY_AFTER = 10_000;
/** Longest time that a caller waits for a version, in milliseconds. */
const MAX_WAIT = 2000;
/** Longest version, in UTF-16 units. */
const MAX_LENGTH = 100;

/**
 * Creates a function that returns the version of a node, requested when the node has restarted.
 *
 * @param maxWait how long a caller waits for the response, in milliseconds
 * @returns undefined while the version is unknown
 */
export function createNodeVersion(
  client: NodeClient,
  maxWait: number = MAX_WAIT,
): (state: SourceState) => Promise<string | undefined> {
  let version: string | undefined;
  let startTime: number | undefined;
  let nextRequest = 0;
  let pending: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      const response = await client.request({ method: 'GET', path: '/version' });
      version = response.status === 200 ? stringMember(response, 'Version')?.slice(0, MAX_LENGTH) : undefined;
    } catch {
      version = undefined;
    }
    nextRequest = performance.now() + (version === undefined ? RETRY_AFTER : MAX_AGE);
    pending = undefined;
  }

  return async ({ isUp, reading }) => {
    if (!isUp) {
      // It may have another version when it is back.
      nextRequest = 0;
      return version;
    }
    if (reading?.startTime !== startTime) nextRequest = 0;
    startTime = reading?.startTime;
    if (performance.now() >= nextRequest) pending ??= refresh();
    if (pending !== undefined)
      await untilAborted(pending, AbortSignal.timeout(maxWait)).catch(() => undefined);
    return version;
  };
}
