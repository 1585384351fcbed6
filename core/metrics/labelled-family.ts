// The series of one family by their labels, limited in number.

import { visibleLines } from '../common/text/one-line.js';
import { AgentError, type Labels } from '../contract/index.js';
import { createSeriesKey, NO_OP_INSTRUMENT } from '../contract/instruments.js';

/** Longer label values are truncated, before invisible characters are escaped. */
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
  readonly #keyOf = createSeriesKey();
  readonly #series = new Map<string, Instrument>();

  /**
   * @param maxSeries maximum number of series of the family
   * @param onDropped called when a series is not created because of the limit
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
    this.#create = create;
    this.#maxSeries = maxSeries;
    this.#onDropped = onDropped;
  }

  /** @throws AgentError `METRIC_INVALID` when a label is missing or was not declared */
  with(given: Labels): Instrument {
    const labels = this.#labelsOf(given);
    const key = this.#keyOf(labels);
    const existing = this.#series.get(key);
    if (existing !== undefined) return existing;
    if (this.#series.size >= this.#maxSeries) {
      this.#onDropped();
      return NO_OP_INSTRUMENT as unknown as Instrument;
    }
    const instrument = this.#create(labels);
    this.#series.set(key, instrument);
    return instrument;
  }

  /**
   * Removes a series.
   *
   * @returns its instrument; undefined if there is no such series
   * @throws AgentError `METRIC_INVALID` when a label is missing or was not declared
   */
  remove(given: Labels): Instrument | undefined {
    const key = this.#keyOf(this.#labelsOf(given));
    const existing = this.#series.get(key);
    this.#series.delete(key);
    return existing;
  }

  #labelsOf(given: Labels): Record<string, string> {
    const labels: Record<string, string> = {};
    for (const name of this.#labelNames) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined) throw this.#labelError(`label '${name}' is missing`);
      // Some sinks do not escape: a name in a certificate must not change how the rest of a line is displayed.
      labels[name] = visibleLines(String(value).slice(0, MAX_LABEL_LENGTH).toWellFormed());
    }
    const unknown = Object.keys(given).find((name) => !this.#labelNames.includes(name));
    if (unknown !== undefined) throw this.#labelError(`label '${unknown}' was not declared`);
    return labels;
  }

  #labelError(what: string): AgentError {
    const allowed =
      this.#labelNames.length === 0 ? 'it has none' : `its labels are ${this.#labelNames.join(', ')}`;
    return new AgentError('METRIC_INVALID', `cannot use metric '${this.#name}': ${what}; ${allowed}`);
  }
}

/** The instrument of a family with labels before `with` is called: every call throws. */
export function instrumentNeedingLabels(name: string): object {
  const reject = (): never => {
    throw new AgentError(
      'METRIC_INVALID',
      `cannot use metric '${name}' without its labels: call with() first`,
    );
  };
  return { inc: reject, set: reject, add: reject, observe: reject };
}
