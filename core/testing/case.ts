// A case of a contract suite, and the fixture that it needs.

import assert from 'node:assert/strict';
import { MAX_REASON_LENGTH, reasonOf } from '../contract/errors.js';
import { within } from '../contract/within.js';

/** One test case of a contract suite, for any test runner: `for (const { title, run } of cases) test(title, run)`. */
export interface ContractCase {
  readonly title: string;
  /** Rejects when the plugin breaks the contract. */
  readonly run: () => Promise<void>;
}

/** The options and the environment of a plugin under test. */
export interface Fixture<Options> {
  /** Every option, in the form that the plugin gets (a duration is milliseconds). */
  readonly options: Options;
  /** Called after the case. */
  readonly release?: () => void | Promise<void>;
}

/** Timeout of each call in a contract suite, in milliseconds. */
const CASE_TIMEOUT = 30_000;

/** A fault that would make the remaining cases of the suite fail as well, some after a long time. */
export class SuiteFault extends Error {
  override readonly name = 'SuiteFault';
}

/** Awaits work. @throws SuiteFault if it takes longer than {@link CASE_TIMEOUT} */
export async function inTime<T>(what: string, work: T | Promise<T>): Promise<T> {
  let hasEnded = false;
  try {
    return await within(CASE_TIMEOUT, what, undefined, async () => {
      try {
        return await work;
      } finally {
        hasEnded = true;
      }
    });
  } catch (error) {
    throw hasEnded ? error : new SuiteFault(reasonOf(error), { cause: error });
  }
}

/** Awaits work that every case needs. @throws SuiteFault if it fails or takes longer than {@link CASE_TIMEOUT} */
export async function needed<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await inTime(what, (async () => work())());
  } catch (error) {
    if (error instanceof SuiteFault) throw error;
    throw new SuiteFault(`${what} failed: ${reasonOf(error)}`, { cause: error });
  }
}

/** Wraps the cases of a suite: after a {@link SuiteFault} the remaining cases fail at once, as not run. */
export function untilFault(cases: readonly ContractCase[]): ContractCase[] {
  let reason: string | undefined;
  return cases.map(({ title, run }) => ({
    title,
    async run() {
      if (reason !== undefined) throw new Error(`not run: ${reason}`);
      try {
        await run();
      } catch (error) {
        if (error instanceof SuiteFault) reason ??= `the case '${title}' failed: ${error.message}`;
        throw error;
      }
    },
  }));
}

/** The error of work; undefined if it succeeds. @throws SuiteFault */
export async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof SuiteFault) throw error;
    return error ?? new Error('no reason');
  }
}

/** Checks the error of a plugin under test: it must be an Error with a message of one line and limited length. */
export function checkReason(failure: unknown): asserts failure is Error {
  assert.ok(failure instanceof Error, 'a reason must be an Error');
  assert.match(reasonOf(failure), /^[^\n]+$/, 'the reason must be one line');
  assert.ok(
    reasonOf(failure).length <= MAX_REASON_LENGTH,
    `the reason must not be longer than ${MAX_REASON_LENGTH} characters`,
  );
}
