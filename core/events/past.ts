// The failures that have ended, by node and channel.

import type { AgentEvent } from '../contract/index.js';
import type { PastFailure } from '../status/index.js';

/** How long an ended failure is kept, in milliseconds, and how many of one node or channel. */
const KEPT = { age: 24 * 3_600_000, most: 50 };
/** Most nodes and channels with ended failures. */
const MAX_OWNERS = 2_000;

/** Keeps the failures that have ended. */
export class PastFailures {
  readonly #byOwner = new Map<string, readonly PastFailure[]>();

  /** Adds the failure of an event. @param owner the node or the component of a channel */
  add(owner: string, { component, severity, since }: AgentEvent, now: number): void {
    const before = this.#byOwner.get(owner) ?? [];
    if (before.length === 0 && this.#byOwner.size >= MAX_OWNERS) return;
    const all = [...before, { component, severity, from: since, to: now }];
    this.#byOwner.set(owner, all.slice(-KEPT.most));
  }

  /** The failures of a node or a channel that ended in the last 24 hours, oldest first. */
  of(owner: string, now: number): readonly PastFailure[] {
    return (this.#byOwner.get(owner) ?? []).filter(({ to }) => to > now - KEPT.age);
  }
}
