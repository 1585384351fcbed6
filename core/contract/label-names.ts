import type { Labels } from './instruments.js';

/** Whether labels have these names in this order. Unlike `Object.keys` it creates no array: it is called for every series. */
export function hasNames(labels: Labels, names: readonly string[]): boolean {
  let index = 0;
  for (const name in labels) {
    if (name !== names[index]) return false;
    index += 1;
  }
  return index === names.length;
}
