// Lists of mappings in the file of a peer, which a variable has as YAML: external builders and address overrides.

import { parseFirstYamlValue } from '../config-file.js';

/** Wraps a mapping or a single value in a list (mapstructure, `WeaklyTypedInput`). */
export function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (value instanceof Map) return value.size === 0 ? [] : [value];
  return Array.isArray(value) ? value : [value];
}

/**
 * Parses a text as YAML (Fabric: common/viperutil/config_util.go, `YamlStringToStructHook`).
 *
 * @param hasNewLists whether a list in a text must have a value, and `null` is an empty list: from 3.1 on
 */
export function listInText(
  key: string,
  text: string,
  hasNewLists: boolean,
): readonly unknown[] | { readonly problem: string } {
  if (text === '') return [];
  if (text.trim() === '') return hasNewLists ? { problem: 'EOF' } : [];
  try {
    const value = parseFirstYamlValue(key, text);
    return value === null && !hasNewLists ? [null] : asList(value);
  } catch {
    return { problem: 'yaml: ' };
  }
}

/** A list as a mapping, a list or a text; empty if a peer does not start with it. */
export function listOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return asList(value);
  const found = listInText('list', value, true);
  return 'problem' in found ? [] : found;
}
