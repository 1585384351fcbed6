// Reads the entries of the list `plugins`.

import { showValue } from '../core/common/text/value.js';
import { checkValues, type Leaf, type RawValue } from './check-values.js';
import { isMapping } from './formats.js';

import { suggestion } from '../core/common/text/nearest.js';
import type { PluginDeclaration } from './settings.js';

/** The declarations in the list `plugins`, and the problems of invalid entries. */
export function listedPlugins(list: RawValue | undefined): {
  plugins: readonly PluginDeclaration[];
  problems: readonly string[];
} {
  // A value that is not a list is reported with the other settings.
  const entries: readonly unknown[] = Array.isArray(list?.value) ? list.value : [];
  const plugins: PluginDeclaration[] = [];
  const problems: string[] = [];
  entries.forEach((entry, index) => {
    const origin = `${list?.entryOrigins?.[index] ?? list?.origin ?? ''}: plugins[${index}]`;
    const read = readEntry(entry, origin, list?.directory ?? '');
    if (Array.isArray(read)) problems.push(...read);
    else plugins.push(read);
  });
  return { plugins, problems };
}

const isNonEmptyString = (value: unknown): boolean => typeof value === 'string' && value !== '';

function mustBe(what: string, isAllowed: (value: unknown) => boolean): (value: unknown) => void {
  return (value) => {
    if (!isAllowed(value)) throw new Error(`must be ${what}`);
  };
}

const MODULE = 'a built-in name, an npm package or a path beginning with ./';
const NAME = 'a string that is not empty';

/** The keys of an entry. */
const ENTRY: ReadonlyMap<string, Leaf> = new Map<string, Leaf>([
  ['plugin', { doc: MODULE, format: mustBe(MODULE, isNonEmptyString) }],
  [
    'name',
    { doc: NAME, default: null, format: mustBe(NAME, (value) => value === null || isNonEmptyString(value)) },
  ],
  ['onStartError', { doc: 'the start policy', default: 'fail', format: ['fail', 'retry', 'ignore'] }],
  ['options', { doc: 'the options of the plugin', default: {}, format: mustBe('a mapping', isMapping) }],
]);

/** Reads an entry of the list, or returns its problems. */
function readEntry(entry: unknown, origin: string, directory: string): PluginDeclaration | string[] {
  if (!isMapping(entry))
    return [`${origin}: must be a mapping such as {plugin: docker}: value was ${showValue(entry)}`];
  const unknownKeys = Object.keys(entry).filter((key) => !ENTRY.has(key));
  const given = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
  const raw = new Map(given.map(([key, value]) => [key, { value, origin, directory }]));
  const { values, invalid } = checkValues(ENTRY, raw);
  if (unknownKeys.length + invalid.length > 0) {
    return [
      ...unknownKeys.map((key) => `${origin}: ${key}: unknown key; ${suggestion(key, [...ENTRY.keys()])}`),
      ...invalid.map(({ key, reason }) => `${origin}: ${key}: ${reason}`),
    ];
  }
  return {
    plugin: values.get('plugin') as string,
    name: (values.get('name') as string | null) ?? undefined,
    onStartError: values.get('onStartError') as PluginDeclaration['onStartError'],
    options: values.get('options') as Record<string, unknown>,
    origin,
    directory,
    fallback: false,
  };
}
