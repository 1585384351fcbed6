import assert from 'node:assert/strict';
import { MAX_REASON_LENGTH, reasonOf } from '../contract/errors.js';
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

/** Checks what a plugin under test failed with: an Error whose message is a reason of one line and limited length. */
export function checkReason(failure: unknown): asserts failure is Error {
  assert.ok(failure instanceof Error, 'a reason must be an Error');
  assert.match(reasonOf(failure), /^[^\n]+$/, 'the reason must be one line');
  assert.ok(
    reasonOf(failure).length <= MAX_REASON_LENGTH,
    `the reason must not be longer than ${MAX_REASON_LENGTH} characters`,
  );
}
