import { setTimeout as wait } from 'node:timers/promises';

/** One thing that every plugin of a kind must do. Give it to any test runner: `for (const { title, run } of cases) test(title, run)`. */
export interface ContractCase {
  /** A sentence. */
  readonly title: string;
  /** Rejects when the plugin does not do it. */
  readonly run: () => Promise<void>;
}

/** A fixture that a plugin can be created in, and how to take it down. */
export interface Fixture<Options> {
  /** Every option, in the form the plugin gets it (a duration is milliseconds). */
  readonly options: Options;
  readonly release?: () => void | Promise<void>;
}

/** Longest time that anything in a contract suite may take, in milliseconds. */
const CASE_TIMEOUT = 5_000;

/** Waits for work, and fails when it takes longer than {@link CASE_TIMEOUT}. */
export async function inTime<T>(what: string, work: T | Promise<T>): Promise<T> {
  const abort = new AbortController();
  try {
    return await Promise.race([
      work,
      wait(CASE_TIMEOUT, undefined, { signal: abort.signal }).then((): never => {
        throw new Error(`${what} took longer than ${CASE_TIMEOUT / 1000}s`);
      }),
    ]);
  } finally {
    abort.abort();
  }
}
