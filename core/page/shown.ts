// Texts of nodes and of other services, as the page shows them.

import { onOneLine } from '../common/text/one-line.js';

/** Longest text, in UTF-16 units. The reasons that the agent itself writes are shorter. */
const MAX_SHOWN = 2500;

/** A text without hidden characters, truncated if it is long. */
export const shown = (text: string): string =>
  onOneLine(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text);
