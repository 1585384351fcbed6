// The series of one family by their labels, limited in number.

import { AgentError, type Labels } from '../contract/index.js';
import { NO_OP_INSTRUMENT } from '../contract/instruments.js';

/** Longer label values are truncated. */
const MAX_LABEL_LENGTH = 1024;

/** Creates the instrument of one label set. */
export type CreateSeries<Instrument> = (labels: Record<string, string>) => Instrument;

/** The labelled series of one family. */
export class LabelledFamily<Instrument extends object> {
  readonly #name: string;
  readonly #labelNames: readonly string[];
  readonly #create: CreateSeries<Instrument>;
  readonly #maxSeries: number;
  readonly #onDropped: () => void;
  readonly #sortedNames: readonly string[];
  /** By the key that prom-client builds from the labels. Two label sets can have the same key. */
  readonly #series = new Map<string, { labels: Readonly<Record<string, string>>; instrument: Instrument }>();

  /**
   * @param maxSeries how many series the family may have
   * @param onDropped called when a series is not created because of the limit or of its key
   */
  constructor(
    name: string,
    labelNames: readonly string[],
    create: CreateSeries<Instrument>,
    maxSeries: number,
    onDropped: () => void,
  ) {
    this.#name = name;
    this.#labelNames = labelNames;
    this.#sortedNames = labelNames.toSorted();
    this.#create = create;
    this.#maxSeries = maxSeries;
    this.#onDropped = onDropped;
  }

  /** @throws AgentError `METRIC_INVALID` when a label is missing or was not declared */
  with(given: Labels): Instrument {
    const labels = this.#labelsOf(given);
    const key = this.#keyOf(labels);
    const existing = this.#existing(key, labels);
    if (existing !== undefined) return existing;
    if (this.#series.has(key) || this.#series.size >= this.#maxSeries) {
      this.#onDropped();
      return NO_OP_INSTRUMENT as unknown as Instrument;
    }
    const instrument = this.#create(labels);
    this.#series.set(key, { labels, instrument });
    return instrument;
  }

  /**
   * Forgets a series.
   *
   * @returns its instrument; undefined when there is no such series
   * @throws AgentError `METRIC_INVALID` when a label is missing or was not declared
   */
  remove(given: Labels): Instrument | undefined {
    const labels = this.#labelsOf(given);
    const key = this.#keyOf(labels);
    const existing = this.#existing(key, labels);
    if (existing !== undefined) this.#series.delete(key);
    return existing;
  }

  #labelsOf(given: Labels): Record<string, string> {
    const labels: Record<string, string> = {};
    for (const name of this.#labelNames) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined) throw this.#labelError(`label '${name}' is missing`);
      labels[name] = String(value).slice(0, MAX_LABEL_LENGTH).toWellFormed();
    }
    const unknown = Object.keys(given).find((name) => !this.#labelNames.includes(name));
    if (unknown !== undefined) throw this.#labelError(`label '${unknown}' was not declared`);
    return labels;
  }

  #keyOf(labels: Readonly<Record<string, string>>): string {
    let key = '';
    for (const name of this.#sortedNames) key += `${name}:${labels[name]},`;
    return key;
  }

  /** The instrument of these labels; another label set can have the same key. */
  #existing(key: string, labels: Readonly<Record<string, string>>): Instrument | undefined {
    const found = this.#series.get(key);
    return found !== undefined && this.#labelNames.every((name) => found.labels[name] === labels[name])
      ? found.instrument
      : undefined;
  }

  #labelError(what: string): AgentError {
    const allowed =
      this.#labelNames.length === 0 ? 'it has none' : `its labels are ${this.#labelNames.join(', ')}`;
    return new AgentError('METRIC_INVALID', `cannot use metric '${this.#name}': ${what}; ${allowed}`);
  }
}

/** The instrument of a family with labels when `with` was not called: every call throws. */
export function instrumentNeedingLabels(name: string): object {
  const reject = (): never => {
    throw new AgentError(
      'METRIC_INVALID',
      `cannot use metric '${name}' without its labels: call with() first`,
    );
  };
  return { inc: reject, set: reject, add: reject, observe: reject };
}
