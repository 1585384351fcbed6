// Reads the entries of the list `silences`: windows of planned work.

import { parseTime, timeText } from '../core/common/text/time.js';
import type { Leaf, RawValue } from './check-values.js';
import { checkOptionalText, checkText, listEntries } from './list-entries.js';
import type { SilenceSettings } from './settings.js';

const TIME_RULE = 'must be a time such as 2026-11-27T06:00:00Z';

function checkTime(value: unknown): void {
  // A date alone does not say when on that day.
  if (typeof value !== 'string' || !/T/i.test(value) || parseTime(value) === undefined)
    throw new Error(TIME_RULE);
}

/** The keys of an entry. */
const ENTRY: ReadonlyMap<string, Leaf> = new Map<string, Leaf>([
  ['node', { doc: 'the name of a node', default: null, format: checkOptionalText }],
  ['channel', { doc: 'the name of a channel', default: null, format: checkOptionalText }],
  ['until', { doc: 'the end of the silence, a time such as 2026-11-27T06:00:00Z', format: checkTime }],
  ['why', { doc: 'the reason for the silence', format: checkText }],
]);

/** The silences in the list `silences`, the problems of invalid entries, and warnings about entries whose time is over. */
export function listedSilences(
  list: RawValue | undefined,
  now: number,
): {
  readonly silences: readonly SilenceSettings[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
} {
  const example = "{node: peer0, until: '2026-11-27T06:00:00Z', why: upgrade}";
  const { entries, problems } = listEntries(list, { name: 'silences', keys: ENTRY, example });
  const silences = entries.map(({ values, origin }): SilenceSettings => ({
    node: (values.get('node') as string | null) ?? undefined,
    channel: (values.get('channel') as string | null) ?? undefined,
    until: Date.parse(values.get('until') as string),
    why: values.get('why') as string,
    origin,
  }));
  const warnings = silences
    .filter(({ until }) => until <= now)
    .map(({ origin, until }) => `${origin}: has ended at ${timeText(until) ?? ''}; remove it`);
  return { silences: silences.filter(({ until }) => until > now), problems, warnings };
}
