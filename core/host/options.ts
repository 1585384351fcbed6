// Checks the options of a plugin against its schema.

import { checkValues, type Leaf, type PluginDeclaration, type RawValue } from '../../config/index.js';
import { reasonOf, type OptionSpec, type PluginDefinition } from '../contract/index.js';
import { suggestion } from '../common/text/nearest.js';
import { showValue } from '../common/text/value.js';

/** Checked options, or one line for each problem: declaration, option, what is allowed, value. */
export interface CheckedOptions {
  readonly options: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
  /** One line for each valid value that is probably a mistake. */
  readonly warnings: readonly string[];
}

/** Checks the options of a declaration. Names ignore case. */
export function checkOptions(
  { options: schema, name: plugin }: PluginDefinition,
  declaration: PluginDeclaration,
): CheckedOptions {
  const problemOf = (origin: string, option: string, text: string): string =>
    `${origin}: plugin ${declaration.name ?? plugin}: options.${option}: ${text}`;
  const knownNames = new Map(Object.keys(schema).map((name) => [name.toLowerCase(), name]));
  const raw = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(declaration.options)) {
    const known = knownNames.get(name.toLowerCase());
    if (known === undefined) {
      const text = `unknown option; ${suggestion(name, [...knownNames.values()])}`;
      problems.push(problemOf(declaration.origin, name, text));
    } else if (value !== null && value !== undefined) {
      const origin = declaration.optionOrigins?.[known] ?? declaration.origin;
      raw.set(known, { value, origin, directory: declaration.directory });
    }
  }
  const leaves = new Map(Object.entries(schema).map(([name, spec]) => [name, leafOf(spec)]));
  const { values, invalid } = checkValues(leaves, raw);
  for (const { key, origin = declaration.origin, reason } of invalid)
    problems.push(problemOf(origin, key, reason));
  const warnings = Object.entries(schema).flatMap(([name, spec]) => {
    const warning = values.has(name) ? warningOf(spec, values.get(name)) : undefined;
    return warning === undefined
      ? []
      : [problemOf(raw.get(name)?.origin ?? declaration.origin, name, warning)];
  });
  return { options: Object.freeze(Object.fromEntries(values)), problems, warnings };
}

function warningOf({ warn, sensitive = false }: OptionSpec, value: unknown): string | undefined {
  try {
    const warning = warn?.(value);
    return warning === undefined || sensitive ? warning : `${warning}: value was ${showValue(value)}`;
  } catch (error) {
    return `its warn function failed: ${reasonOf(error)}`;
  }
}

function leafOf({ doc, format, default: fallback, sensitive = false }: OptionSpec): Leaf {
  return { doc, format: formatOf(format), default: fallback, sensitive: sensitive !== false };
}

function formatOf(format: OptionSpec['format']): Leaf['format'] {
  if (format === String) return 'string';
  if (format === Number) return 'number';
  if (format === Boolean) return 'boolean';
  return format as Leaf['format'];
}
