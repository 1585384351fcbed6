// Reads a list of mappings, such as `silences` or `agents`.

import { suggestion } from '../core/common/text/nearest.js';
import { showValue } from '../core/common/text/value.js';
import { checkValues, type Leaf, type RawValue } from './check-values.js';
import { isMapping } from './formats.js';

/** The rule of a string that is not empty. */
const TEXT_RULE = 'must be a string that is not empty';

/** The format of a string that is not empty. @throws Error with the rule */
export function checkText(value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '') throw new Error(TEXT_RULE);
}

/** As {@link checkText}, or null for a missing value. */
export function checkOptionalText(value: unknown): void {
  if (value !== null && (typeof value !== 'string' || value === '')) throw new Error(TEXT_RULE);
}

/** A valid entry. */
interface ListEntry {
  /** The values of all keys. */
  readonly values: ReadonlyMap<string, unknown>;
  /** For messages. */
  readonly origin: string;
}

/** How a list is read. */
interface ListForm {
  /** The key of the list. */
  readonly name: string;
  /** The keys of an entry. */
  readonly keys: ReadonlyMap<string, Leaf>;
  /** An entry, for messages. */
  readonly example: string;
}

/** The valid entries of a list, and the problems of the others. */
export function listEntries(
  list: RawValue | undefined,
  { name, keys, example }: ListForm,
): { readonly entries: readonly ListEntry[]; readonly problems: readonly string[] } {
  // A value that is not a list is reported with the other settings.
  const given: readonly unknown[] = Array.isArray(list?.value) ? list.value : [];
  const problems: string[] = [];
  const entries = given.flatMap((entry, index): ListEntry[] => {
    const origin = `${list?.entryOrigins?.[index] ?? list?.origin ?? ''}: ${name}[${index}]`;
    if (!isMapping(entry)) {
      problems.push(`${origin}: must be a mapping such as ${example}: value was ${showValue(entry)}`);
      return [];
    }
    const unknownKeys = Object.keys(entry).filter((key) => !keys.has(key));
    const set = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
    const raw = new Map(
      set.map(([key, value]) => [key, { value, origin, directory: list?.directory ?? '' }]),
    );
    const { values, invalid } = checkValues(keys, raw);
    const found = [
      ...unknownKeys.map((key) => `${origin}: ${key}: unknown key; ${suggestion(key, [...keys.keys()])}`),
      ...invalid.map(({ key, reason }) => `${origin}: ${key}: ${reason}`),
    ];
    problems.push(...found);
    return found.length > 0 ? [] : [{ values, origin }];
  });
  return { entries, problems };
}
