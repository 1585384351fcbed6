// Applies what an isolated plugin did to the logger and the instruments of the agent.

import {
  LEVEL_NAMES,
  reasonOf,
  type Counter,
  type Family,
  type Gauge,
  type Histogram,
  type PluginContext,
} from '../../contract/index.js';
import type { Updates, WireChange, WireFamily } from './messages.js';

type Instrument = Counter & Gauge & Histogram;

type UpdatedContext = Pick<PluginContext<'health'>, 'name' | 'log' | 'metrics'>;

/** The updates of one process. */
export class AppliedUpdates {
  readonly #context: UpdatedContext;
  readonly #families: (Family<Instrument> | undefined)[] = [];
  /** The error of the first family that could not be created. */
  problem: Error | undefined;

  constructor(context: UpdatedContext) {
    this.#context = context;
  }

  apply({ families, changes, entries, dropped }: Updates): void {
    const { log, name } = this.#context;
    for (const family of families) this.#families.push(this.#create(family));
    for (const change of changes) this.#change(change);
    for (const { level, message, fields } of entries)
      if (LEVEL_NAMES.includes(level)) log[level](message, fields);
    if (dropped > 0)
      log.warn(`plugin ${name} logs and measures too much: ${dropped} log entries and values were dropped`);
  }

  #create({ type, options }: WireFamily): Family<Instrument> | undefined {
    try {
      return this.#context.metrics[type](options) as unknown as Family<Instrument>;
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #change({ family, labels, method, amount }: WireChange): void {
    try {
      this.#families[family]?.with(labels)[method](amount);
    } catch (error) {
      this.#report(error);
    }
  }

  /** The plugin has continued by now, so that only the first problem is logged. */
  #report(error: unknown): void {
    if (this.problem === undefined)
      this.#context.log.warn(`plugin ${this.#context.name}: metrics are ignored: ${reasonOf(error)}`);
    this.problem ??= error instanceof Error ? error : new Error(reasonOf(error));
  }
}
