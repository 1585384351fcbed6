import {
  LEVEL_NAMES,
  neverThrows,
  parseLogSpec,
  type Logger,
  type LoggingBackend,
} from '../contract/index.js';

/** The active logging backend as the rest of the agent sees it. */
export interface Logging {
  /** The active specification in its normal form. */
  spec(): Promise<string>;
  /**
   * Makes a specification the active one; changes happen one after the other.
   *
   * @param caller who asks, for the log: the subject of a certificate or an address
   * @throws AgentError `LOG_SPEC_INVALID`; the active one then stays
   */
  activate(spec: string, caller: string): Promise<void>;
  /** The logger of a name; its level follows the active specification. Calling it never throws. */
  logger(name: string): Logger;
}

/** {@link Logging} for who builds the agent. */
export interface LoggingFront extends Logging {
  /** Makes the first specification the active one, which is no change that is logged. */
  begin(spec: string): Promise<void>;
}

/**
 * Puts a logging backend behind the interface that the agent uses; changes are logged.
 *
 * @param onFault called when a logger of the backend throws
 */
export function createLogging(backend: LoggingBackend, onFault: () => void = () => undefined): LoggingFront {
  const guarded = new WeakMap<Logger, Logger>();
  const log = logger('logging');
  let changing: Promise<void> = Promise.resolve();

  async function spec(): Promise<string> {
    const found: unknown = await backend.spec();
    if (typeof found !== 'string') throw new TypeError('the logging backend shows no specification');
    return found;
  }

  async function change(wanted: string, caller: string): Promise<void> {
    const before = await spec();
    const after = normalForm(wanted);
    const logChange = (to: string): void =>
      log.info(`logging specification changes from '${before}' to '${to}'`, { client: caller });
    // First where that can be seen: the new specification may silence this very line.
    const isSeen = after !== undefined && log.enabled('info');
    if (isSeen) logChange(after);
    await backend.activate(wanted);
    if (!isSeen) logChange(after ?? (await spec()));
  }

  function logger(name: string): Logger {
    const own: Logger | null | undefined = backend.logger(name);
    if (own === null || typeof own !== 'object')
      throw new TypeError(`the logging backend has no logger '${name}'`);
    if (neverThrows(own)) return own;
    let safe = guarded.get(own);
    if (safe === undefined) guarded.set(own, (safe = guard(name, own, onFault)));
    return safe;
  }

  return {
    spec,
    activate: (wanted, caller) => {
      const done = changing.then(() => change(wanted, caller));
      changing = done.catch(() => undefined);
      return done;
    },
    begin: async (first) => backend.activate(first),
    logger,
  };
}

/** How a specification will be shown; undefined for one that the grammar refuses, which is for the backend to say. */
function normalForm(spec: string): string | undefined {
  try {
    return parseLogSpec(spec).toString();
  } catch {
    return undefined;
  }
}

/** A logger in place of one that may throw: what logs must not fail because of the log. */
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
