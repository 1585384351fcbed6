// What failed, and which consenters took no part, since a time: a look that began before a cause ended may have found what follows from it.

import type { Severity } from '../contract/index.js';
import { CHANNELS } from '../health/index.js';
import type { InactiveConsenter, KnownFailures } from './explanation.js';

/** How long what has ended is kept, in milliseconds: looks at longer intervals are rare. */
const KEPT = 3_600_000;

/** A component that fails, or has failed. Times are as `performance.now()`. */
interface Cause {
  /** Undefined: it does not fail any more. */
  severity: Severity | undefined;
  /** When it ceased to fail. */
  until: number;
  /** When it ceased to be critical. */
  criticalUntil: number;
  /** The consenters that its last event has named, if it is of a channel. */
  named: ReadonlySet<string>;
}

/** A consenter that is not active, or was not. */
interface KnownConsenter {
  readonly consenter: InactiveConsenter;
  /** When it was found to be active again, as `performance.now()`. */
  until: number;
}

/** What fails, and what has failed within the last hour. */
export class Causes {
  readonly #causes = new Map<string, Cause>();
  /** By channel and name. */
  readonly #consenters = new Map<string, Map<string, KnownConsenter>>();

  /** A component fails. @param now as `performance.now()` */
  fails(component: string, severity: Severity, now: number): void {
    const before = this.#causes.get(component);
    const cause = before ?? {
      severity,
      until: -Infinity,
      criticalUntil: -Infinity,
      named: new Set<string>(),
    };
    if (cause.severity === undefined) cause.named = new Set();
    if (cause.severity === 'critical' && severity === 'warning') cause.criticalUntil = now;
    cause.severity = severity;
    this.#causes.set(component, cause);
  }

  /** A component does not fail any more. @param now as `performance.now()` */
  ended(component: string, now: number): void {
    const cause = this.#causes.get(component);
    if (cause === undefined) return;
    if (cause.severity === 'critical') cause.criticalUntil = now;
    cause.severity = undefined;
    cause.until = now;
    for (const [name, { severity, until }] of this.#causes)
      if (severity === undefined && until < now - KEPT) this.#causes.delete(name);
  }

  /** The event of a channel has named consenters. @param component of the channel */
  name(component: string, consenters: ReadonlySet<string>): void {
    const cause = this.#causes.get(component);
    if (cause !== undefined) cause.named = consenters;
  }

  /** Records which consenters are not active. @param now as `performance.now()` */
  observe(channels: ReadonlyMap<string, readonly InactiveConsenter[]>, now: number): void {
    for (const channel of channels.keys())
      if (!this.#consenters.has(channel)) this.#consenters.set(channel, new Map());
    for (const [channel, known] of this.#consenters) {
      const inactive = new Map(channels.get(channel)?.map((each) => [each.name, each]));
      for (const [name, each] of known) {
        if (each.until === Infinity && !inactive.has(name)) each.until = now;
        if (each.until < now - KEPT) known.delete(name);
      }
      for (const [name, consenter] of inactive) known.set(name, { consenter, until: Infinity });
      if (known.size === 0 && !channels.has(channel)) this.#consenters.delete(channel);
    }
  }

  /** What a look may have found that began at a time, as `performance.now()`. */
  since(lookedAt: number): Omit<KnownFailures, 'nodes'> {
    return {
      severityOf: (component) => this.#severityOf(component, lookedAt),
      channels: new Map(
        [...this.#consenters].map(([channel, known]) => [
          channel,
          [...known.values()].flatMap(({ consenter, until }) => (until > lookedAt ? [consenter] : [])),
        ]),
      ),
      isNamed: (channel, consenter) =>
        this.#causes.get(`${CHANNELS}/${channel}`)?.named.has(consenter) === true,
    };
  }

  #severityOf(component: string, lookedAt: number): Severity | undefined {
    const cause = this.#causes.get(component);
    if (cause === undefined) return undefined;
    if (cause.severity === 'critical' || cause.criticalUntil > lookedAt) return 'critical';
    return cause.severity === 'warning' || cause.until > lookedAt ? 'warning' : undefined;
  }
}
