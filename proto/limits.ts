// Limits for input. Values take many times the memory of their bytes, and nested messages need more steps.

import { is } from './arguments.js';
import { TranslateError } from './errors.js';

/** The limits for a serialized message. */
export interface Limits {
  /** Nesting of messages, including the outermost one. Map entries do not count. */
  readonly depth: number;
  /** Number of messages, list elements, map entries and unknown fields; each occurrence counts. */
  readonly values: number;
  /** The message of the error for more values. */
  readonly tooMany: string;
}

/** Nesting of messages, and of objects and lists in JSON: the limit of Go's protobuf runtime and of Go's encoding/json. */
export const MAX_DEPTH = 10_000;
/** Nesting of typed messages and configs. A config of Fabric has five levels. */
export const MAX_TREE_DEPTH = 64;
/** Nesting of unknown groups, as in Go's protowire. */
export const MAX_GROUP_DEPTH = 10_001;
/** Values of a serialized message. */
export const MAX_VALUES = 500_000;
/** Values of a config. Each takes about a kilobyte of memory, and a service keeps two configs of each update that it computes. */
const MAX_ELEMENTS = 25_000;
/** Values of a document in JSON. */
export const MAX_JSON_VALUES = 2_000_000;
/** The longest JSON text, in bytes. Indentation makes the text of a small, deeply nested message large. */
export const MAX_TEXT = 400_000_000;

/** The limits for messages that are read and written without recursion. */
export const MESSAGE_LIMITS: Limits = {
  depth: MAX_DEPTH,
  values: MAX_VALUES,
  tooMany: `more than ${MAX_VALUES} values in one message`,
};

/** The limits for nested objects that are processed recursively. */
export const TREE_LIMITS: Limits = { ...MESSAGE_LIMITS, depth: MAX_TREE_DEPTH };

/** The limits for configs. 250 organisations have 2,500 elements. */
export const CONFIG_LIMITS: Limits = {
  depth: MAX_TREE_DEPTH,
  values: MAX_ELEMENTS,
  tooMany: `the config has more than ${MAX_ELEMENTS} groups, values, policies, unknown fields and repeated messages`,
};

/** Bounds of one operation, for services that must not run out of memory. */
export interface Bounds {
  /**
   * Largest output in bytes. It also limits the memory for the input: a message, list element or map entry can have two bytes
   * on the wire but takes a hundred times as much in memory, so one is allowed for each {@link BYTES_PER_VALUE} of the output. The size of
   * the input is another limit, see {@link maxValuesOf}.
   */
  readonly maxOutput: number;
}

/** The type of an argument with bounds. */
export const BOUNDS = is.optional(is.only({ maxOutput: is.number(1) }));

/** One value is allowed for this many bytes of {@link Bounds.maxOutput}. Real messages have more bytes of JSON for each value. */
const BYTES_PER_VALUE = 128;

/** Number of values that are allowed for input of any size. */
const FREE_VALUES = 100_000;
/** Number of bytes of the input for each additional value. Real blocks have 90 for each value, and their JSON has 35. */
const INPUT_PER_VALUE = { message: 32, json: 16 } as const;

/**
 * The maximum number of values of an operation with these bounds: input with many more values than real messages, such as empty list
 * elements, must not take more time and memory for its size than real messages.
 *
 * @param size the size of the input in bytes, or of JSON text in characters
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
