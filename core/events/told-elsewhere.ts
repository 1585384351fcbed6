// The events of a channel that several agents monitor are sent by one of them. The others wait until it reports the failure, and send it
// themselves if it does not.

import type { AgentEvent } from '../contract/index.js';
import { CHANNELS } from '../health/index.js';
import type { EventListener, Events } from './events.js';
import { HeldFailures, type SentEvent } from './held-failures.js';
import { isChannel } from './new-event.js';

/** How often the other agents are looked at again, in milliseconds. */
const RECHECK = 2_000;
/** How long the other agent may need to report a failure, in milliseconds: it may notice it later, and is read every 5 s. */
const LIMIT = 20_000;

/** The parts of the agent that {@link ToldElsewhere} uses. */
export interface ToldElsewhereParts {
  /** The events to filter. */
  readonly source: Pick<Events, 'latest' | 'subscribe'>;
  /** The agents of other hosts. */
  readonly peers: {
    telling(channel: string, component: string, severity: string): 'told' | 'expected' | 'none';
    isToldBefore(channel: string): boolean;
  };
}

/** The events without those about channels that another agent sends, for notifiers. */
export class ToldElsewhere {
  readonly #parts: ToldElsewhereParts;
  readonly #listeners = new Set<EventListener>();
  /** With the time until which the other agent may need to report them, as `performance.now()`. */
  readonly #held = new HeldFailures<number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ToldElsewhereParts) {
    this.#parts = parts;
    parts.source.subscribe((event, explained, beganAt) => this.#receive({ event, explained, beganAt }));
  }

  /** As {@link Events.subscribe}. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** As {@link Events.latest}. */
  latest(id: string): AgentEvent | undefined {
    return this.#parts.source.latest(id);
  }

  #receive(sent: SentEvent): void {
    const { event } = sent;
    if (event.state === 'info') {
      const channel = channelOf(event);
      if (channel === undefined || !this.#parts.peers.isToldBefore(channel)) this.#send(sent);
      return;
    }
    if (event.state !== 'recovered' && isChannel(event.component)) {
      const held = { ...sent, why: performance.now() + LIMIT };
      if (this.#isTold(held.event, held.why)) {
        this.#held.hold(held);
        return this.#recheckLater();
      }
    }
    this.#held.replace(event);
    this.#send(sent);
  }

  /** @param until how long the other agent may need */
  #isTold({ component, severity }: AgentEvent, until: number): boolean {
    const channel = component.slice(CHANNELS.length + 1);
    const telling = this.#parts.peers.telling(channel, component, severity);
    return telling === 'told' || (telling === 'expected' && performance.now() < until);
  }

  #recheckLater(): void {
    if (this.#held.all.length === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const remains = ({ event, why }: { event: AgentEvent; why: number }): boolean =>
        this.#isTold(event, why);
      for (const sent of this.#held.release(remains, (id) => this.latest(id))) this.#send(sent);
      this.#recheckLater();
    }, RECHECK).unref();
  }

  #send({ event, explained, beganAt }: SentEvent): void {
    for (const listener of this.#listeners) listener(event, explained, beganAt);
  }
}

/** The channel of an event of the state `info` that every agent with a node in the channel reports: another leader, or a config block. */
function channelOf({ component, fields }: AgentEvent): string | undefined {
  if (isChannel(component)) return 'leader' in fields ? component.slice(CHANNELS.length + 1) : undefined;
  return 'block' in fields ? fields.channel : undefined;
}
