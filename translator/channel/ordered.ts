// The order of elements: that of the UTF-8 bytes of their names. Fabric writes them in any order.

import { compareUtf8 } from '../../proto/compare-utf8.js';

/** The same elements, ordered by name. */
export function ordered<E>(elements: ReadonlyMap<string, E>): ReadonlyMap<string, E> {
  return isOrdered(elements)
    ? elements
    : new Map([...elements].sort(([left], [right]) => compareUtf8(left, right)));
}

function isOrdered(elements: ReadonlyMap<string, unknown>): boolean {
  let last: string | undefined;
  for (const name of elements.keys()) {
    if (last !== undefined && compareUtf8(last, name) > 0) return false;
    last = name;
  }
  return true;
}
