import type { Labels } from './instruments.js';

/**
 * Creates a function that returns the same key for equal labels, in whatever order, and different keys for different labels. The
 * series of a family have the same label names, so they are sorted once.
 */
export function createSeriesKey(): (labels: Labels) => string {
  let names: readonly string[] = [];
  let sorted: readonly string[] = [];
  return (labels) => {
    const current = Object.keys(labels);
    if (current.length !== names.length || !current.every((name, index) => name === names[index])) {
      names = current;
      sorted = current.toSorted();
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
