import type { FormatName } from './formats.js';

/** One value of a schema, with convict's attributes. */
export interface Leaf {
  readonly doc: string;
  /** A named format, the strings allowed, or a function that throws an Error saying what is allowed. */
  readonly format: FormatName | readonly string[] | ((value: unknown) => void);
  /** As it would be written in a file. Undefined: a value is required. */
  readonly default?: unknown;
  /** Whether the empty string is allowed in addition to the format, which is not a function. It becomes null. */
  readonly nullable?: boolean;
  readonly sensitive?: boolean;
}
