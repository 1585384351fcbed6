// Failures and inactive consenters since a point in time: a check run that began before a cause ended may have found its consequences.

import { channelComponent } from '../common/text/component.js';
import type { Severity } from '../contract/errors.js';
import type { Consenter } from '../fabric/channel.js';
import type { KnownFailures } from './explanation.js';

/** How long ended causes are kept, in milliseconds: check intervals are rarely longer. */
const KEPT = 3_600_000;

/** A component that fails, or has failed. Times are as `performance.now()`. */
interface Cause {
  /** Undefined: it no longer fails. */
  severity: Severity | undefined;
  /** When the failure ended. */
  until: number;
  /** When the failure stopped being critical. */
  criticalUntil: number;
  /** For a channel: the consenters that its last event named. */
  named: ReadonlySet<string>;
}

/** A consenter that is or was inactive. */
interface Inactivity {
  readonly consenter: Consenter;
  /** When it became active again, as `performance.now()`; Infinity: it is inactive. */
  until: number;
}

/** The current failures, and the failures of the last hour. */
export class Causes {
  readonly #causes = new Map<string, Cause>();
  /** By channel and name. */
  readonly #consenters = new Map<string, Map<string, Inactivity>>();

  /** Records that a component fails. @param now as `performance.now()` */
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

  /** Records that a component no longer fails. @param now as `performance.now()` */
  ended(component: string, now: number): void {
    const cause = this.#causes.get(component);
    if (cause === undefined) return;
    if (cause.severity === 'critical') cause.criticalUntil = now;
    cause.severity = undefined;
    cause.until = now;
    for (const [name, { severity, until }] of this.#causes)
      if (severity === undefined && until < now - KEPT) this.#causes.delete(name);
  }

  /** Records which consenters the event of a channel named. @param component the component of the channel */
  name(component: string, consenters: ReadonlySet<string>): void {
    const cause = this.#causes.get(component);
    if (cause !== undefined) cause.named = consenters;
  }

  /** Records which consenters are inactive. @param now as `performance.now()` */
  observe(channels: ReadonlyMap<string, readonly Consenter[]>, now: number): void {
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

  /** The failures that a check run may have seen. @param observedAt when the run began, as `performance.now()` */
  since(observedAt: number): Omit<KnownFailures, 'checks' | 'nodes'> {
    return {
      severityOf: (component) => this.#severityOf(component, observedAt),
      channels: new Map(
        [...this.#consenters].map(([channel, known]) => [
          channel,
          [...known.values()].flatMap(({ consenter, until }) => (until > observedAt ? [consenter] : [])),
        ]),
      ),
      isNamed: (channel, consenter) =>
        this.#causes.get(channelComponent(channel))?.named.has(consenter) === true,
    };
  }

  #severityOf(component: string, observedAt: number): Severity | undefined {
    const cause = this.#causes.get(component);
    if (cause === undefined) return undefined;
    if (cause.severity === 'critical' || cause.criticalUntil > observedAt) return 'critical';
    return cause.severity === 'warning' || cause.until > observedAt ? 'warning' : undefined;
  }
}
