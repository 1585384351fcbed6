// The values of a command's flags, and what stands beside them.

import type { Flag } from './table.js';

/** What a command was called with; values were checked against the kinds of their flags. */
export class Values {
  /** What stands beside the flags. */
  readonly rest: readonly string[];
  readonly #given = new Map<string, string[]>();

  constructor(given: readonly (readonly [Flag, string])[], rest: readonly string[], flags: readonly Flag[]) {
    this.rest = rest;
    for (const { name, fallback } of flags) this.#given.set(name, fallback === undefined ? [] : [fallback]);
    for (const { name } of given.map(([flag]) => flag)) this.#given.set(name, []);
    for (const [{ name }, value] of given) this.#given.get(name)?.push(value);
  }

  /** All values of a flag. */
  all(name: string): readonly string[] {
    return this.#given.get(name) ?? [];
  }

  /** The value of a flag; undefined where it has none. */
  optional(name: string): string | undefined {
    return this.all(name)[0];
  }

  /** The value of a flag that is required or has a fallback. */
  one(name: string): string {
    return this.optional(name) ?? '';
  }
}
