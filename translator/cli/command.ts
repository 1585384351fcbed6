// A command, as data.

import type { Context } from './context.js';
import type { Flag } from './flag.js';
import type { Values } from './values.js';

/** A positional argument. */
export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly isRepeatable: boolean;
}

/** The exit status of a command that succeeds; undefined: 0. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type Result = number | void;

/** A command of the program. */
export interface Command {
  readonly name: string;
  readonly help: string;
  readonly flags: readonly Flag[];
  readonly argument?: Argument;
  /** Imports the implementation; absent for `help`, which only reads the table of commands. */
  readonly load?: () => Promise<{ run: (values: Values, context: Context) => Result | Promise<Result> }>;
}
