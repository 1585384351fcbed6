// The events that notifiers get: during a silence failures that it covers are held; those that remain at its end are sent then.

import { formatDuration } from '../common/text/duration.js';
import { onOneLine } from '../common/text/one-line.js';
import { timeText } from '../common/text/time.js';
import type { AgentEvent } from '../contract/index.js';
import { CHANNELS } from '../health/index.js';
import { EventFilter } from './event-filter.js';
import type { Events } from './events.js';
import type { HeldFailure, SentEvent } from './held-failures.js';
import { isChannel } from './new-event.js';
import { scopeText } from '../status/index.js';
import { SILENCE, type Silence, type Silences } from './silences.js';

/** Most held events of the state `info`, of all silences. */
const MAX_INFOS = 200;
/** Most restarted nodes in the reason of an ended silence. */
const MAX_RESTARTS = 20;

/** An event that a silence covers. */
type Held = HeldFailure<Silence>;

/** The events without those that a silence covers, for notifiers. */
export class SilencedEvents extends EventFilter<Silence> {
  readonly #events: Events;
  readonly #silences: Silences;
  #infos: readonly Held[] = [];
  /** The nodes that have restarted, with their versions, by the id of the silence. */
  readonly #restarts = new Map<string, Map<string, string>>();

  constructor(events: Events, silences: Silences) {
    super(events);
    this.#events = events;
    this.#silences = silences;
    silences.subscribe({
      began: (silence) => this.#began(silence),
      ended: (silence, by) => this.#ended(silence, by),
    });
  }

  /** As {@link Events.latest}, without failures that a silence covers: they are not in reminders. */
  override latest(id: string): AgentEvent | undefined {
    const event = this.#events.latest(id);
    return event === undefined || this.#events.silencedBy(event.component) !== undefined ? undefined : event;
  }

  protected override receive(sent: SentEvent): void {
    const { event } = sent;
    // A notifier passes a recovery on only if it has the failure.
    const silence = event.state === 'recovered' ? undefined : this.#silenceOf(event);
    if (silence === undefined) {
      if (event.state !== 'info') this.held.replace(event);
      return this.send(sent);
    }
    const held = { ...sent, why: silence };
    if (event.state === 'info') return this.#holdInfo(held);
    this.held.hold(held);
    this.recheckLater();
  }

  /** A silence covers the failure of a channel until a consenter fails that it does not cover. */
  #silenceOf(event: AgentEvent): Silence | undefined {
    const silence = this.#events.silencedBy(event.component);
    if (silence !== undefined || !isChannel(event.component)) return silence;
    const held = this.held.of(event);
    return held !== undefined && this.#remains(held) ? held.why : undefined;
  }

  /** Restarts are counted, and changes of the leader are a consequence of restarts; other events are sent at the end. */
  #holdInfo(held: Held): void {
    const { event, why: silence } = held;
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
    const failing = this.held.all.filter(
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
    const infos = this.#infos.filter((held) => !this.#silences.isActive(held.why));
    this.#infos = this.#infos.filter((held) => this.#silences.isActive(held.why));
    for (const held of infos) this.send(held);
    this.recheck();
  }

  /**
   * Sends the failures that no silence covers any more. A channel can remain at risk while another consenter fails than before, which is no
   * event.
   */
  protected override recheck(): void {
    for (const released of this.held.release(
      (held) => this.#remains(held),
      (id) => this.#events.latest(id),
    ))
      this.send(released);
    if (this.held.all.length > 0) this.recheckLater();
  }

  /** Returns true if a silence still covers a held failure. */
  #remains({ event: { component }, why: silence }: Held): boolean {
    const isHeld = this.#silences.isActive(silence) || this.#events.silencedBy(component) !== undefined;
    if (!isHeld || !isChannel(component) || silence.node === undefined) return isHeld;
    return !this.#events.isExposed(component.slice(CHANNELS.length + 1));
  }
}

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
