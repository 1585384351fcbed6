// Changes of a logging specification that end by themselves. Independent of whose specification it is.

import { Backoff } from '../common/flow/backoff.js';
import { reasonOf, within, type Logger } from '../contract/index.js';

/** First delay before another attempt to restore a specification, in milliseconds; each further delay is twice as long. */
export const MIN_RETRY_DELAY = 1000;
/** Longest delay between two attempts, in milliseconds. */
export const MAX_RETRY_DELAY = 30_000;
const RETRY_BACKOFF = { first: MIN_RETRY_DELAY, longest: MAX_RETRY_DELAY };
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
  /**
   * Refuses an invalid specification before anything is read or changed; without it `set` does.
   *
   * @throws AgentError `LOG_SPEC_INVALID`
   */
  check?(spec: string): void;
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
  readonly backoff: Backoff;
}

/** Adds leases to a specification. */
export function createLeasedSpec(owner: SpecOwner, log: Logger): LeasedSpec {
  return new OwnedSpec(owner, log);
}

class OwnedSpec implements LeasedSpec {
  readonly #owner: SpecOwner;
  readonly #log: Logger;
  #lease: Lease | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(owner: SpecOwner, log: Logger) {
    this.#owner = owner;
    this.#log = log;
  }

  async get(): Promise<ActiveSpec> {
    const spec = await this.#owner.get();
    const lease = this.#lease;
    return lease !== undefined && lease.leased === spec ? { spec, revertsAt: lease.revertsAt } : { spec };
  }

  set(spec: string, change: SpecChange, duration?: number): Promise<void> {
    return this.#inOrder(async () => {
      this.#owner.check?.(spec);
      if (duration !== undefined) return this.#begin(spec, change, duration);
      await this.#owner.set(spec, change);
      this.#end();
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await within(STOP_TIMEOUT, 'the change', undefined, () =>
        this.#inOrder(async () => {
          if (this.#lease !== undefined) await this.#revert(this.#lease);
        }),
      );
    } catch (error) {
      this.#log.warn(
        `the logging specification of ${this.#owner.name} was not restored at stop: ${reasonOf(error)}`,
      );
    }
    this.#end();
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#lastChange.then(work);
    this.#lastChange = done.catch(() => undefined);
    return done;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#lease = undefined;
  }

  async #begin(spec: string, change: SpecChange, duration: number): Promise<void> {
    const before = await this.#owner.get();
    const former = this.#lease?.leased === before ? this.#lease.former : before;
    await this.#owner.set(spec, change);
    this.#end();
    // The specification is active already: without its normal form the lease must begin nevertheless.
    const leased = await this.#owner.get().catch(() => spec);
    this.#lease = {
      former,
      leased,
      caller: change.caller,
      revertsAt: Date.now() + duration,
      backoff: new Backoff(RETRY_BACKOFF),
    };
    this.#revertAfter(duration, 1);
  }

  /** @param attempt from 1 */
  #revertAfter(delay: number, attempt: number): void {
    const due = this.#lease;
    const onDue = async (): Promise<void> => {
      // A change that ran before this one can have ended or replaced the lease.
      if (due === undefined || this.#lease !== due) return;
      try {
        await this.#revert(due);
        this.#end();
      } catch (error) {
        this.#onFailure(due, attempt, reasonOf(error));
      }
    };
    this.#timer = setTimeout(() => void this.#inOrder(onDue), delay).unref();
  }

  async #revert({ former, leased, caller }: Lease): Promise<void> {
    const current = await this.#owner.get();
    if (current === leased) await this.#owner.set(former, { caller: `end of the lease of ${caller}` });
    else
      this.#log.warn(
        `the lease of the logging specification of ${this.#owner.name} ends; '${leased}' was changed to '${current}', which stays. If that is a lease of another agent, '${leased}' returns when it ends`,
      );
  }

  #onFailure(due: Lease, attempt: number, reason: string): void {
    const what = `the logging specification of ${this.#owner.name} was not restored to '${due.former}'`;
    if (attempt === MAX_ATTEMPTS) {
      this.#log.error(`${what} after ${attempt} attempts: ${reason}`);
      this.#end();
      return;
    }
    if (attempt === 1) this.#log.warn(`${what}, retrying: ${reason}`);
    this.#revertAfter(due.backoff.next(), attempt + 1);
  }
}
