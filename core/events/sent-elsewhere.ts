// The events of a channel that several agents monitor are sent by one of them. The others wait until it reports the failure, and send it
// themselves if it does not.

import type { AgentEvent } from '../contract/index.js';
import { CHANNELS } from '../health/index.js';
import { EventFilter, type EventSource } from './event-filter.js';
import type { SentEvent } from './held-failures.js';
import { isChannel } from './new-event.js';

/** How long the other agent may need to report a failure, in milliseconds: it may notice it later, and is read every 5 s. */
const LIMIT = 20_000;

/** The parts of the agent that {@link SentElsewhere} uses. */
export interface SentElsewhereParts {
  /** The events to filter. */
  readonly source: EventSource;
  /** The agents of other hosts. */
  readonly peers: {
    sends(channel: string, component: string, severity: string): 'sent' | 'expected' | 'none';
    sendsEventsOf(channel: string): boolean;
  };
}

/**
 * The events without those about channels that another agent sends, for notifiers. A failure is held with the time until which the other agent may
 * need to report it, as `performance.now()`.
 */
export class SentElsewhere extends EventFilter<number> {
  readonly #parts: SentElsewhereParts;

  constructor(parts: SentElsewhereParts) {
    super(parts.source);
    this.#parts = parts;
  }

  protected override receive(sent: SentEvent): void {
    const { event } = sent;
    if (event.state === 'info') {
      const channel = channelOf(event);
      if (channel === undefined || !this.#parts.peers.sendsEventsOf(channel)) this.send(sent);
      return;
    }
    if (event.state !== 'recovered' && isChannel(event.component)) {
      const held = { ...sent, why: performance.now() + LIMIT };
      if (this.#isSent(held.event, held.why)) {
        this.held.hold(held);
        return this.recheckLater();
      }
    }
    this.held.replace(event);
    this.send(sent);
  }

  /** @param until how long the other agent may need */
  #isSent({ component, severity }: AgentEvent, until: number): boolean {
    const channel = component.slice(CHANNELS.length + 1);
    const sent = this.#parts.peers.sends(channel, component, severity);
    return sent === 'sent' || (sent === 'expected' && performance.now() < until);
  }

  protected override recheck(): void {
    const remains = ({ event, why }: { event: AgentEvent; why: number }): boolean => this.#isSent(event, why);
    for (const sent of this.held.release(remains, (id) => this.latest(id))) this.send(sent);
    if (this.held.all.length > 0) this.recheckLater();
  }
}

/** The channel of an event of the state `info` that every agent with a node in the channel reports: another leader, or a config block. */
function channelOf({ component, fields }: AgentEvent): string | undefined {
  if (isChannel(component)) return 'leader' in fields ? component.slice(CHANNELS.length + 1) : undefined;
  return 'block' in fields ? fields.channel : undefined;
}
