// The options of a plugin, checked against its own schema.

import { checkValues, type Leaf, type PluginDeclaration, type RawValue } from '../../config/index.js';
import type { OptionSpec, PluginDefinition } from '../contract/index.js';
import { suggestion } from '../text/nearest.js';

/** Checked options, or what is wrong with them: one line each, naming the declaration, the option, its value and what is allowed. */
export interface CheckedOptions {
  readonly options: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

/** Checks the options that a declaration gives. Names are matched without regard to case. */
export function checkOptions(
  { options: schema, name: plugin }: PluginDefinition,
  declaration: PluginDeclaration,
): CheckedOptions {
  const labelOf = (origin: string): string => `${origin}: plugin ${declaration.name ?? plugin}`;
  const label = labelOf(declaration.origin);
  const spellings = new Map(Object.keys(schema).map((name) => [name.toLowerCase(), name]));
  const raw = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(declaration.options)) {
    const known = spellings.get(name.toLowerCase());
    if (known === undefined)
      problems.push(`${label}: options.${name}: is not known; ${suggestion(name, [...spellings.values()])}`);
    else if (value !== null && value !== undefined) {
      const origin = labelOf(declaration.optionOrigins?.[known] ?? declaration.origin);
      raw.set(`options.${known}`, { value, origin, directory: declaration.directory });
    }
  }
  const leaves = new Map(Object.entries(schema).map(([name, spec]) => [`options.${name}`, leafOf(spec)]));
  const checked = checkValues(leaves, raw, label);
  const options = [...checked.values].map(([key, value]) => [key.slice('options.'.length), value] as const);
  return {
    options: Object.freeze(Object.fromEntries(options)),
    problems: [...problems, ...checked.problems],
  };
}

function leafOf({ doc, format, default: fallback, sensitive = false }: OptionSpec): Leaf {
  return { doc, sensitive, ...(fallback !== undefined && { default: fallback }), format: formatOf(format) };
}

function formatOf(format: OptionSpec['format']): Leaf['format'] {
  if (format === String) return 'text';
  if (format === Number) return 'decimal';
  if (format === Boolean) return 'switch';
  return format as Leaf['format'];
}
