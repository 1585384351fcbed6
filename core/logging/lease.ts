// Temporary changes of a logging specification, for the agent and for nodes.

import { Backoff } from '../common/flow/backoff.js';
import { timeText } from '../common/text/time.js';
import { errorCodeOf } from '../contract/errors.js';
import { AgentError, parseLogSpec, reasonOf, within, type Logger } from '../contract/index.js';

/** First delay before another attempt to restore a specification, in milliseconds; each further delay is twice as long. */
const MIN_RETRY_DELAY = 1000;
/** Longest delay between two attempts, in milliseconds. */
const MAX_RETRY_DELAY = 30_000;
const RETRY_BACKOFF = { first: MIN_RETRY_DELAY, longest: MAX_RETRY_DELAY };
/** After this many failed attempts, in about 8 minutes, the agent gives up. */
const MAX_ATTEMPTS = 20;
/** How long {@link LeasedSpec.recent} uses a reading, in milliseconds. */
const RECENT = 5_000;
/** Timeout for restoring a specification when the agent stops, in milliseconds. */
const STOP_TIMEOUT = 5000;

/** The origin of a change, for the log. */
export interface SpecChange {
  /** The client: the subject of its certificate, or its address. */
  readonly caller: string;
  /** The id of its request. */
  readonly requestId?: string;
}

/** A specification, with the end of its lease. */
export interface ActiveSpec {
  /** In its normal form. */
  readonly spec: string;
  /** When the former specification returns, in milliseconds since the epoch; undefined: never. */
  readonly revertsAt?: number;
  /** The client that has set it through this agent, and when, in milliseconds since the epoch; undefined: unknown. */
  readonly setBy?: string;
  readonly setAt?: number;
}

/** A change of a specification. */
export interface SpecEvent {
  readonly spec: string;
  /** The client that set it; for a specification that returns, the client of the lease that ends. */
  readonly caller: string;
  /** When the former specification returns, in milliseconds since the epoch; undefined: never. */
  readonly revertsAt?: number;
  /** Whether the specification returns at the end of a lease. */
  readonly isReturn: boolean;
}

/** The owner of a specification: the agent or a node. */
export interface SpecOwner {
  /** For messages, such as `node peer0`. */
  readonly name: string;
  /** The active specification in its normal form. */
  get(): Promise<string>;
  /**
   * Refuses an invalid specification before anything is read or changed. Without this function, `set` refuses it.
   *
   * @throws AgentError `LOG_SPEC_INVALID`
   */
  check?(spec: string): void;
  /** Activates a specification. */
  set(spec: string, change: SpecChange): Promise<void>;
  /**
   * Returns true if the specification is certainly unchanged after `set` threw this error. Without this function, only
   * `LOG_SPEC_INVALID` means that.
   */
  isUnchanged?(error: unknown): boolean;
}

/** A specification that can be changed for a limited time. */
export interface LeasedSpec {
  get(): Promise<ActiveSpec>;
  /** As `get`, for displays: reads the specification at most once in 5 s, also after a failure, and again after each change. */
  recent(): Promise<ActiveSpec>;
  /**
   * Activates a specification. Changes run one after the other.
   *
   * @param duration milliseconds after which the former specification returns, unless it was changed in the meantime. Another
   * lease replaces the current one and keeps its former specification. Undefined: ends the current lease.
   * @throws the error of the owner. Unless the specification is certainly unchanged, the lease has begun nevertheless, and the message
   * reports this
   */
  set(spec: string, change: SpecChange, duration?: number): Promise<void>;
  /** Restores the former specification at once. Never rejects; takes at most 5 s. */
  stop(): Promise<void>;
}

interface Lease {
  /** The specification that returns at the end. */
  readonly former: string;
  /** The specification during the lease, in the form of its owner. Several if it is unknown whether a change was made. */
  readonly leased: readonly string[];
  /** Whether it is unknown if the specification was changed at all. */
  readonly isUncertain: boolean;
  readonly caller: string;
  readonly revertsAt: number;
  readonly backoff: Backoff;
}

/** Adds leases to a specification. @param onChange called after each change through this object */
export function createLeasedSpec(
  owner: SpecOwner,
  log: Logger,
  onChange: (event: SpecEvent) => void = () => undefined,
): LeasedSpec {
  return new OwnedSpec(owner, log, onChange);
}

class OwnedSpec implements LeasedSpec {
  readonly #owner: SpecOwner;
  readonly #log: Logger;
  readonly #onChange: (event: SpecEvent) => void;
  #lease: Lease | undefined;
  /** The last specification that a client has set. */
  #last: { readonly spec: string; readonly by: string; readonly at: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** The last reading for {@link recent}. */
  #read: { readonly at: number; readonly spec: Promise<string> } | undefined;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(owner: SpecOwner, log: Logger, onChange: (event: SpecEvent) => void) {
    this.#owner = owner;
    this.#log = log;
    this.#onChange = onChange;
  }

  async get(): Promise<ActiveSpec> {
    return this.#withLease(await this.#owner.get());
  }

  async recent(): Promise<ActiveSpec> {
    if (this.#read === undefined || performance.now() - this.#read.at > RECENT)
      this.#read = { at: performance.now(), spec: this.#owner.get() };
    return this.#withLease(await this.#read.spec);
  }

  #withLease(spec: string): ActiveSpec {
    const lease = this.#lease;
    const last = this.#last?.spec === spec ? this.#last : undefined;
    return {
      spec,
      ...(lease?.leased.includes(spec) === true && { revertsAt: lease.revertsAt }),
      ...(last && { setBy: last.by, setAt: last.at }),
    };
  }

  set(spec: string, change: SpecChange, duration?: number): Promise<void> {
    return this.#inOrder(async () => {
      this.#owner.check?.(spec);
      if (duration !== undefined) return this.#begin(spec, change, duration);
      await this.#change(spec, change);
      this.#end();
      this.#report({ spec, caller: change.caller, isReturn: false });
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
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

  async #change(spec: string, change: SpecChange): Promise<void> {
    try {
      await this.#owner.set(spec, change);
    } finally {
      this.#read = undefined;
    }
  }

  #report(event: SpecEvent): void {
    this.#last = event.isReturn
      ? undefined
      : { spec: normalForm(event.spec), by: event.caller, at: Date.now() };
    this.#onChange(event);
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
    const current = this.#lease?.leased.includes(before) === true ? this.#lease : undefined;
    const former = current?.former ?? before;
    const { caller } = change;
    try {
      await this.#change(spec, change);
    } catch (error) {
      if (errorCodeOf(error) === 'LOG_SPEC_INVALID' || this.#owner.isUnchanged?.(error) === true) throw error;
      const leased = [normalForm(spec), ...(current?.leased ?? [])];
      const revertsAt = this.#hold({ former, leased, isUncertain: true, caller }, duration);
      throw uncertain(error, former, revertsAt);
    }
    // The specification is already active: the lease must begin even if its normal form cannot be read.
    const leased = await this.#owner.get().catch(() => normalForm(spec));
    const revertsAt = this.#hold({ former, leased: [leased], isUncertain: false, caller }, duration);
    this.#report({ spec: leased, caller, revertsAt, isReturn: false });
  }

  /** Begins a lease in place of the current one. @returns its end, in milliseconds since the epoch */
  #hold(lease: Omit<Lease, 'revertsAt' | 'backoff'>, duration: number): number {
    this.#end();
    const revertsAt = Date.now() + duration;
    this.#lease = { ...lease, revertsAt, backoff: new Backoff(RETRY_BACKOFF) };
    this.#revertAfter(duration, 1);
    return revertsAt;
  }

  /** @param attempt from 1 */
  #revertAfter(delay: number, attempt: number): void {
    // A change can end after the stop.
    if (this.#isStopped) return;
    const due = this.#lease;
    const onDue = async (): Promise<void> => {
      // A change that ran before may have ended or replaced the lease.
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

  async #revert({ former, leased, isUncertain, caller }: Lease): Promise<void> {
    const current = await this.#owner.get();
    if (leased.includes(current)) {
      await this.#change(former, { caller: `end of the lease of ${caller}` });
      this.#report({ spec: former, caller, isReturn: true });
    } else if (!isUncertain || current !== former)
      this.#log.warn(
        `the lease of the logging specification of ${this.#owner.name} ends; '${leased[0]}' was changed to '${current}', which remains active. If that is a lease of another agent, '${leased[0]}' returns when it ends`,
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

/** A specification in the form in which its owner will return it; unchanged if it is invalid. */
function normalForm(spec: string): string {
  try {
    return parseLogSpec(spec).toString();
  } catch {
    return spec;
  }
}

/** The error when it is unknown whether a change was made. */
function uncertain(error: unknown, former: string, revertsAt: number): Error {
  const text = `${reasonOf(error)}; whether the specification has changed is unknown: if it has, '${former}' returns at ${timeText(revertsAt)}`;
  const code = errorCodeOf(error);
  return code === undefined
    ? new Error(text, { cause: error })
    : new AgentError(code, text, { cause: error });
}
