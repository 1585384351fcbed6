// Requests to the operations endpoint of a node, limited in time and number, and the parsing of its JSON responses.

import { withoutCertificates } from '../common/text/without-certificates.js';
import { parseForeignJson } from '../common/text/foreign-json.js';
import { AgentError, reasonOf, within, type SourceState } from '../contract/index.js';
import type { NodeEndpoint, NodeRequest, NodeResponse } from '../contract/metric-source.js';

/** Timeouts for a complete response, in milliseconds. The checks of a node have a timeout of 30 s. */
const TIMEOUTS: Readonly<Record<NodeRequest['path'], number>> = {
  '/healthz': 35_000,
  '/metrics': 10_000,
  '/logspec': 5_000,
  '/version': 5_000,
};
/** Maximum number of concurrent requests to one node. Each can have a response of several megabytes. */
const MAX_REQUESTS = 16;

/** Sends requests to one node. */
export interface NodeClient {
  /**
   * @param minTimeout lower bound of the timeout for the complete response, in milliseconds. @default 0
   * @throws AgentError `NODE_UNREACHABLE` or `NODE_BUSY`, naming the node
   */
  request(request: Omit<NodeRequest, 'signal'>, minTimeout?: number): Promise<NodeResponse>;
}

/** Limits the requests to the endpoint of a node. */
export function createNodeClient(name: string, endpoint: Pick<NodeEndpoint, 'request'>): NodeClient {
  let running = 0;
  return {
    async request(request, minTimeout = 0) {
      if (running >= MAX_REQUESTS)
        throw new AgentError(
          'NODE_BUSY',
          `${running} requests to node ${name} are in progress; try again later`,
        );
      running += 1;
      try {
        const timeout = Math.max(TIMEOUTS[request.path], minTimeout);
        return await within(timeout, 'the response', undefined, async (signal) =>
          endpoint.request({ ...request, signal }),
        );
      } catch (error) {
        throw new AgentError('NODE_UNREACHABLE', `node ${name} is unreachable: ${reasonOf(error)}`, {
          cause: error,
        });
      } finally {
        running -= 1;
      }
    },
  };
}

/**
 * Reads a string member of the JSON object in a response.
 *
 * @returns undefined if there is no such member, or the document is too large
 */
export function stringMember({ body }: NodeResponse, name: string): string | undefined {
  try {
    const document = parseForeignJson(new TextDecoder().decode(body));
    if (typeof document !== 'object' || document === null || !Object.hasOwn(document, name)) return undefined;
    const value = (document as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The error for an unexpected response of a node: `NODE_REFUSED` for 4xx, else `NODE_RESPONSE_INVALID`. */
export function unexpectedResponse(node: string, path: string, response: NodeResponse): AgentError {
  const { status } = response;
  const reason = status === 200 ? undefined : stringMember(response, 'error');
  const found = status === 200 ? 'an invalid document' : `status ${status}`;
  return new AgentError(
    status >= 400 && status <= 499 ? 'NODE_REFUSED' : 'NODE_RESPONSE_INVALID',
    `node ${node} responded to ${path} with ${found}${reason === undefined ? '' : `: ${withoutCertificates(reason)}`}`,
  );
}

/** How long a version is cached, in milliseconds. After a restart of the node it is requested again. */
const MAX_VERSION_AGE = 300_000;
/** Delay before a failed request is repeated, in milliseconds. */
const VERSION_RETRY_AFTER = 10_000;
/** How long a caller waits for a version, in milliseconds. */
const MAX_VERSION_WAIT = 2000;
/** Longest version, in UTF-16 units. */
const MAX_VERSION_LENGTH = 100;

/** Requests the version of a node. Never rejects. @returns undefined if it is unknown */
export async function readVersion(client: NodeClient): Promise<string | undefined> {
  try {
    const response = await client.request({ method: 'GET', path: '/version' });
    return response.status === 200
      ? stringMember(response, 'Version')?.slice(0, MAX_VERSION_LENGTH)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates a function that returns the cached version of a node, and requests it again after a restart of the node.
 *
 * @param maxWait how long a caller waits for the response, in milliseconds
 * @returns undefined while the version is unknown
 */
export function createVersionReader(
  client: NodeClient,
  maxWait: number = MAX_VERSION_WAIT,
): (state: SourceState) => Promise<string | undefined> {
  let version: string | undefined;
  let startTime: number | undefined;
  let nextRequest = 0;
  let pending: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    version = await readVersion(client);
    nextRequest = performance.now() + (version === undefined ? VERSION_RETRY_AFTER : MAX_VERSION_AGE);
    pending = undefined;
  }

  return async ({ isUp, reading }) => {
    if (!isUp) {
      // The node may have another version after its restart.
      nextRequest = 0;
      return version;
    }
    if (reading?.startTime !== startTime) nextRequest = 0;
    startTime = reading?.startTime;
    if (performance.now() >= nextRequest) pending ??= refresh();
    if (pending !== undefined)
      await within(maxWait, 'the version', undefined, async () => pending).catch(() => undefined);
    return version;
  };
}
