// The rule of the outbox for restarts that the logs of nodes announce: if SIGTERM or SIGINT stopped a node, notifiers get its failure, and the
// failures of channels because of it, only if the node does not return within its usual time.

import { formatDuration } from '../common/text/duration.js';
import { reasonOf, type AgentEvent } from '../contract/index.js';
import type { Events } from './events.js';
import type { SentEvent } from './new-event.js';
import type { OutboxControl, Rule, Wait } from './outbox.js';

/** How long a node may be down before a restart of it was measured, and the limits after that; milliseconds. */
const USUAL = { unknown: 60_000, least: 10_000, most: 120_000 };
/** The usual time is this many times the longest of the last restarts. */
const FACTOR = 2;
/** How many restarts of a node are measured. */
const MEASURED = 5;
/** How long a channel may need after its orderer has returned, in milliseconds: for an election, and until the leader reaches the orderer. */
const SETTLE = 15_000;
/** How often the log of a node is read that may return, in milliseconds. */
const READ_INTERVAL = 2_000;
/** Most explanations one after the other in which a node is searched. */
const MAX_EXPLANATIONS = 5;

/**
 * How a process ended: a signal `stopped` it, and it may return; the same, and it has `returned`: the check run that found it down began before;
 * `crashed`, or `killed` without a signal in its log.
 */
type End = 'crashed' | 'killed' | 'returned' | 'stopped';

/** A node that is down, or has just returned. Times are as `performance.now()`. */
interface Outage {
  readonly since: number;
  /**
   * `reading`: its log is read for the first time; `stopped`: a signal stopped it, and it may return; `late`: as before, but its usual time has
   * passed; `failed`: no signal stopped it, or it crashed after its next start; `returned`: a signal had stopped it, and it is up again.
   */
  state: 'reading' | 'stopped' | 'late' | 'failed' | 'returned';
  returnedAt?: number;
  /** Whether it was found down by a check run that began before its return: how long it was down is not known. */
  isBack?: boolean;
  /** When its log was read last; Infinity: it is being read. */
  readAt: number;
}

/** A failure waits for the restarts of nodes. */
interface Restarting extends Wait {
  readonly nodes: readonly string[];
}

/** The parts of the agent that {@link Restarts} uses. */
export interface RestartsParts {
  readonly events: Pick<Events, 'causeOf' | 'foundDownAt' | 'outIn' | 'subjectOf'>;
  /**
   * Returns a function that reads how the process of a node ended that the last check run found down; it never rejects. Undefined: the log is
   * unknown, or the node was never up.
   */
  readonly processEndOf: (node: string) => (() => Promise<End | undefined>) | undefined;
}

/** Holds failures that restarts of nodes explain, while these may return. */
export class Restarts implements Rule<Restarting> {
  readonly #parts: RestartsParts;
  readonly #outages = new Map<string, Outage>();
  /** The durations of the last restarts of each node, in milliseconds. */
  readonly #durations = new Map<string, readonly number[]>();
  #recheck: () => void = () => undefined;

  constructor(parts: RestartsParts) {
    this.#parts = parts;
  }

  attach(outbox: OutboxControl): void {
    this.#recheck = () => outbox.recheck();
  }

  /** Returns true if a node is down because a signal stopped it, and may return; also while its log is read, which begins with the first call. */
  mayReturn(node: string): boolean {
    if (!this.#outages.has(node) && this.#parts.events.foundDownAt(node) !== undefined)
      this.#begin(node, performance.now());
    return ['reading', 'stopped'].includes(this.#stateOf(node));
  }

  waitOf(sent: SentEvent, before: Restarting | undefined, now: number): Restarting | undefined {
    const { event, beganAt } = sent;
    const down = this.#nodesOf(event);
    for (const node of down) {
      const outage = this.#outages.get(node);
      if (outage === undefined || outage.state === 'returned')
        this.#begin(node, event.component === node && before === undefined ? beganAt : now);
    }
    // Without one: the nodes are back, and the failure will end soon.
    const nodes = down.length > 0 ? down : (before?.nodes ?? this.#returnedFor(sent));
    if (!this.#mayEnd(sent, nodes)) return undefined;
    const why = `a signal stopped ${nodes.join(', ')}, which may return`;
    return { since: before?.since ?? now, why, nodes };
  }

  /** The event of a node that has not returned has this. */
  worded(event: AgentEvent): AgentEvent {
    const outage = this.#outages.get(event.component);
    if (outage?.state !== 'late' || event.state !== 'failed') return event;
    const age = formatDuration(Math.round((performance.now() - outage.since) / 1000) * 1000);
    const reason = reasonOf(`${event.reason}; a signal stopped it, and it has not returned after ${age}`);
    return { ...event, reason };
  }

  tick(now: number): boolean {
    for (const [node, outage] of this.#outages) this.#follow(node, outage, now);
    return this.#outages.size > 0;
  }

  /**
   * The nodes whose restarts would explain a failure: the node itself, or the consenters that do not participate in the channel; also if one of
   * these failures explains it. Empty: none.
   */
  #nodesOf({ component }: AgentEvent): readonly string[] {
    const { events, processEndOf } = this.#parts;
    let name: string | undefined = component;
    for (let count = 0; name !== undefined && count < MAX_EXPLANATIONS; count += 1) {
      if (processEndOf(name) !== undefined) return [name];
      if (events.subjectOf(name).isChannel) return [...events.outIn(name)];
      name = events.causeOf(name);
    }
    return [];
  }

  /** The nodes that have just returned, if a channel is at risk. */
  #returnedFor({ event: { state }, subject }: SentEvent): readonly string[] {
    if (state !== 'warning' || !subject.isChannel) return [];
    return [...this.#outages].flatMap(([node, outage]) => (outage.state === 'returned' ? [node] : []));
  }

  /** Returns true if a failure may end with restarts of nodes. */
  #mayEnd({ event: { state }, subject }: SentEvent, nodes: readonly string[]): boolean {
    // A channel that stops is an outage for its users, although its nodes may return.
    if (nodes.length === 0 || (state === 'failed' && subject.isChannel)) return false;
    return nodes.every((node) => ['reading', 'stopped', 'returned'].includes(this.#stateOf(node)));
  }

  #stateOf(node: string): Outage['state'] {
    return this.#outages.get(node)?.state ?? 'failed';
  }

  /** Begins to follow a node that is down. */
  #begin(node: string, since: number): void {
    if (this.#parts.processEndOf(node) === undefined) return;
    const outage: Outage = { since, state: 'reading', readAt: -Infinity };
    this.#outages.set(node, outage);
    void this.#read(node, outage);
  }

  async #read(node: string, outage: Outage): Promise<void> {
    outage.readAt = Infinity;
    const end = await this.#parts.processEndOf(node)?.();
    const now = performance.now();
    outage.readAt = now;
    if (this.#outages.get(node) !== outage || outage.state === 'returned') return;
    // After the signal the log may begin with the next start.
    const isRestart =
      end === 'stopped' || end === 'returned' || (end === undefined && outage.state === 'stopped');
    outage.isBack = end === 'returned';
    const isLate = !outage.isBack && now >= outage.since + this.#usualTime(node);
    outage.state = isRestart ? (isLate ? 'late' : 'stopped') : 'failed';
    this.#recheck();
  }

  /** How long a restart of a node may take, in milliseconds. */
  #usualTime(node: string): number {
    const durations = this.#durations.get(node);
    if (durations === undefined) return USUAL.unknown;
    return Math.min(USUAL.most, Math.max(USUAL.least, FACTOR * Math.max(...durations)));
  }

  #follow(node: string, outage: Outage, now: number): void {
    const { state, readAt, returnedAt = -Infinity } = outage;
    if (this.#parts.events.foundDownAt(node) !== undefined) {
      if (state === 'returned') this.#begin(node, now);
      else if (state === 'stopped' && now >= readAt + READ_INTERVAL) void this.#read(node, outage);
    } else if (state === 'stopped' || state === 'late') {
      if (outage.isBack !== true) this.#measure(node, now - outage.since);
      Object.assign(outage, { state: 'returned', returnedAt: now });
    } else if (now >= returnedAt + SETTLE) this.#outages.delete(node);
  }

  /** Records how long a restart took, unless the node was stopped for another reason. @param duration milliseconds */
  #measure(node: string, duration: number): void {
    if (duration > USUAL.most) return;
    this.#durations.set(node, [...(this.#durations.get(node) ?? []), duration].slice(-MEASURED));
  }
}
