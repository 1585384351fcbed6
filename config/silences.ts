// Reads the entries of the list `silences`: windows of planned work.

import { suggestion } from '../core/common/text/nearest.js';
import { timeText } from '../core/common/text/time.js';
import { showValue } from '../core/common/text/value.js';
import { checkValues, type Leaf, type RawValue } from './check-values.js';
import { isMapping } from './formats.js';
import type { SilenceSettings } from './settings.js';

/** RFC 3339 with a zone. */
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const TIME_RULE = 'must be a time such as 2026-11-27T06:00:00Z';

function checkName(value: unknown): void {
  if (value !== null && (typeof value !== 'string' || value === ''))
    throw new Error('must be a string that is not empty');
}

function checkText(value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '') throw new Error('must be a string that is not empty');
}

function checkTime(value: unknown): void {
  if (typeof value !== 'string' || !TIME.test(value) || Number.isNaN(Date.parse(value)))
    throw new Error(TIME_RULE);
}

/** The keys of an entry. */
const ENTRY: ReadonlyMap<string, Leaf> = new Map<string, Leaf>([
  ['node', { doc: 'the name of a node', default: null, format: checkName }],
  ['channel', { doc: 'the name of a channel', default: null, format: checkName }],
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
  // A value that is not a list is reported with the other settings.
  const entries: readonly unknown[] = Array.isArray(list?.value) ? list.value : [];
  const silences: SilenceSettings[] = [];
  const problems: string[] = [];
  entries.forEach((entry, index) => {
    const origin = `${list?.entryOrigins?.[index] ?? list?.origin ?? ''}: silences[${index}]`;
    const read = readEntry(entry, origin);
    if (Array.isArray(read)) problems.push(...read);
    else silences.push(read);
  });
  const warnings = silences
    .filter(({ until }) => until <= now)
    .map(({ origin, until }) => `${origin}: has ended at ${timeText(until) ?? ''}; remove it`);
  return { silences: silences.filter(({ until }) => until > now), problems, warnings };
}

/** Reads an entry of the list, or returns its problems. */
function readEntry(entry: unknown, origin: string): SilenceSettings | string[] {
  if (!isMapping(entry))
    return [
      `${origin}: must be a mapping such as {node: peer0, until: '2026-11-27T06:00:00Z', why: upgrade}: value was ${showValue(entry)}`,
    ];
  const unknownKeys = Object.keys(entry).filter((key) => !ENTRY.has(key));
  const given = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
  const raw = new Map(given.map(([key, value]) => [key, { value, origin, directory: '' }]));
  const { values, invalid } = checkValues(ENTRY, raw);
  if (unknownKeys.length + invalid.length > 0)
    return [
      ...unknownKeys.map((key) => `${origin}: ${key}: unknown key; ${suggestion(key, [...ENTRY.keys()])}`),
      ...invalid.map(({ key, reason }) => `${origin}: ${key}: ${reason}`),
    ];
  return {
    node: (values.get('node') as string | null) ?? undefined,
    channel: (values.get('channel') as string | null) ?? undefined,
    until: Date.parse(values.get('until') as string),
    why: values.get('why') as string,
    origin,
  };
}
