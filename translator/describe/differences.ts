// What changed of a list and of some fields, in words.

import { onOneLine } from '../../core/common/text/one-line.js';

/** What {@link listChanges} says if only the order changed. */
export const REORDERED = 'reordered';

/** What a list lost and got: `a removed`, `b added`. */
export function listChanges(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  const words = [
    ...before.filter((each) => !now.has(each)).map((each) => `${each} removed`),
    ...after.filter((each) => !old.has(each)).map((each) => `${each} added`),
  ];
  if (words.length > 0 || before.length === 0) return words.map(onOneLine);
  return before.every((each, index) => each === after[index]) && before.length === after.length
    ? []
    : [REORDERED];
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
