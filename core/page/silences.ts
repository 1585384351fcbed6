// The silences, during which notifiers send nothing about some nodes and channels. Works without a browser.

import type { SilenceStatus } from '../status/document.js';
import { scopeText } from '../status/silence-scope.js';
import { clockText, countText } from '../status/answer/index.js';

/** The silences in one line; empty if there are none: `orderer1 silenced until 15:30`, `2 silences until 15:30`. */
export function silencesText(silences: readonly SilenceStatus[], zone?: string): string {
  const [first, ...others] = silences;
  if (first === undefined) return '';
  const until = clockText(Math.max(...silences.map((each) => Date.parse(each.until))), zone);
  return others.length === 0
    ? `${scopeText(first)} silenced until ${until}`
    : `${countText(silences.length, 'silence')} until ${until}`;
}
