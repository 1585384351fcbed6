// The route of a pull sink.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { reasonOf, within, type Logger, type PullSink } from '../contract/index.js';
import type { SinkReply } from '../contract/metric-sink.js';
import { errorReply, type Reply, type Route } from '../http/route.js';
import { limitCalls } from '../common/flow/limit-calls.js';

/** Timeout of a scrape, in milliseconds. */
const SCRAPE_TIMEOUT = 10_000;
/**
 * Maximum number of concurrent calls of a pull sink, including unfinished calls after a timeout: a call that hangs in a file operation
 * occupies a thread of libuv.
 */
const MAX_CALLS = 2;

/** The instance of a pull sink. */
interface SinkInstance {
  readonly name: string;
  readonly state: string;
  readonly log: Logger;
  countFault(phase: string): void;
}

/**
 * The route of a pull sink. Responds with 500 without details after a fault of the sink, and with 503 while it is not running.
 *
 * @param timeout milliseconds
 */
export function sinkRoute(instance: SinkInstance, route: PullSink['route'], timeout = SCRAPE_TIMEOUT): Route {
  const { name, log } = instance;
  const limited = limitCalls(MAX_CALLS);
  let isFailing = false;
  return {
    path: route.path,
    handlers: {
      GET: async ({ headers }) => {
        if (instance.state !== 'running')
          return errorReply(503, `metric sink ${name} is not running: its state is ${instance.state}`);
        try {
          const call = async (): Promise<Reply> => checkedReply(await route.handle({ headers }));
          const reply = await within(timeout, 'the scrape', undefined, (signal) => limited(call, signal));
          if (isFailing) log.info('scrapes succeed again');
          isFailing = false;
          return reply;
        } catch (error) {
          instance.countFault('scrape');
          if (!isFailing) log.warn(`scrape failed: ${reasonOf(error)}`);
          isFailing = true;
          return errorReply(500, 'internal error');
        }
      },
    },
  };
}

/** @throws Error if Node.js cannot send the reply */
function checkedReply({ status = 200, headers, body }: SinkReply): Reply {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`invalid HTTP status ${String(status)}`);
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('the body is neither a string nor a Uint8Array');
  const checked = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return [name, value] as const;
  });
  return { status, headers: Object.fromEntries(checked), body };
}
