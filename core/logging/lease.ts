// Changes of a logging specification that end by themselves. Independent of whose specification it is.

import { reasonOf, within, type Logger } from '../contract/index.js';

/** First delay before another attempt to restore a specification, in milliseconds; each further delay is twice as long. */
export const MIN_RETRY_DELAY = 1000;
/** Longest delay between two attempts, in milliseconds. */
export const MAX_RETRY_DELAY = 30_000;
/** After this many failed attempts, in about 8 minutes, a specification is not restored. */
export const MAX_ATTEMPTS = 20;
/** Longest time to restore a specification when the agent stops, in milliseconds. */
const STOP_TIMEOUT = 5000;

/** Where a change comes from, for the log. */
export interface SpecChange {
  /** The client: the subject of its certificate, or its address. */
  readonly caller: string;
  /** The id of its request. */
  readonly requestId?: string;
}

/** A specification, and when it reverts. */
export interface ActiveSpec {
  /** In its normal form. */
  readonly spec: string;
  /** When it reverts to the former one, in milliseconds since the epoch; undefined: never. */
  readonly revertsAt?: number;
}

/** The owner of a specification: the agent or a node. */
export interface SpecOwner {
  /** For messages, such as `node peer0`. */
  readonly name: string;
  /** The active specification in its normal form. */
  get(): Promise<string>;
  /** Activates a specification. */
  set(spec: string, change: SpecChange): Promise<void>;
}

/** A specification that can be changed for a limited time. */
export interface LeasedSpec {
  get(): Promise<ActiveSpec>;
  /**
   * Activates a specification. Changes run one after the other.
   *
   * @param duration milliseconds after which the former specification returns, unless it was changed in the meantime. A further
   * lease replaces the current one and keeps its former specification. Undefined: ends the current lease.
   */
  set(spec: string, change: SpecChange, duration?: number): Promise<void>;
  /** Restores the former specification at once. Never rejects; takes at most 5 s. */
  stop(): Promise<void>;
}

interface Lease {
  /** The specification to go back to. */
  readonly former: string;
  /** The specification during the lease, as its owner shows it. */
  readonly leased: string;
  readonly caller: string;
  readonly revertsAt: number;
}

/** Adds leases to a specification. */
export function createLeasedSpec(owner: SpecOwner, log: Logger): LeasedSpec {
  let lease: Lease | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastChange: Promise<unknown> = Promise.resolve();

  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = lastChange.then(work);
    lastChange = done.catch(() => undefined);
    return done;
  }

  function end(): void {
    clearTimeout(timer);
    lease = undefined;
  }

  async function begin(spec: string, change: SpecChange, duration: number): Promise<void> {
    const before = await owner.get();
    const former = lease !== undefined && lease.leased === before ? lease.former : before;
    await owner.set(spec, change);
    end();
    // The specification is active already: without its normal form the lease must begin nevertheless.
    const leased = await owner.get().catch(() => spec);
    lease = { former, leased, caller: change.caller, revertsAt: Date.now() + duration };
    timer = setTimeout(attemptRevert, duration, 1).unref();
  }

  /** @param attempt from 1 */
  function attemptRevert(attempt: number): void {
    const due = lease;
    void inOrder(async () => {
      // Another change may have run before this one.
      if (lease === undefined || lease !== due) return;
      try {
        await revert(lease);
        end();
      } catch (error) {
        onFailure(lease, attempt, reasonOf(error));
      }
    });
  }

  async function revert({ former, leased, caller }: Lease): Promise<void> {
    const current = await owner.get();
    if (current === leased) await owner.set(former, { caller: `end of the lease of ${caller}` });
    else
      log.info(
        `the lease of the logging specification of ${owner.name} ends; '${leased}' was changed to '${current}', which stays`,
      );
  }

  function onFailure({ former }: Lease, attempt: number, reason: string): void {
    const what = `the logging specification of ${owner.name} was not restored to '${former}'`;
    if (attempt === MAX_ATTEMPTS) {
      log.error(`${what} after ${attempt} attempts: ${reason}`);
      end();
      return;
    }
    if (attempt === 1) log.warn(`${what}, retrying: ${reason}`);
    const delay = Math.min(MIN_RETRY_DELAY * 2 ** (attempt - 1), MAX_RETRY_DELAY);
    timer = setTimeout(attemptRevert, delay, attempt + 1).unref();
  }

  return {
    async get() {
      const spec = await owner.get();
      return lease !== undefined && lease.leased === spec ? { spec, revertsAt: lease.revertsAt } : { spec };
    },
    set: (spec, change, duration) =>
      inOrder(async () => {
        if (duration !== undefined) return begin(spec, change, duration);
        await owner.set(spec, change);
        end();
      }),
    async stop() {
      clearTimeout(timer);
      try {
        await within(STOP_TIMEOUT, 'the change', undefined, () =>
          inOrder(async () => {
            if (lease !== undefined) await revert(lease);
          }),
        );
      } catch (error) {
        log.warn(`the logging specification of ${owner.name} was not restored at stop: ${reasonOf(error)}`);
      }
      end();
    },
  };
}
