// The loggers of the agent and its own specification. Calls of the logging backend run one at a time, each with a deadline.

import { neverThrows } from '../contract/logging.js';
import { parseLogSpec, within, type Logger, type LoggingBackend } from '../contract/index.js';
import { LEVEL_NAMES } from '../contract/log-spec.js';

/** The loggers and the active logging specification. */
export interface Logging {
  /** The active specification in its normal form. */
  spec(): Promise<string>;
  /**
   * Activates a specification. Concurrent calls run one after the other.
   *
   * @param caller the client that requested it, for the log: the subject of a certificate or an address
   * @throws AgentError `LOG_SPEC_INVALID`; the active specification then stays
   */
  activate(spec: string, caller: string): Promise<void>;
  /** The logger with this name; its level follows the active specification. Calling it never throws. */
  logger(name: string): Logger;
}

/** {@link Logging} with the function for the start of the agent. */
export interface AgentLogging extends Logging {
  /** Activates the first specification, without a log entry. */
  activateFirst(spec: string): Promise<void>;
}

/**
 * Wraps a logging backend: changes run one at a time and are logged, and loggers never throw.
 *
 * @param onFault called when a logger of the backend throws
 */
export function createLogging(backend: LoggingBackend, onFault: () => void = () => undefined): AgentLogging {
  const guarded = new WeakMap<Logger, Logger>();
  const log = logger('logging');
  let lastChange: Promise<void> = Promise.resolve();

  async function spec(): Promise<string> {
    const found: unknown = await backend.spec();
    if (typeof found !== 'string') throw new TypeError('the logging backend returned no specification');
    return found;
  }

  async function change(newSpec: string, caller: string): Promise<void> {
    const before = await spec();
    const after = normalForm(newSpec);
    const logChange = (to: string): void =>
      log.info(`logging specification changes from '${before}' to '${to}'`, { client: caller });
    // Logs before the change if the entry is visible then, because the new specification may hide it.
    const isVisible = after !== undefined && log.enabled('info');
    if (isVisible) logChange(after);
    await backend.activate(newSpec);
    if (!isVisible) logChange(after ?? (await spec()));
  }

  function logger(name: string): Logger {
    const found: Logger | null | undefined = backend.logger(name);
    if (found === null || typeof found !== 'object')
      throw new TypeError(`the logging backend returned no logger '${name}'`);
    if (neverThrows(found)) return found;
    let safe = guarded.get(found);
    if (safe === undefined) guarded.set(found, (safe = guard(name, found, onFault)));
    return safe;
  }

  return {
    spec,
    activate: (newSpec, caller) => {
      const done = lastChange.then(() => change(newSpec, caller));
      lastChange = done.catch(() => undefined);
      return done;
    },
    activateFirst: async (first) => backend.activate(first),
    logger,
  };
}

/** The normal form of a specification; undefined for an invalid one, which the backend reports. */
function normalForm(spec: string): string | undefined {
  try {
    return parseLogSpec(spec).toString();
  } catch {
    return undefined;
  }
}

/** Wraps a logger, because a log call that throws must not fail its caller. */
function guard(name: string, logger: Logger, onFault: () => void): Logger {
  const methods = LEVEL_NAMES.map((level) => {
    const method: Logger[typeof level] = (message, fields) => {
      try {
        logger[level](message, fields);
      } catch {
        onFault();
      }
    };
    return [level, method] as const;
  });
  return {
    name,
    enabled(level) {
      try {
        return logger.enabled(level);
      } catch {
        onFault();
        return false;
      }
    },
    ...(Object.fromEntries(methods) as Pick<Logger, (typeof LEVEL_NAMES)[number]>),
  };
}

/** Timeout for a logging backend to return or change its specification, in milliseconds. */
const BACKEND_TIMEOUT = 5_000;

/** Wraps a logging backend: calls that return or change the specification have a timeout. */
export function boundBackend(backend: LoggingBackend): LoggingBackend {
  const inTime = <T>(work: () => Promise<T>): Promise<T> =>
    within(BACKEND_TIMEOUT, 'the logging backend', undefined, work);
  return {
    spec: () => inTime(async () => backend.spec()),
    activate: (spec) => inTime(async () => backend.activate(spec)),
    logger: (name) => backend.logger(name),
  };
}
