// Environment variables, as the nodes read them: CORE_ or ORDERER_ and the key in that node's file, in capitals with `_` for
// the dots. An empty variable is the same as none.

import type { RawValue } from './checked-values.js';
import { keyIn, type Dialect } from './node-files.js';
import { SETTINGS, type Setting } from './schema.js';

/** The variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIXES = { peer: 'CORE', orderer: 'ORDERER' } as const;

/** A kind of node whose variables are read. */
export type NodeDialect = keyof typeof PREFIXES;

/** The variable that overrides a setting of a node, or undefined when there is none. */
export function variableOf(node: NodeDialect, key: string): string | undefined {
  const place = keyIn(node, key);
  return place === undefined || SETTINGS.get(key)?.format === 'list'
    ? undefined
    : `${PREFIXES[node]}_${place.replaceAll('.', '_').toUpperCase()}`;
}

/**
 * The overrides in an environment.
 *
 * @param dialects the dialects of the files that were read: only the variables of those nodes count, and those of both
 *   nodes when no node's file was read
 * @param directory where relative paths in variables start
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
      problems.push(`environment ${first.name}: differs from ${second.name}; set one of them`);
    const value = setting.format === 'path-list' ? readList(first.text, first.node) : first.text;
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

/** `[a,b]` as an orderer writes a list; without brackets a peer's list has blanks between its items and an orderer's is one item. */
function readList(text: string, node: NodeDialect): string[] {
  const bracketed = /^\[(.*)\]$/s.exec(text.trim());
  const items =
    bracketed !== null ? (bracketed[1] ?? '').split(',') : node === 'peer' ? text.split(/\s+/) : [text];
  return items.map((item) => item.trim()).filter((item) => item !== '');
}
