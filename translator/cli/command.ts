// A command as data: its flags and arguments, and the function that runs with their values.

import type { Io } from './io.js';

/** The type of a flag's or an argument's text. */
export interface Kind<Value> {
  /**
   * Checks a text and converts it.
   *
   * @param name the name of the flag or the argument, for errors
   * @throws UsageError
   */
  readonly parse: (text: string, name: string, process: Io) => Value;
  /**
   * Checks the text of a flag further. It can load modules that most commands start without.
   *
   * @throws UsageError
   */
  readonly verify?: (text: string, name: string) => Promise<void>;
  /** Whether help writes a default value in quotes. */
  readonly isQuoted: boolean;
}

/** A flag, written `--name value` or `--name=value`. Its name is the key in the definition of the command. */
export interface Flag<Value = unknown> {
  readonly help: string;
  /** Undefined for a flag without a value. */
  readonly kind: Kind<unknown> | undefined;
  /** One letter: the flag may also be written `-o value`. */
  readonly short?: string;
  /** The default, as a text of the kind. */
  readonly fallback?: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
  /** Makes the final value from the converted texts, in their order. */
  readonly valueOf: (given: readonly unknown[]) => Value;
}

/** Flags that many commands share, as one value. Help shows them on a page of their own. */
export interface FlagGroup<Shared extends Readonly<Record<string, Flag>> = Readonly<Record<string, Flag>>> {
  readonly title: string;
  /** Their purpose, above the flags. */
  readonly help: string;
  readonly flags: Shared;
}

/** A positional argument. Its name is the key in the definition of the command. */
export interface Argument<Value = unknown> {
  readonly help: string;
  readonly kind: Kind<unknown>;
  readonly isRequired: boolean;
  readonly isRepeatable: boolean;
  readonly valueOf: (given: readonly unknown[]) => Value;
}

/** An optional flag. */
export const flag = <Value>(
  kind: Kind<Value>,
  help: string,
  { short }: { readonly short?: string } = {},
): Flag<Value | undefined> => ({
  help,
  kind,
  ...(short === undefined ? {} : { short }),
  valueOf: ([value]) => value as Value | undefined,
});

/** A flag with a default value. */
export const flagOr = <Value>(
  fallback: string,
  kind: Kind<Value>,
  help: string,
  more: { readonly short?: string } = {},
): Flag<Value> => ({ ...(flag(kind, help, more) as Flag<Value>), fallback });

/** A required flag. */
export const requiredFlag = <Value>(
  kind: Kind<Value>,
  help: string,
  more: { readonly short?: string } = {},
): Flag<Value> => ({ ...(flag(kind, help, more) as Flag<Value>), isRequired: true });

/** A flag that may be repeated. */
export const flagList = <Value>(kind: Kind<Value>, help: string): Flag<readonly Value[]> => ({
  help,
  kind,
  isRepeatable: true,
  valueOf: (given) => given as readonly Value[],
});

/** A flag without a value. */
export const switchFlag = (help: string): Flag<boolean> => ({
  help,
  kind: undefined,
  valueOf: (given) => given.length > 0,
});

/** A required argument. */
export const argument = <Value>(kind: Kind<Value>, help: string): Argument<Value> => ({
  help,
  kind,
  isRequired: true,
  isRepeatable: false,
  valueOf: ([value]) => value as Value,
});

/** An optional argument. */
export const optionalArgument = <Value>(kind: Kind<Value>, help: string): Argument<Value | undefined> => ({
  ...argument<Value | undefined>(kind, help),
  isRequired: false,
});

/** One or more arguments; they must be the last arguments of a command. */
export const argumentList = <Value>(kind: Kind<Value>, help: string): Argument<readonly Value[]> => ({
  help,
  kind,
  isRequired: true,
  isRepeatable: true,
  valueOf: (given) => given as readonly Value[],
});

/** Zero or more arguments. */
export const optionalList = <Value>(kind: Kind<Value>, help: string): Argument<readonly Value[]> => ({
  ...argumentList(kind, help),
  isRequired: false,
});

type Flags = Readonly<Record<string, Flag | FlagGroup>>;
type Arguments = Readonly<Record<string, Argument>>;

type ValueOf<Defined> =
  Defined extends FlagGroup<infer Shared>
    ? GroupValues<Shared>
    : Defined extends Flag<infer Value> | Argument<infer Value>
      ? Value
      : never;

/** The values of shared flags, without the flags that the command redefines. */
type GroupValues<Shared extends Readonly<Record<string, Flag>>> = {
  readonly [Name in keyof Shared]?: ValueOf<Shared[Name]> | undefined;
};

/** The values of flags, of a group of flags, or of arguments, by name. */
export type Values<Defined> =
  Defined extends FlagGroup<infer Shared>
    ? GroupValues<Shared>
    : { readonly [Name in keyof Defined]: ValueOf<Defined[Name]> };

/** The exit status of a command that succeeds; undefined means 0. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type Result = number | void;

/** The definition of a command. */
interface CommandDefinition<OwnFlags extends Flags, OwnArguments extends Arguments> {
  /** One word, or two: `org add`. */
  readonly name: string;
  readonly help: string;
  /** A command line without the name of the program, for the help. */
  readonly example: string;
  /** In the order of the help. */
  readonly flags?: OwnFlags;
  /** In their order. */
  readonly arguments?: OwnArguments;
  /**
   * Runs the command. Imports slow modules itself, because the program always loads the module of the command.
   *
   * @param values of the flags and arguments, by name
   * @returns the exit status
   * @throws CommandError, TranslateError: printed on one line
   */
  readonly run: (values: Values<OwnFlags> & Values<OwnArguments>, io: Io) => Result | Promise<Result>;
}

/** A flag of a command. */
export type NamedFlag = Flag & {
  readonly name: string;
  /** The name of the flag's group. */
  readonly group?: string;
};

/** An argument of a command. */
export type NamedArgument = Argument & { readonly name: string };

/** A command of the program, with any flags and arguments. */
export interface Command {
  readonly name: string;
  readonly help: string;
  /** A command line without the name of the program. */
  readonly example: string;
  readonly flags: readonly NamedFlag[];
  readonly arguments: readonly NamedArgument[];
  /** Undefined for `help`, which only reads the table of commands. */
  readonly run?: (values: Readonly<Record<string, unknown>>, io: Io) => Result | Promise<Result>;
}

/** Defines a command. The types of its values come from its flags and arguments. */
export function defineCommand<
  const OwnFlags extends Flags = Readonly<Record<never, Flag>>,
  const OwnArguments extends Arguments = Readonly<Record<never, Argument>>,
>({
  name,
  help,
  example,
  flags,
  arguments: args = {} as OwnArguments,
  run,
}: CommandDefinition<OwnFlags, OwnArguments>): Command & Required<Pick<Command, 'run'>> {
  return {
    name,
    help,
    example,
    // Getters, because the program needs the flags of only one command.
    get flags() {
      return namedFlags(flags ?? {});
    },
    get arguments() {
      return Object.entries(args).map(([each, defined]) => ({ ...defined, name: each }));
    },
    // The parser makes the values from the same definitions.
    run: run as unknown as Required<Command>['run'],
  };
}

/** All flags of a command. A flag of the command replaces the flag of a group with the same name. */
export function namedFlags(flags: Flags): readonly NamedFlag[] {
  const isOwn = (name: string): boolean => Object.hasOwn(flags, name);
  return Object.entries(flags).flatMap(([name, defined]) =>
    'flags' in defined
      ? Object.entries(defined.flags).flatMap(([each, shared]) =>
          isOwn(each) ? [] : [{ ...shared, name: each, group: name }],
        )
      : [{ ...defined, name }],
  );
}
