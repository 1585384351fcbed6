import type { HostPort } from '../common/text/host-port.js';

/**
 * The format of an option:
 *
 * - `String`: a string
 * - `Number`: a number, also as a string
 * - `Boolean`: true or false, also as a string such as `yes` or `off`
 * - a list of strings: one of them
 * - `'duration'`: a string such as `10s`, `1m30s` or `500ms`; becomes milliseconds
 * - `'host-port'`: a string `host:port`, where the host may be empty or an IPv6 address in brackets; becomes a {@link HostPort}
 * - `'path'`: a path, resolved against the directory of the file; the empty string means none
 * - `'path-list'`: a list of such paths
 * - a function: throws an `Error` that says what is allowed if the value is not valid
 */
export type OptionFormat =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | readonly string[]
  | 'duration'
  | 'host-port'
  | 'path'
  | 'path-list'
  | ((value: unknown) => void);

/** One option of a plugin. */
export interface OptionSpec {
  readonly format: OptionFormat;
  /** As written in a file (`10s` for a duration). Undefined: the option is required. */
  readonly default?: unknown;
  /** The meaning in one line, with the unit. */
  readonly doc: string;
  /** Whether the value is masked in output and messages. `path`: a URL, of which the output shows the host. */
  readonly sensitive?: boolean | 'path';
  /**
   * Why a valid value is probably a mistake; undefined: it is not. `config check` prints it as a warning, and a start logs it.
   *
   * @param value in the form that the plugin gets
   */
  readonly warn?: (value: unknown) => string | undefined;
}

/** The options of a plugin by name. */
export type OptionSchema = Readonly<Record<string, OptionSpec>>;

type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;

type ValueOf<Spec extends OptionSpec> = Spec['format'] extends StringConstructor | 'path'
  ? string
  : Spec['format'] extends 'host-port'
    ? HostPort
    : Spec['format'] extends NumberConstructor | 'duration'
      ? number
      : Spec['format'] extends BooleanConstructor
        ? boolean
        : Spec['format'] extends 'path-list'
          ? readonly string[]
          : Spec['format'] extends readonly (infer Choice)[]
            ? Choice
            : Spec extends { readonly default: infer Default }
              ? Widened<Default>
              : unknown;

/** The values that a plugin gets for its option schema: complete, checked and converted. */
export type OptionValues<Schema extends OptionSchema> = {
  readonly [Name in keyof Schema]: ValueOf<Schema[Name]>;
};
