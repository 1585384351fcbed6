// The logging specification of a node.

import { errorCodeOf, type ErrorCode } from '../contract/errors.js';
import { AgentError, parseLogSpec, type Logger } from '../contract/index.js';
import { stringMember, unexpectedResponse } from './document.js';
import type { NodeClient } from './node-client.js';

/** How nodes show the level `payload`, which they do not accept in this form. */
const PAYLOAD_OF_NODES = 'Level(-2)';
/** Longest specification, in UTF-16 units: one that can be sent back to the node. */
const MAX_LENGTH = 16 * 1024;

/** The errors of `set` after which the specification is certainly unchanged. */
const UNCHANGED: ReadonlySet<ErrorCode | undefined> = new Set([
  'LOG_SPEC_INVALID',
  'NODE_BUSY',
  'NODE_REFUSED',
]);
/** Most causes of an error that are examined. */
const MAX_CAUSES = 5;

/** Reads and changes the logging specification of one node. */
export interface NodeSpec {
  /** For messages. */
  readonly name: string;
  /** @throws AgentError `NODE_UNREACHABLE`, `NODE_BUSY`, `NODE_REFUSED` or `NODE_RESPONSE_INVALID` */
  get(): Promise<string>;
  /** Applies the rules of the agent. @throws AgentError `LOG_SPEC_INVALID` */
  check(spec: string): void;
  /** @throws AgentError as `get`, and `LOG_SPEC_INVALID` with the reason of the node */
  set(spec: string, change: { readonly caller: string; readonly requestId?: string }): Promise<void>;
  /** Whether the node has certainly not changed its specification after this error of `set`: it refused, or received no request. */
  isUnchanged(error: unknown): boolean;
}

/** Creates the logging specification of a node. Successful changes are logged with the client and the id of the request. */
export function createNodeSpec(name: string, client: NodeClient, log: Logger): NodeSpec {
  return {
    name: `node ${name}`,
    async get() {
      const response = await client.request({ method: 'GET', path: '/logspec' });
      const spec = response.status === 200 ? stringMember(response, 'spec') : undefined;
      if (spec === undefined || spec.length > MAX_LENGTH)
        throw unexpectedResponse(name, 'GET /logspec', response);
      return spec.replaceAll(PAYLOAD_OF_NODES, 'payload');
    },
    check: (spec) => void parseLogSpec(spec),
    isUnchanged: (error) => UNCHANGED.has(errorCodeOf(error)) || wasNotSent(error),
    async set(spec, { caller, requestId }) {
      const response = await client.request({
        method: 'PUT',
        path: '/logspec',
        body: JSON.stringify({ spec }),
        ...(requestId !== undefined && { requestId }),
      });
      const { status } = response;
      const reason = status === 400 ? stringMember(response, 'error') : undefined;
      if (reason !== undefined) throw new AgentError('LOG_SPEC_INVALID', reason);
      if (status !== 200 && status !== 204) throw unexpectedResponse(name, 'PUT /logspec', response);
      log.info(`logging specification of node ${name} changes to '${spec}'`, { client: caller, requestId });
    },
  };
}

/** Whether a request failed because there was no connection. */
function wasNotSent(error: unknown): boolean {
  let cause: unknown = error;
  for (let count = 0; count < MAX_CAUSES && cause instanceof Error; count += 1) {
    const { syscall } = cause as NodeJS.ErrnoException;
    if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
    // The attempts for the addresses of a name.
    if (cause instanceof AggregateError && cause.errors.length > 0 && cause.errors.every(wasNotSent))
      return true;
    ({ cause } = cause);
  }
  return false;
}
