// The events that notifiers get: during a silence failures that it covers are held; those that remain at its end are sent then.

import { formatDuration } from '../common/text/duration.js';
import { onOneLine } from '../common/text/one-line.js';
import { timeText } from '../common/text/time.js';
import type { AgentEvent, Severity } from '../contract/index.js';
import { CHANNELS } from '../health/index.js';
import type { EventListener, Events } from './events.js';
import { isChannel } from './new-event.js';
import { scopeText } from '../status/index.js';
import { SILENCE, type Silence, type Silences } from './silences.js';

/** Most held events of the state `info`, of all silences. */
const MAX_INFOS = 200;
/** Most restarted nodes in the reason of an ended silence. */
const MAX_RESTARTS = 20;
/** How often held failures of channels are compared with the consenters that are down, in milliseconds. */
const RECHECK = 2_000;

/** An event that a silence covers. */
interface Held {
  readonly event: AgentEvent;
  readonly explained: Severity | undefined;
  readonly beganAt: number;
  readonly silence: Silence;
}

/** The events without those that a silence covers, for notifiers. */
export class SilencedEvents {
  readonly #events: Events;
  readonly #silences: Silences;
  readonly #listeners = new Set<EventListener>();
  /** The last event of each failure, for receivers of all events and for receivers of critical events only. */
  readonly #held = new Map<string, Held>();
  #infos: readonly Held[] = [];
  /** The nodes that have restarted, with their versions, by the id of the silence. */
  readonly #restarts = new Map<string, Map<string, string>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(events: Events, silences: Silences) {
    this.#events = events;
    this.#silences = silences;
    events.subscribe((event, explained, beganAt) => this.#receive(event, explained, beganAt));
    silences.subscribe({
      began: (silence) => this.#began(silence),
      ended: (silence, by) => this.#ended(silence, by),
    });
  }

  /** As {@link Events.subscribe}. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** As {@link Events.latest}, without failures that a silence covers: they are not in reminders. */
  latest(id: string): AgentEvent | undefined {
    const event = this.#events.latest(id);
    return event === undefined || this.#events.silencedBy(event.component) !== undefined ? undefined : event;
  }

  #receive(event: AgentEvent, explained: Severity | undefined, beganAt: number): void {
    // A notifier passes a recovery on only if it has the failure.
    const silence = event.state === 'recovered' ? undefined : this.#silenceOf(event);
    if (silence !== undefined && event.state === 'info')
      return this.#holdInfo({ event, explained, beganAt, silence });
    // Moves the entry to the end of the map.
    const replaced = silence === undefined ? keysOf(event) : [keyOf(event, explained)];
    if (event.state !== 'info') for (const key of replaced) this.#held.delete(key);
    if (silence === undefined) return this.#send({ event, explained, beganAt });
    this.#held.set(keyOf(event, explained), { event, explained, beganAt, silence });
    this.#recheckLater();
  }

  /** A silence covers the failure of a channel until a consenter fails that it does not cover. */
  #silenceOf(event: AgentEvent): Silence | undefined {
    const silence = this.#events.silencedBy(event.component);
    if (silence !== undefined || !isChannel(event.component)) return silence;
    const held = keysOf(event).flatMap((key) => this.#held.get(key) ?? [])[0];
    return held !== undefined && this.#remains(held) ? held.silence : undefined;
  }

  /** Restarts are counted, and changes of the leader are a consequence of restarts; other events are sent at the end. */
  #holdInfo(held: Held): void {
    const { event, silence } = held;
    if (event.runbook === 'FabricNodeRestarts') {
      const restarts = this.#restarts.get(silence.id) ?? new Map<string, string>();
      restarts.set(event.component, event.reason.split(': ')[1] ?? '');
      this.#restarts.set(silence.id, restarts);
    } else if (!(isChannel(event.component) && 'leader' in event.fields))
      this.#infos = [...this.#infos, held].slice(-MAX_INFOS);
  }

  #began(silence: Silence): void {
    const { id, until, by, why } = silence;
    const reason = `silence began: ${scopeText(silence)}, until ${timeText(until)}, by ${onOneLine(by)}: ${onOneLine(why)}`;
    this.#events.happened(SILENCE, reason, fieldsOf(silence));
    this.#restarts.delete(id);
  }

  #ended(silence: Silence, by: string | undefined): void {
    const failing = [...this.#held.values()].filter(
      (each) => each.explained === undefined && !this.#remains(each),
    ).length;
    const duration = formatDuration(Math.floor((performance.now() - silence.beganAt) / 1000) * 1000);
    const reason = [
      `silence ended after ${duration}: ${scopeText(silence)}`,
      ...(by === undefined ? [] : [`ended by ${onOneLine(by)}`]),
      ...restartText(this.#restarts.get(silence.id)),
      failing === 0
        ? 'nothing fails that it covered'
        : `${failing} ${failing === 1 ? 'failure remains' : 'failures remain'}`,
    ].join('; ');
    this.#restarts.delete(silence.id);
    this.#events.happened(SILENCE, reason, fieldsOf(silence));
    const infos = this.#infos.filter((held) => !this.#silences.isActive(held.silence));
    this.#infos = this.#infos.filter((held) => this.#silences.isActive(held.silence));
    for (const held of infos) this.#send(held);
    this.#release();
  }

  /** Sends the failures that no silence covers any more, with their latest reasons. */
  #release(): void {
    for (const [key, held] of this.#held) {
      if (this.#remains(held)) continue;
      this.#held.delete(key);
      const latest = this.#events.latest(held.event.id);
      if (latest === undefined) continue;
      const { reason } = latest.state === held.event.state ? latest : held.event;
      this.#send({ ...held, event: { ...held.event, reason } });
    }
    this.#recheckLater();
  }

  /** Returns true if a silence still covers a held failure. */
  #remains({ event: { component }, silence }: Held): boolean {
    const isHeld = this.#silences.isActive(silence) || this.#events.silencedBy(component) !== undefined;
    if (!isHeld || !isChannel(component) || silence.node === undefined) return isHeld;
    return !this.#events.isExposed(component.slice(CHANNELS.length + 1));
  }

  /** A channel can remain at risk while another consenter fails than before, which is no event. */
  #recheckLater(): void {
    clearTimeout(this.#timer);
    if (this.#held.size > 0) this.#timer = setTimeout(() => this.#release(), RECHECK).unref();
  }

  #send({ event, explained, beganAt }: Omit<Held, 'silence'>): void {
    for (const listener of this.#listeners) listener(event, explained, beganAt);
  }
}

const keyOf = ({ id }: AgentEvent, explained: Severity | undefined): string =>
  `${explained === undefined ? 'all' : 'critical'} ${id}`;

const keysOf = (event: AgentEvent): string[] => [keyOf(event, undefined), keyOf(event, 'warning')];

const fieldsOf = ({ id, node, channel, until, by, why }: Silence): Record<string, string> => ({
  silence: id,
  ...(node !== undefined && { node }),
  ...(channel !== undefined && { channel }),
  until: new Date(until).toISOString(),
  by,
  why,
});

/** The nodes that have restarted, such as `restarted: orderer1, peer0 v2.5.16 → v3.1.5`. */
function restartText(restarts: ReadonlyMap<string, string> = new Map()): string[] {
  const nodes = [...restarts].map(([node, versions]) => (versions === '' ? node : `${node} ${versions}`));
  const more = nodes.length > MAX_RESTARTS ? ` and ${nodes.length - MAX_RESTARTS} more` : '';
  return nodes.length === 0 ? [] : [`restarted: ${nodes.slice(0, MAX_RESTARTS).join(', ')}${more}`];
}
