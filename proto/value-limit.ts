import { TranslateError } from './errors.js';

/** Bounds of one operation, for services that must not run out of memory. */
export interface Bounds {
  /**
   * Largest output in bytes. It also limits what the input becomes in memory: a message, list element or map entry can have two bytes
   * on the wire and takes a hundred times as much in memory, so there can be one for each {@link BYTES_PER_VALUE} of it.
   */
  readonly maxOutput: number;
}

/** For each value the output may have this many bytes. Real messages have more bytes of JSON for each value. */
const BYTES_PER_VALUE = 128;

/** How many values an operation with these bounds may have. */
export function maxValuesOf({ maxOutput }: Bounds): number {
  return Math.ceil(maxOutput / BYTES_PER_VALUE);
}

/** Counts the values of one operation. */
export class ValueLimit {
  readonly #max: number;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws TranslateError TOO_LARGE */
  add(): void {
    this.#count += 1;
    if (this.#count > this.#max) throw new TranslateError('TOO_LARGE', `more than ${this.#max} values`);
  }
}
