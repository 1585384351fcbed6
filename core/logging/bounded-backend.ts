import { within, type LoggingBackend } from '../contract/index.js';

/** Longest time in which a logging backend returns or changes its specification, in milliseconds. */
const BACKEND_TIMEOUT = 5_000;

/** The calls that the agent makes to a logging backend, each with a deadline. */
export function boundBackend(backend: LoggingBackend): LoggingBackend {
  const inTime = <T>(work: () => Promise<T>): Promise<T> =>
    within(BACKEND_TIMEOUT, 'the logging backend', undefined, work);
  return {
    spec: () => inTime(async () => backend.spec()),
    activate: (spec) => inTime(async () => backend.activate(spec)),
    logger: (name) => backend.logger(name),
  };
}
