// What input may have at most. Values take many times the memory of their bytes, and nested messages more steps.

import { TranslateError } from './errors.js';

/** What a serialized message may have at most. */
export interface Limits {
  /** Nesting of messages, including the outermost one. Map entries do not count. */
  readonly depth: number;
  /** Messages, list elements, map entries and unknown fields, each time that they occur. */
  readonly values: number;
  /** The error for more values. */
  readonly tooMany: string;
}

/** Nesting of messages, and of objects and lists in JSON: the limit of Go's protobuf runtime and of its encoding/json. */
export const MAX_DEPTH = 10_000;
/** Nesting of messages in trees that people work on. A config of Fabric nests five. */
export const MAX_TREE_DEPTH = 64;
/** Nesting of unknown groups, as in Go's protowire. */
export const MAX_GROUP_DEPTH = 10_001;
/** Values of a serialized message. */
export const MAX_VALUES = 500_000;
/** Values of a config. */
export const MAX_ELEMENTS = 100_000;
/** Values of a document in JSON. */
export const MAX_JSON_VALUES = 2_000_000;
/** The longest JSON text, in bytes. Indentation makes the text of a small, deeply nested message large. */
export const MAX_TEXT = 400_000_000;

/** For messages that are read and written without recursion. */
export const MESSAGE_LIMITS: Limits = {
  depth: MAX_DEPTH,
  values: MAX_VALUES,
  tooMany: `more than ${MAX_VALUES} values in one message`,
};

/** For objects with objects in them, and the walks of these. Types that contain themselves are read level by level. */
export const TREE_LIMITS: Limits = { ...MESSAGE_LIMITS, depth: MAX_TREE_DEPTH };

/** For configs. 250 organisations have 2,500 elements. */
export const CONFIG_LIMITS: Limits = {
  depth: MAX_TREE_DEPTH,
  values: MAX_ELEMENTS,
  tooMany: `the config has more than ${MAX_ELEMENTS} groups, values, policies, unknown fields and repeated messages`,
};

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
