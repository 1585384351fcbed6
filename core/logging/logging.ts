import { parseLogSpec, type Logger, type LoggingBackend } from '../contract/index.js';

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
  /** The logger of a name; its level follows the active specification. */
  logger(name: string): Logger;
}

/** Puts a logging backend behind the interface that the agent uses; changes are logged. */
export function createLogging(backend: LoggingBackend): Logging {
  const log = backend.logger('logging');
  let changing: Promise<void> = Promise.resolve();

  async function change(spec: string, caller: string): Promise<void> {
    const before = await backend.spec();
    const after = parseLogSpec(spec).toString();
    const logChange = (): void =>
      log.info(`logging specification changes from '${before}' to '${after}'`, { client: caller });
    // First where that can be seen: the new specification may silence this very line.
    const isSeen = log.enabled('info');
    if (isSeen) logChange();
    await backend.activate(spec);
    if (!isSeen) logChange();
  }

  return {
    spec: async () => backend.spec(),
    activate: (spec, caller) => {
      const done = changing.then(() => change(spec, caller));
      changing = done.catch(() => undefined);
      return done;
    },
    logger: (name) => backend.logger(name),
  };
}
