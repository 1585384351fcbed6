// Checks that the options of a fixture are options that an agent could pass.

import { showValue } from '../common/text/value.js';
import { reasonOf } from '../contract/errors.js';
import type { OptionFormat, OptionSchema } from '../contract/plugin.js';

const isText = (value: unknown): boolean => typeof value === 'string';

/** The expected type for a value that does not have the format; undefined if it has. @throws the error of a format function */
function expected(format: Exclude<OptionFormat, readonly string[]>, value: unknown): string | undefined {
  switch (format) {
    case String:
    case 'path':
      return isText(value) ? undefined : 'a string';
    case Number:
      return typeof value === 'number' ? undefined : 'a number';
    case Boolean:
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'duration':
      return typeof value === 'number' && value >= 0 ? undefined : 'a number of milliseconds';
    case 'path-list':
      return Array.isArray(value) && value.every(isText) ? undefined : 'a list of strings';
    case 'host-port': {
      const { host, port } = (value ?? {}) as { readonly host?: unknown; readonly port?: unknown };
      return isText(host) && Number.isInteger(port) ? undefined : 'an object { host, port }';
    }
    default:
      (format as (value: unknown) => void)(value);
      return undefined;
  }
}

function valueProblem(format: OptionFormat, value: unknown): string | undefined {
  if (Array.isArray(format))
    return format.includes(value) ? undefined : `must be one of ${format.join(', ')}`;
  try {
    const wanted = expected(format as Exclude<OptionFormat, readonly string[]>, value);
    return wanted === undefined ? undefined : `must be ${wanted}`;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Checks that options have the form that the agent passes: every option of the schema, converted, and no others.
 *
 * @returns the first problem, or undefined if there is none
 */
export function fixtureProblem(
  schema: OptionSchema,
  options: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(schema, name)) return `options.${name} of the fixture: the plugin has no such option`;
  for (const [name, { format }] of Object.entries(schema)) {
    if (!Object.hasOwn(options, name)) return `options.${name} of the fixture: is missing`;
    const problem = valueProblem(format, options[name]);
    if (problem !== undefined)
      return `options.${name} of the fixture: ${problem}: value was ${showValue(options[name])}`;
  }
  return undefined;
}
