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

/** One positional argument. */
export const argument = (name: string, help: string): Argument => ({ name, help, isRepeatable: false });

/** Several positional arguments. */
export const list = (name: string, help: string): Argument => ({ name, help, isRepeatable: true });

/** The exit status of a command that succeeds; undefined: 0. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type Result = number | void;

/** The positional arguments of a command in their order. */
export const argumentsOf = (command: Command): readonly Argument[] =>
  command.argument === undefined ? [] : [command.argument, ...(command.moreArguments ?? [])];

/** A command of the program. */
export interface Command {
  /** One word, or two: `org add`. */
  readonly name: string;
  readonly help: string;
  readonly flags: readonly Flag[];
  readonly argument?: Argument;
  /** Positional arguments after `argument`; all of them are required, only the last one may be repeatable. */
  readonly moreArguments?: readonly Argument[];
  /** Imports the implementation; absent for `help`, which only reads the table of commands. */
  readonly load?: () => Promise<{ run: (values: Values, context: Context) => Result | Promise<Result> }>;
}
