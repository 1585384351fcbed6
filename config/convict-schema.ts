// The convict schema: registers the formats, and turns settings and plugin options into the nodes that convict reads.

import convict from '#convict';
import { FORMATS, type Format, type FormatName } from './formats.js';
import type { Leaf } from './leaf.js';

/** A setting in convict's schema, with attributes for the formats registered below. */
interface Node extends convict.SchemaObj<unknown> {
  readonly isRequired: boolean;
  /** Throws an Error when a value of the format `custom` is not allowed. */
  readonly check?: (value: unknown) => void;
  /** Called with the error of each invalid value. */
  readonly onInvalid: (error: unknown) => void;
}

// Formats are global to convict, which a plugin may use too: the prefix prevents clashes.
const registeredName = (name: FormatName | 'custom'): string => `fabric-ops-agent/${name}`;

function registerFormat(name: FormatName | 'custom', { coerce, validate }: Format<Node>): void {
  convict.addFormat({
    name: registeredName(name),
    ...(coerce !== undefined && { coerce }),
    validate(value: unknown, schema) {
      const node = schema as Node;
      try {
        if (value === null && node.isRequired) throw new Error(`is required: ${node.doc ?? ''}`);
        validate(value, node);
      } catch (error) {
        node.onInvalid(error);
        // convict sets properties on the error, and a plugin may throw anything.
        throw new Error('invalid', { cause: error });
      }
    },
  });
}

for (const [name, format] of Object.entries(FORMATS)) registerFormat(name as FormatName, format);
registerFormat('custom', { validate: (value, { check }) => check?.(value) });

/**
 * The nested schema that convict gets.
 *
 * @param leaves by dotted key
 * @param onInvalid called during validation with the error of each invalid value
 */
export function convictSchema(
  leaves: ReadonlyMap<string, Leaf>,
  onInvalid: (key: string, leaf: Leaf, error: unknown) => void,
): convict.Schema<Record<string, unknown>> {
  const schema: Record<string, unknown> = {};
  for (const [key, leaf] of leaves) {
    const path = key.split('.');
    const name = path.pop() ?? '';
    let section = schema;
    for (const part of path) section = (section[part] ??= {}) as Record<string, unknown>;
    section[name] = nodeOf(leaf, (error) => onInvalid(key, leaf, error));
  }
  return schema as convict.Schema<Record<string, unknown>>;
}

function nodeOf(leaf: Leaf, onInvalid: Node['onInvalid']): Node {
  const { doc, format, nullable = false, sensitive = false } = leaf;
  const isRequired = leaf.default === undefined;
  const attributes = { doc, nullable, sensitive, isRequired, onInvalid };
  // A default of null makes convict validate a value that was not given.
  const fallback = isRequired ? null : convictValue(leaf, leaf.default);
  if (typeof format === 'function') {
    const check = (value: unknown): void => format((value as Box)[0]);
    return { ...attributes, default: fallback, format: registeredName('custom'), check };
  }
  if (typeof format !== 'string') {
    const check = (value: unknown): void => {
      if (!format.includes(value as string)) throw new Error(`must be one of ${format.join(', ')}`);
    };
    return { ...attributes, default: fallback, format: registeredName('custom'), check };
  }
  const { coerce }: Format = FORMATS[format];
  // Converted here because convict accepts an object as a value only when the default is an object, too.
  const converted = typeof fallback === 'string' ? (coerce?.(fallback) ?? fallback) : fallback;
  return { ...attributes, default: converted, format: registeredName(format) };
}

/** The value of a function format, in a list: convict takes a mapping for a section of the schema. */
type Box = readonly [unknown];

/** Prepares a value for convict. */
export function convictValue({ format, nullable }: Leaf, value: unknown): unknown {
  if (typeof format === 'function') return [value] satisfies Box;
  if (nullable === true && value === '') return null;
  // convict converts only strings, and a number without a unit must not pass as milliseconds.
  const isDuration = format === 'duration' || format === 'positive-duration';
  return isDuration && typeof value === 'number' ? String(value) : value;
}

/** Reverses the boxing of {@link convictValue} in a value returned by convict. */
export function plainValue({ format }: Leaf, value: unknown): unknown {
  return typeof format === 'function' ? (value as Box)[0] : value;
}
