// Lists in words.

import { onOneLine } from '../../core/common/text/one-line.js';

/** How many items of a list are shown. */
const SHOWN = 12;

/** The first items of a list, and how many more there are. */
export function listText(items: readonly string[], none = 'none'): string {
  if (items.length === 0) return none;
  const rest = items.length - SHOWN;
  const shown = (rest <= 1 ? items : items.slice(0, SHOWN)).join(', ');
  return onOneLine(rest <= 1 ? shown : `${shown} and ${rest} more`);
}
