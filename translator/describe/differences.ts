// What changed of a list and of some fields, in words.

import { onOneLine } from '../../core/common/text/one-line.js';

/** What {@link listChanges} says if only the order changed. */
export const REORDERED = 'reordered';

/** What a list lost and got: `a removed`, `b added`. An entry that occurs twice counts twice. */
export function listChanges(before: readonly string[], after: readonly string[]): string[] {
  const words = [
    ...without(before, after).map((each) => `${each} removed`),
    ...without(after, before).map((each) => `${each} added`),
  ];
  if (words.length > 0) return words.map(onOneLine);
  return before.every((each, index) => each === after[index]) ? [] : [REORDERED];
}

/** What remains of a list when each entry of another one is taken from it once. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of other) counts.set(each, (counts.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const count = counts.get(each) ?? 0;
    counts.set(each, count - 1);
    return count <= 0;
  });
}

/** Fields by name. */
export type Fields = Readonly<Record<string, string | number | bigint | boolean>>;

/** What changed of some fields: `maxMessageCount 10 → 20`. */
export function fieldChanges(before: Fields | undefined, after: Fields | undefined): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name) => {
    const [old, now] = [before?.[name], after?.[name]].map((value) =>
      value === undefined ? 'none' : onOneLine(String(value)),
    );
    return old === now ? [] : [`${name} ${old} → ${now}`];
  });
}
