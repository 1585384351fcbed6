// Silences of planned work: for a limited time notifiers get no failures of a node, of a channel, or of all nodes.

import { randomBytes } from 'node:crypto';
import type { ComponentParts } from '../common/text/component.js';
import { onOneLine } from '../common/text/one-line.js';
import { AgentError, type MetricFactory } from '../contract/index.js';
import type { Consenter } from '../fabric/channel.js';
import type { SilenceStatus } from '../status/index.js';

/** The component of the events about silences. */
export const SILENCE = 'silence';
/** Most silences at a time. */
export const MAX_SILENCES = 50;
/** A longer silence must be confirmed; milliseconds. */
export const MAX_UNCONFIRMED = 24 * 3_600_000;
/** Longest name in a message, in UTF-16 units. */
const MAX_SHOWN = 100;
/** Longest wait of a timer, in milliseconds: then the wall clock is read again, because it may jump. */
const LONGEST_WAIT = 60_000;

/** The scope of a silence. Without a node and a channel: all nodes and channels. With both: the node in the channel. */
export interface SilenceScope {
  readonly node?: string | undefined;
  readonly channel?: string | undefined;
}

/** A silence. Times are milliseconds since the epoch. */
export interface Silence extends SilenceScope {
  readonly id: string;
  readonly from: number;
  /** `from` as `performance.now()`. */
  readonly beganAt: number;
  readonly until: number;
  /** The client that made it, or the place in the settings. */
  readonly by: string;
  readonly why: string;
}

/** By channel, the consenters that do not participate. */
type Inactive = ReadonlyMap<string, readonly Consenter[]>;

/** Called when a silence begins, and when it ends. @param by the client that ends it; undefined: its time is over */
export interface SilenceListener {
  began(silence: Silence): void;
  ended(silence: Silence, by: string | undefined): void;
}

/** The active silences. */
export class Silences {
  /** By id, in the order of their start. */
  readonly #active = new Map<string, { readonly silence: Silence; timer?: NodeJS.Timeout }>();
  readonly #listeners = new Set<SilenceListener>();

  /** The active silences, oldest first. */
  get active(): readonly Silence[] {
    return [...this.#active.values()].map(({ silence }) => silence);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: SilenceListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins a silence. @throws AgentError `SILENCES_FULL` */
  begin({ node, channel, until, by, why }: Omit<Silence, 'id' | 'from' | 'beganAt'>): Silence {
    if (this.#active.size >= MAX_SILENCES)
      throw new AgentError(
        'SILENCES_FULL',
        `${MAX_SILENCES} silences are active, more are not allowed: end one of them`,
      );
    const scope = { ...(node !== undefined && { node }), ...(channel !== undefined && { channel }) };
    const id = randomBytes(4).toString('hex');
    const silence = { id, ...scope, from: Date.now(), beganAt: performance.now(), until, by, why };
    this.#active.set(id, { silence });
    for (const listener of this.#listeners) listener.began(silence);
    this.#wait(id);
    return silence;
  }

  /** Ends a silence. @throws AgentError `SILENCE_UNKNOWN` */
  end(id: string, by: string): void {
    if (!this.#active.has(id)) {
      const ids = [...this.#active.keys()];
      const active = ids.length === 0 ? 'no silence is active' : `active are ${ids.join(', ')}`;
      throw new AgentError('SILENCE_UNKNOWN', `there is no silence ${shown(id)}: ${active}`);
    }
    this.#remove(id, by);
  }

  /** Stops the timers; nothing ends. */
  stop(): void {
    for (const { timer } of this.#active.values()) clearTimeout(timer);
  }

  /** The first silence that covers a component itself. */
  covering(subject: ComponentParts, inactive: Inactive): Silence | undefined {
    return this.active.find((silence) => this.#covers(silence, subject, inactive));
  }

  /** The first silence of a channel, for all nodes in it. */
  ofChannel(channel: string): Silence | undefined {
    return this.active.find((silence) => silence.node === undefined && silence.channel === channel);
  }

  /** Returns true if a consenter that no silence covers does not participate in a channel. */
  isExposed(channel: string, inactive: Inactive): boolean {
    const silenced = this.#nodesIn(channel);
    return outIn(channel, inactive).some((name) => !silenced.has(name));
  }

  /** Returns true if the silence has not ended. */
  isActive({ id }: Silence): boolean {
    return this.#active.has(id);
  }

  #covers({ node, channel }: SilenceScope, subject: ComponentParts, inactive: Inactive): boolean {
    const ofChannel = subject.isChannel;
    if (channel !== undefined && subject.channel !== channel) return false;
    if (node === undefined) return channel !== undefined || subject.node !== undefined || ofChannel;
    if (subject.node === node) return true;
    const { channel: about } = subject;
    return (
      ofChannel &&
      about !== undefined &&
      outIn(about, inactive).includes(node) &&
      !this.isExposed(about, inactive)
    );
  }

  /** The nodes with a silence of their own that covers a channel. */
  #nodesIn(about: string): ReadonlySet<string> {
    return new Set(
      this.active.flatMap(({ node, channel = about }) =>
        node !== undefined && channel === about ? [node] : [],
      ),
    );
  }

  #wait(id: string): void {
    const entry = this.#active.get(id);
    if (entry === undefined) return;
    const left = entry.silence.until - Date.now();
    if (left <= 0) this.#remove(id, undefined);
    else entry.timer = setTimeout(() => this.#wait(id), Math.min(left, LONGEST_WAIT)).unref();
  }

  #remove(id: string, by: string | undefined): void {
    const entry = this.#active.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.#active.delete(id);
    for (const listener of this.#listeners) listener.ended(entry.silence, by);
  }
}

/** The consenters that do not participate in a channel; without those that only know no leader. */
const outIn = (channel: string, inactive: Inactive): string[] =>
  (inactive.get(channel) ?? []).flatMap(({ name, outage }) => (outage === undefined ? [] : [name]));

/** A silence in JSON. */
export const silenceDocument = ({ id, node, channel, from, until, by, why }: Silence): SilenceStatus => ({
  id,
  node,
  channel,
  from: new Date(from).toISOString(),
  until: new Date(until).toISOString(),
  by,
  why,
});

/** Exposes the end of each active silence. The labels `node` and `channel` are empty if the silence covers all of them. */
export function measureSilences(silences: Silences, metrics: MetricFactory): void {
  const ends = metrics.gauge({
    namespace: 'silence',
    name: 'end_timestamp_seconds',
    help: 'When the silence ends, as a Unix timestamp; node and channel are empty if it covers all of them.',
    labelNames: ['channel', 'id', 'node'],
  });
  const labelsOf = ({ id, node = '', channel = '' }: Silence) => ({ channel, id, node });
  silences.subscribe({
    began: (silence) => ends.with(labelsOf(silence)).set(silence.until / 1000),
    ended: (silence) => ends.remove(labelsOf(silence)),
  });
}

/** Why a silence cannot have a name; undefined if it can. @param what `node` or `channel` */
export function unknownName(
  what: 'node' | 'channel',
  name: string | undefined,
  known: readonly string[],
): string | undefined {
  if (name === undefined || known.includes(name)) return undefined;
  const all = known.length === 0 ? `the agent knows no ${what}` : `known are ${known.join(', ')}`;
  return `unknown ${what} ${shown(name)}: ${all}`;
}

const shown = (name: string): string => `'${onOneLine(name.slice(0, MAX_SHOWN))}'`;
