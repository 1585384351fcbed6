import type { Labels } from './instruments.js';
import { hasNames } from './label-names.js';

/**
 * Creates a function that returns the same key for equal labels, in whatever order, and different keys for different labels. The
 * series of a family have the same label names, so they are sorted once.
 */
export function createSeriesKey(): (labels: Labels) => string {
  let names: readonly string[] = [];
  let sorted: readonly string[] = [];
  return (labels) => {
    if (!hasNames(labels, names)) {
      names = Object.keys(labels);
      sorted = names.toSorted();
    }
    let key = '';
    for (const name of sorted) {
      const value = String(labels[name]);
      // With the length, since a value can contain anything.
      key += `${name}=${value.length}:${value},`;
    }
    return key;
  };
}
