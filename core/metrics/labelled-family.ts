// The series of one family: which exist, how many may, and what is done in place of one that may not.

import { AgentError, type Counter, type Gauge, type Histogram, type Labels } from '../contract/index.js';

/** Longest label value kept; a longer one is cut. */
const MAX_LABEL_LENGTH = 1024;

/** Makes the instrument of one label set. */
export type SeriesOf<Instrument> = (labels: Record<string, string>) => Instrument;

/** The series of one family by their labels. */
export class LabelledFamily<Instrument extends object> {
  readonly #name: string;
  readonly #labelNames: readonly string[];
  readonly #create: SeriesOf<Instrument>;
  readonly #maxSeries: number;
  readonly #onDropped: () => void;
  readonly #sortedNames: readonly string[];
  /** By the string that prom-client tells series apart with; two label sets can have the same one. */
  readonly #series = new Map<string, { labels: Readonly<Record<string, string>>; instrument: Instrument }>();

  constructor(
    name: string,
    labelNames: readonly string[],
    create: SeriesOf<Instrument>,
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

  with(given: Labels): Instrument {
    const labels: Record<string, string> = {};
    for (const name of this.#labelNames) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined) throw this.#labelError(`label '${name}' is missing`);
      labels[name] = String(value).slice(0, MAX_LABEL_LENGTH).toWellFormed();
    }
    const unknown = Object.keys(given).find((name) => !this.#labelNames.includes(name));
    if (unknown !== undefined) throw this.#labelError(`label '${unknown}' was not declared`);

    let key = '';
    for (const name of this.#sortedNames) key += `${name}:${labels[name]},`;
    const known = this.#series.get(key);
    if (known !== undefined && this.#labelNames.every((name) => known.labels[name] === labels[name]))
      return known.instrument;
    if (known !== undefined || this.#series.size >= this.#maxSeries) {
      this.#onDropped();
      return NO_INSTRUMENT as unknown as Instrument;
    }
    const instrument = this.#create(labels);
    this.#series.set(key, { labels, instrument });
    return instrument;
  }

  #labelError(what: string): AgentError {
    const allowed =
      this.#labelNames.length === 0 ? 'it has none' : `its labels are ${this.#labelNames.join(', ')}`;
    return new AgentError('METRIC_INVALID', `cannot use metric '${this.#name}': ${what}; ${allowed}`);
  }
}

const nothing = (): void => undefined;
const NO_INSTRUMENT: Counter & Gauge & Histogram = {
  inc: nothing,
  set: nothing,
  add: nothing,
  observe: nothing,
};

/** The instrument of a family that has labels, used without them. */
export function noInstrument(name: string): object {
  const refuse = (): never => {
    throw new AgentError(
      'METRIC_INVALID',
      `cannot use metric '${name}' without its labels: call with() first`,
    );
  };
  return { inc: refuse, set: refuse, add: refuse, observe: refuse };
}
