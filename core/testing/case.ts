import { within } from '../contract/within.js';

/** One test case of a contract suite, for any test runner: `for (const { title, run } of cases) test(title, run)`. */
export interface ContractCase {
  readonly title: string;
  /** Rejects when the plugin breaks the contract. */
  readonly run: () => Promise<void>;
}

/** What a plugin under test needs around it. */
export interface Fixture<Options> {
  /** Every option, in the form the plugin gets it (a duration is milliseconds). */
  readonly options: Options;
  /** Called after the case. */
  readonly release?: () => void | Promise<void>;
}

/** Longest time of each call in a contract suite, in milliseconds. */
const CASE_TIMEOUT = 30_000;

/** Awaits work, and fails when it takes longer than {@link CASE_TIMEOUT}. */
export function inTime<T>(what: string, work: T | Promise<T>): Promise<T> {
  return within(CASE_TIMEOUT, what, undefined, async () => work);
}
