// Collects what an isolated plugin does with its logger and its instruments, for the agent.

import {
  AgentError,
  LeveledLoggers,
  type Counter,
  type Family,
  type FamilyOptions,
  type Gauge,
  type Histogram,
  type HistogramOptions,
  type Labels,
  type LevelName,
  type Logger,
  type MetricFactory,
} from '../../contract/index.js';
import type { Updates, WireChange, WireEntry, WireFamily } from './messages.js';

/** Most changes of instruments, and most log entries, that are kept until they are sent; further ones are dropped. */
const MAX_CHANGES = 10_000;
const MAX_ENTRIES = 1_000;
/** Longest message of a log entry, in UTF-16 units; a longer one is truncated. */
const MAX_MESSAGE = 16_384;
/** How long updates are collected, in milliseconds, unless a call ends earlier. */
const SEND_DELAY = 200;

type Instrument = Counter & Gauge & Histogram;

/** The updates of one plugin. */
export class UpdateBuffer implements MetricFactory {
  readonly #send: (updates: Updates) => void;
  readonly #loggers: LeveledLoggers;
  #families: WireFamily[] = [];
  #familyCount = 0;
  #changes = new Map<string, WireChange>();
  #entries: WireEntry[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (updates: Updates) => void) {
    this.#send = send;
    this.#loggers = new LeveledLoggers({
      write: ({ level, message, fields }) => {
        if (this.#entries.length >= MAX_ENTRIES) this.#dropped += 1;
        else this.#entries.push({ level, message: textOf(message), fields });
        this.#sendLater();
      },
    });
  }

  /** Entries below this level are not sent. */
  set level(level: LevelName) {
    this.#loggers.activate(level);
  }

  logger(name: string): Logger {
    return this.#loggers.logger(name);
  }

  counter<Name extends string = never>(options: FamilyOptions<Name>): Counter & Family<Counter, Name> {
    return this.#family({ type: 'counter', options });
  }

  gauge<Name extends string = never>(options: FamilyOptions<Name>): Gauge & Family<Gauge, Name> {
    return this.#family({ type: 'gauge', options });
  }

  histogram<Name extends string = never>(
    options: HistogramOptions<Name>,
  ): Histogram & Family<Histogram, Name> {
    return this.#family({ type: 'histogram', options });
  }

  /** Sends everything now. */
  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const updates: Updates = {
      families: this.#families,
      changes: [...this.#changes.values()],
      entries: this.#entries,
      dropped: this.#dropped,
    };
    if (updates.families.length + updates.changes.length + updates.entries.length + updates.dropped === 0)
      return;
    this.#families = [];
    this.#changes = new Map();
    this.#entries = [];
    this.#dropped = 0;
    try {
      this.#send(updates);
    } catch {
      // A field that cannot be cloned, such as a function.
      this.#send({ ...updates, entries: updates.entries.map((entry) => ({ ...entry, fields: undefined })) });
    }
  }

  #sendLater(): void {
    this.#timer ??= setTimeout(() => this.send(), SEND_DELAY).unref();
  }

  #family(family: WireFamily): Instrument & Family<Instrument> {
    const index = this.#familyCount;
    this.#familyCount += 1;
    this.#families.push(family);
    const { name, labelNames = [] } = family.options;
    const withLabels = (labels: Labels): Instrument => {
      const missing = labelNames.find((label) => labels[label] === undefined);
      if (missing !== undefined)
        throw new AgentError('METRIC_INVALID', `metric '${name}': the label '${missing}' is missing`);
      return this.#instrument(index, { ...labels });
    };
    return { ...this.#instrument(index, {}), with: withLabels };
  }

  #instrument(family: number, labels: Labels): Instrument {
    const key = `${family} ${JSON.stringify(labels)}`;
    const change =
      (method: WireChange['method']) =>
      (amount = 1): void =>
        this.#change(key, { family, labels, method, amount });
    return { inc: change('inc'), set: change('set'), add: change('add'), observe: change('observe') };
  }

  /** Adds a change to those of its series, where the result is the same. */
  #change(series: string, change: WireChange): void {
    const { method, amount } = change;
    // Invalid amounts and observations are sent one by one.
    const isSummed = method !== 'observe' && Number.isFinite(amount) && (method !== 'inc' || amount >= 0);
    const key = isSummed ? series : `${series} ${this.#changes.size}`;
    const earlier = this.#changes.get(key);
    if (earlier === undefined && this.#changes.size >= MAX_CHANGES) this.#dropped += 1;
    else if (earlier === undefined || method === 'set') this.#changes.set(key, change);
    else this.#changes.set(key, { ...earlier, amount: earlier.amount + amount });
    this.#sendLater();
  }
}

/** A plugin may be JavaScript, so the message can be of any type. */
function textOf(message: unknown): string {
  return String(message).slice(0, MAX_MESSAGE);
}
