// The rule of the outbox for silences: failures that a silence covers wait; those that remain at its end are sent then.

import { formatDuration } from '../common/text/duration.js';
import { onOneLine } from '../common/text/one-line.js';
import { timeText } from '../common/text/time.js';
import type { AgentEvent } from '../contract/index.js';
import type { Events } from './events.js';
import type { SentEvent } from './new-event.js';
import type { OutboxControl, Rule, Wait } from './outbox.js';
import { scopeText } from '../status/index.js';
import { SILENCE, type Silence, type Silences } from './silences.js';

/** Most held events of the state `info`, of all silences. */
const MAX_INFOS = 200;
/** Most restarted nodes in the reason of an ended silence. */
const MAX_RESTARTS = 20;

/** A failure waits for the end of a silence. */
interface Silenced extends Wait {
  readonly silence: Silence;
}

/** An event of the state `info` that a silence covers. */
interface KeptInfo {
  readonly sent: SentEvent;
  readonly silence: Silence;
}

/** Holds what a silence covers. */
export class SilenceRule implements Rule<Silenced> {
  readonly #events: Events;
  readonly #silences: Silences;
  #infos: readonly KeptInfo[] = [];
  /** The nodes that have restarted, with their versions, by the id of the silence. */
  readonly #restarts = new Map<string, Map<string, string>>();

  constructor(events: Events, silences: Silences) {
    this.#events = events;
    this.#silences = silences;
  }

  attach(outbox: OutboxControl): void {
    this.#silences.subscribe({
      began: (silence) => this.#began(silence),
      ended: (silence, by) => this.#ended(silence, by, outbox),
    });
  }

  waitOf(
    { event: { component }, subject: { isChannel, channel } }: SentEvent,
    before: Silenced | undefined,
    now: number,
  ): Silenced | undefined {
    const current = this.#events.silencedBy(component);
    const silence = before?.silence ?? current;
    if (silence === undefined || (current === undefined && !this.#silences.isActive(silence)))
      return undefined;
    // A silence of a node covers the failure of a channel until a consenter fails that it does not cover.
    const isOfNode = isChannel && silence.node !== undefined;
    if (before !== undefined && isOfNode && this.#events.isExposed(channel ?? '')) return undefined;
    return { since: before?.since ?? now, why: `it is silenced: ${onOneLine(silence.why)}`, silence };
  }

  /** Reminders do not have failures that a silence covers. */
  isOmitted({ component }: AgentEvent): boolean {
    return this.#events.silencedBy(component) !== undefined;
  }

  keeps(sent: SentEvent): boolean {
    const silence = this.#events.silencedBy(sent.event.component);
    if (silence !== undefined) this.#keepInfo({ sent, silence });
    return silence !== undefined;
  }

  /** Restarts are counted, and changes of the leader are a consequence of restarts; other events are sent at the end. */
  #keepInfo(kept: KeptInfo): void {
    const { event, subject, restart } = kept.sent;
    const { silence } = kept;
    if (restart !== undefined) {
      const restarts = this.#restarts.get(silence.id) ?? new Map<string, string>();
      restarts.set(event.component, restart.versions ?? '');
      this.#restarts.set(silence.id, restarts);
    } else if (!(subject.isChannel && 'leader' in event.fields))
      this.#infos = [...this.#infos, kept].slice(-MAX_INFOS);
  }

  #began(silence: Silence): void {
    const { id, until, by, why } = silence;
    const reason = `silence began: ${scopeText(silence)}, until ${timeText(until)}, by ${onOneLine(by)}: ${onOneLine(why)}`;
    this.#events.happened(SILENCE, reason, fieldsOf(silence), '', headlineOf(silence, 'began'));
    this.#restarts.delete(id);
  }

  #ended(silence: Silence, by: string | undefined, outbox: OutboxControl): void {
    const now = performance.now();
    const failing = outbox
      .heldBy(this)
      .filter(
        ({ sent, wait }) =>
          sent.explained === undefined && this.waitOf(sent, wait as Silenced, now) === undefined,
      ).length;
    const duration = formatDuration(Math.floor((now - silence.beganAt) / 1000) * 1000);
    const reason = [
      `silence ended after ${duration}: ${scopeText(silence)}`,
      ...(by === undefined ? [] : [`ended by ${onOneLine(by)}`]),
      ...restartText(this.#restarts.get(silence.id)),
      failing === 0
        ? 'nothing fails that it covered'
        : `${failing} ${failing === 1 ? 'failure remains' : 'failures remain'}`,
    ].join('; ');
    this.#restarts.delete(silence.id);
    this.#events.happened(SILENCE, reason, fieldsOf(silence), '', headlineOf(silence, 'ended'));
    const infos = this.#infos.filter((kept) => !this.#silences.isActive(kept.silence));
    this.#infos = this.#infos.filter((kept) => this.#silences.isActive(kept.silence));
    for (const { sent } of infos) outbox.send(sent);
    outbox.recheck();
  }
}

/** `Planned work began: orderer3` */
const headlineOf = (silence: Silence, what: 'began' | 'ended'): string =>
  `Planned work ${what}: ${scopeText(silence)}`;

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
