/**
 * How the host reads an option:
 *
 * - `String`: text
 * - `Number`: a number, or text that is one
 * - `Boolean`: true or false, or a word that means it, such as `yes` or `off`
 * - a list of strings: one of them
 * - `'duration'`: text such as `10s`, `1m30s` or `500ms`; the plugin gets milliseconds
 * - `'host-port'`: a string `host:port`, where the host may be empty or an IPv6 address in brackets; becomes a {@link HostPort}
 * - `'path'`: a path, resolved against the file that names it; the empty text means none
 * - `'path-list'`: a list of such paths
 * - a function: throws an `Error` saying what is allowed when the value is not
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

/** The value of a `'host-port'` option. */
export interface HostPort {
  /** A name or an address without brackets; may be empty. */
  readonly host: string;
  /** 0 to 65535. */
  readonly port: number;
}

/** One option of a plugin. */
export interface OptionSpec {
  readonly format: OptionFormat;
  /** The value when none is given, in the form a file has (`10s` for a duration). Left out: the option is required. */
  readonly default?: unknown;
  /** One line for the operator: what it is, in which unit. */
  readonly doc: string;
  /** Whether the value is masked wherever settings are shown. */
  readonly sensitive?: boolean;
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

/** The values a plugin gets for its option schema: every option is there, checked and converted. */
export type OptionValues<Schema extends OptionSchema> = {
  readonly [Name in keyof Schema]: ValueOf<Schema[Name]>;
};
