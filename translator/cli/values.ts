// The values of a command's flags and its positional arguments.

import { UsageError } from './errors.js';
import type { Flag } from './flag.js';

/** The arguments of a command, already checked against the kinds of its flags. */
export class Values {
  /** The positional arguments. */
  readonly rest: readonly string[];
  readonly #flags: readonly Flag[];
  readonly #values = new Map<string, string[]>();
  readonly #booleans: ReadonlySet<string>;

  /** @param booleans the names of the boolean flags that are given */
  constructor(
    given: readonly (readonly [Flag, string])[],
    rest: readonly string[],
    flags: readonly Flag[],
    booleans: ReadonlySet<string>,
  ) {
    this.rest = rest;
    this.#flags = flags;
    this.#booleans = booleans;
    for (const { name, fallback } of flags) this.#values.set(name, fallback === undefined ? [] : [fallback]);
    for (const { name } of given.map(([flag]) => flag)) this.#values.set(name, []);
    for (const [{ name }, value] of given) this.#values.get(name)?.push(value);
  }

  /** Whether a boolean flag is given. */
  isSet(name: string): boolean {
    return this.#booleans.has(name);
  }

  /** All values of a flag. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The value of a flag; undefined if it was not given and has no default. */
  optional(name: string): string | undefined {
    return this.all(name)[0];
  }

  /** The value of a flag that several commands share; undefined if the command has another flag of this name. */
  ofShared(flag: Flag): string | undefined {
    return this.#flags.includes(flag) ? this.optional(flag.name) : undefined;
  }

  /** The value of a flag that is required or has a default. */
  one(name: string): string {
    return this.optional(name) ?? '';
  }
}

/** A positional argument. @throws UsageError if it was not given */
export function requiredArgument(values: Values, index: number, name: string): string {
  const value = values.rest[index];
  if (value === undefined) throw new UsageError(`required argument '${name}' not provided`);
  return value;
}

/** The last positional arguments, at least one. @throws UsageError */
export function requiredList(values: Values, from: number, name: string): readonly string[] {
  requiredArgument(values, from, name);
  return values.rest.slice(from);
}
