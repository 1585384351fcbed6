// Environment variables, as the nodes read them: CORE_ or ORDERER_ followed by the key in the node's file, in capitals and with
// `_` instead of dots.

import type { RawValue } from './check-values.js';
import { isTextList } from './formats.js';
import { keyIn, type Dialect } from './node-files.js';
import { SETTINGS, type Setting } from './schema.js';

/** The variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIXES = { peer: 'CORE', orderer: 'ORDERER' } as const;

/** A kind of node whose variables are read. */
export type NodeDialect = keyof typeof PREFIXES;

/** The variable that overrides a setting, or undefined when the node has none for it. */
export function variableOf(node: NodeDialect, key: string): string | undefined {
  const nodeKey = keyIn(node, key);
  return nodeKey === undefined || SETTINGS.get(key)?.format === 'list'
    ? undefined
    : `${PREFIXES[node]}_${nodeKey.replaceAll('.', '_').toUpperCase()}`;
}

/**
 * The overrides in an environment. Empty variables are ignored.
 *
 * @param dialects the dialects of the files read: only the variables of those nodes are used, or of both nodes when no node's
 *   file was read
 * @param directory the directory that relative paths are resolved against
 */
export function readEnvironment(
  environment: Environment,
  dialects: ReadonlySet<Dialect>,
  directory: string,
): { values: ReadonlyMap<string, RawValue>; problems: readonly string[] } {
  const nodes = (['peer', 'orderer'] as const).filter((node) => dialects.has(node));
  const values = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const [key, setting] of SETTINGS) {
    const found = variablesOf(key, setting, nodes.length === 0 ? ['peer', 'orderer'] : nodes)
      .map(({ name, node }) => ({ name, node, text: environment[name] ?? '' }))
      .filter(({ text }) => text !== '');
    const [first, second] = found;
    if (first === undefined) continue;
    if (second !== undefined && second.text !== first.text)
      problems.push(`environment ${first.name}: conflicts with ${second.name}; set only one of them`);
    const value = isTextList(setting.format) ? splitList(first.text, first.node) : first.text;
    values.set(key, { value, origin: `environment ${first.name}`, directory });
  }
  return { values, problems };
}

function variablesOf(
  key: string,
  setting: Setting,
  nodes: readonly NodeDialect[],
): { name: string; node: NodeDialect }[] {
  if (setting.env !== undefined) return [{ name: setting.env, node: 'peer' }];
  return nodes.flatMap((node) => {
    const name = variableOf(node, key);
    return name === undefined ? [] : [{ name, node }];
  });
}

/** Splits `[a,b]`, the orderer's syntax. Without brackets a peer splits at whitespace, and an orderer takes one item. */
function splitList(text: string, node: NodeDialect): string[] {
  const bracketed = /^\[(.*)\]$/s.exec(text.trim());
  const items =
    bracketed !== null ? (bracketed[1] ?? '').split(',') : node === 'peer' ? text.split(/\s+/) : [text];
  return items.map((item) => item.trim()).filter((item) => item !== '');
}
