// Requests to the operations endpoint of a node, limited in time and number.

import {
  AgentError,
  reasonOf,
  within,
  type NodeEndpoint,
  type NodeRequest,
  type NodeResponse,
} from '../contract/index.js';

/** Longest time for a complete response, in milliseconds. A node gives its own checks 30 s. */
const TIMEOUTS: Readonly<Record<NodeRequest['path'], number>> = {
  '/healthz': 35_000,
  '/metrics': 10_000,
  '/logspec': 5_000,
  '/version': 5_000,
};
/** Most requests to one node at a time. Each one can have a response of several megabytes. */
export const MAX_REQUESTS = 16;

/** Sends requests to one node. */
export interface NodeClient {
  /** @throws AgentError `NODE_UNREACHABLE` or `NODE_BUSY`, naming the node */
  request(request: Omit<NodeRequest, 'signal'>): Promise<NodeResponse>;
}

/** Limits the requests to the endpoint of a node. */
export function createNodeClient(name: string, endpoint: Pick<NodeEndpoint, 'request'>): NodeClient {
  let running = 0;
  return {
    async request(request) {
      if (running >= MAX_REQUESTS)
        throw new AgentError(
          'NODE_BUSY',
          `${running} requests to node ${name} are in progress; try again later`,
        );
      running += 1;
      try {
        return await within(TIMEOUTS[request.path], 'the response', undefined, async (signal) =>
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
