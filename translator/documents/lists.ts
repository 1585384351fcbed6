// Lists on one line.

import { onOneLine } from '../../core/common/text/one-line.js';

/** The number of items of a list that are shown. */
const SHOWN = 12;

/** The first items of a list, and how many more there are. A single further item is shown instead of its count. */
export function shortList(items: readonly string[], separator = ', ', shown = SHOWN): string {
  const rest = items.length - shown;
  return rest <= 1 ? items.join(separator) : `${items.slice(0, shown).join(separator)} and ${rest} more`;
}

/** As {@link shortList}, on one line. */
export const listText = (items: readonly string[], none = 'none'): string =>
  items.length === 0 ? none : onOneLine(shortList(items));

/** The first items of a list, and how many more there are. */
export function firstOf(items: readonly string[], shown: number): string {
  const rest = items.length - shown;
  return rest <= 0 ? items.join(', ') : `${items.slice(0, shown).join(', ')} and ${rest} more`;
}
