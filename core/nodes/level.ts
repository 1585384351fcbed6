// The logging specification of a node.

import { errorCodeOf, type ErrorCode } from '../contract/errors.js';
import { AgentError, CheckWarning, LEVELS, parseLogSpec, type Logger } from '../contract/index.js';
import { onOneLine } from '../common/text/one-line.js';
import { timeText } from '../common/text/time.js';
import type { LeasedSpec, SpecEvent } from '../logging/index.js';
import { stringMember, unexpectedResponse, type NodeClient } from './client.js';

/** The form in which nodes return the level `payload`; they do not accept it. */
const PAYLOAD_OF_NODES = 'Level(-2)';
/** Longest specification that can be sent back to the node, in UTF-16 units. */
const MAX_LENGTH = 16 * 1024;

/** The errors of `set` after which the specification is certainly unchanged. */
const UNCHANGED: ReadonlySet<ErrorCode | undefined> = new Set([
  'LOG_SPEC_INVALID',
  'NODE_BUSY',
  'NODE_REFUSED',
]);
/** Maximum depth of nested causes that are examined. */
const MAX_CAUSES = 5;

/** Reads and changes the logging specification of one node. */
interface NodeSpec {
  /** For messages. */
  readonly name: string;
  /** @throws AgentError `NODE_UNREACHABLE`, `NODE_BUSY`, `NODE_REFUSED` or `NODE_RESPONSE_INVALID` */
  get(): Promise<string>;
  /** Checks a specification by the rules of the agent. @throws AgentError `LOG_SPEC_INVALID` */
  check(spec: string): void;
  /** @throws AgentError as `get`, and `LOG_SPEC_INVALID` with the reason of the node */
  set(spec: string, change: { readonly caller: string; readonly requestId?: string }): Promise<void>;
  /** Returns true if the specification is certainly unchanged after this error of `set`: the node refused, or received no request. */
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

/** Returns true if a request failed because there was no connection. */
function wasNotSent(error: unknown): boolean {
  let cause: unknown = error;
  for (let count = 0; count < MAX_CAUSES && cause instanceof Error; count += 1) {
    const { syscall } = cause as NodeJS.ErrnoException;
    if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
    // One error for each address of a host name.
    if (cause instanceof AggregateError && cause.errors.length > 0 && cause.errors.every(wasNotSent))
      return true;
    ({ cause } = cause);
  }
  return false;
}

/** The description of a change of the level of a node, for an event. */
export function levelReason({ spec, caller, revertsAt, isReturn }: SpecEvent): string {
  const by = onOneLine(caller);
  if (isReturn) return `the log level is '${spec}' again: the change of ${by} has ended`;
  const until = revertsAt === undefined ? '' : `, until ${timeText(revertsAt)}`;
  return `the log level is '${spec}', set by ${by}${until}`;
}

/** Time between two attempts to read the level at startup, in milliseconds. */
const RETRY_AFTER = 10_000;

/** The component of the logging specification of a node. */
export const levelComponent = (node: string): string => `${node}/level`;

/** Registers the check of a level. */
export interface LevelHealth {
  register(component: string, check: () => Promise<void>): unknown;
}

/** The arguments of {@link watchLeftLevel}. */
interface LeftLevelOptions {
  /** The name of the node. */
  readonly node: string;
  readonly level: Pick<LeasedSpec, 'get'>;
  /** The specification in the environment variables of the node; undefined: unknown. */
  readonly configured: string | undefined;
  readonly health: LevelHealth;
}

/**
 * Reads the level of a node once, because it may be the rest of a lease, for example of an agent that was killed. If it differs from the
 * configured level, or the configured level is unknown and it is lower than `info`, the component `<node>/level` has a warning until the
 * level is reset.
 *
 * @returns a function that ends the attempts to read it
 */
export function watchLeftLevel({ node, level, configured, health }: LeftLevelOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const check = async (): Promise<void> => {
    const { spec, revertsAt } = await level.get();
    const problem = revertsAt === undefined ? problemOf(spec, configured) : undefined;
    if (problem !== undefined)
      throw new CheckWarning(
        `${problem}; it does not end by itself: set it with PUT /nodes/${node}/logspec, or restart the node`,
      );
  };
  const begin = async (): Promise<void> => {
    try {
      await check();
    } catch (error) {
      if (isStopped) return;
      if (!(error instanceof CheckWarning)) {
        timer = setTimeout(() => void begin(), RETRY_AFTER).unref();
        return;
      }
      health.register(levelComponent(node), async () => {
        await check().catch((reason: unknown) => {
          // Other checks report a node that is down.
          if (reason instanceof CheckWarning) throw reason;
        });
      });
    }
  };
  void begin();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

function problemOf(spec: string, configured: string | undefined): string | undefined {
  const active = parseLogSpec(spec);
  if (configured === undefined)
    return LEVELS[active.lowestLevel] < LEVELS.info ? `the log level is '${spec}'` : undefined;
  const expected = parseLogSpec(configured).toString();
  return expected === active.toString()
    ? undefined
    : `the log level is '${spec}', but FABRIC_LOGGING_SPEC of the node is '${expected}'`;
}
