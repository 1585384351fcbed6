import { TranslateError } from './errors.js';

/** Bounds of one operation, for services that must not run out of memory. */
export interface Bounds {
  /**
   * Largest output in bytes. It also limits what the input becomes in memory: a message, list element or map entry can have two bytes
   * on the wire and takes a hundred times as much in memory, so there can be one for each {@link BYTES_PER_VALUE} of it. The input
   * limits them, too, see {@link maxValuesOf}.
   */
  readonly maxOutput: number;
}

/** For each value the output may have this many bytes. Real messages have more bytes of JSON for each value. */
const BYTES_PER_VALUE = 128;

/** Values that input of any size may have. */
const FREE_VALUES = 100_000;
/** For each further value the input must have this many bytes. Blocks of networks have 90 for each value, and their JSON 35. */
const INPUT_PER_VALUE = { message: 32, json: 16 } as const;

/**
 * How many values an operation with these bounds may have: input that has many more of them than real messages, such as empty list
 * elements, must not take more time and memory for its size than these do.
 *
 * @param size of the input in bytes, or of JSON text in characters
 */
export function maxValuesOf({ maxOutput }: Bounds, form: keyof typeof INPUT_PER_VALUE, size: number): number {
  return Math.min(
    Math.ceil(maxOutput / BYTES_PER_VALUE),
    FREE_VALUES + Math.floor(size / INPUT_PER_VALUE[form]),
  );
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
