// The declarations of monitored nodes: by `--node`, by the section `node`, or by the list `nodes`.

import { resolve } from 'node:path';
import { showValue } from '../../core/common/text/value.js';
import type { RawValue } from '../check-values.js';
import { isMapping } from '../formats.js';
import { NODE_KEYS } from '../schema.js';
import { suggestion } from '../../core/common/text/nearest.js';

/** The log of a node: a file, or a unit in the systemd journal. */
export type NodeLog = { readonly file: string } | { readonly unit: string };

/** The declaration of a node in the settings. */
export interface NodeDeclaration {
  /** Where it was declared, for messages. */
  readonly origin: string;
  /** The path of its keys in messages: `node` or `nodes[0]`. */
  readonly path: string;
  /** The given values, by the keys of the section `node`. */
  readonly raw: ReadonlyMap<string, RawValue>;
}

/** The values of a source, separated into values of nodes and others. */
interface SplitValues {
  /** By the keys of the section `node`. */
  readonly node: ReadonlyMap<string, RawValue>;
  readonly nodes: RawValue | undefined;
  readonly others: ReadonlyMap<string, RawValue>;
}

/** Separates the values of the section `node` and of the list `nodes` from the others. */
export function splitValues(raw: ReadonlyMap<string, RawValue>): SplitValues {
  const node = new Map<string, RawValue>();
  const others = new Map<string, RawValue>();
  for (const [key, value] of raw) {
    if (key.startsWith('node.')) node.set(key.slice('node.'.length), value);
    else if (key !== 'nodes') others.set(key, value);
  }
  return { node, nodes: raw.get('nodes'), others };
}

/** The parts of a value of `--node`, `[NAME=]FILE`. A file whose name has `=` before any `/` is written as `./a=b.yaml`. */
export function readNodeFlag(text: string): { readonly name?: string; readonly file: string } {
  const { name, file = text } = /^(?<name>[^/=]+)=(?<file>.+)$/s.exec(text)?.groups ?? {};
  return name === undefined ? { file } : { name, file };
}

/**
 * The declared nodes, in order.
 *
 * @param named the values of `--node`
 * @param environments the values of `--node-env`, by the index of their `--node`; empty: none
 * @param cwd the directory for relative paths in these flags
 */
export function nodeDeclarations(
  named: readonly string[],
  environments: readonly string[],
  { node, nodes }: Pick<SplitValues, 'node' | 'nodes'>,
  cwd: string,
): { entries: readonly NodeDeclaration[]; problems: readonly string[] } {
  const [override] = node.values();
  if (nodes !== undefined) return listedEntries(nodes, override, named);
  const flags = named.map((text, index) => {
    const { name, file } = readNodeFlag(text);
    const origin = 'flag --node';
    const raw = new Map([['config', { value: file, origin, directory: cwd }]]);
    if (name !== undefined) raw.set('name', { value: name, origin, directory: cwd });
    const { [index]: environment = '' } = environments;
    if (environment !== '')
      raw.set('environment', { value: environment, origin: 'flag --node-env', directory: cwd });
    return { origin: `${origin} ${text}`, path: 'node', raw };
  });
  if (override === undefined) return { entries: flags, problems: [] };
  const [flag, second] = flags;
  if (second !== undefined) {
    const problem = `${override.origin}: node: describes one node, but --node names ${flags.length}; list them under nodes in a file`;
    return { entries: flags, problems: [problem] };
  }
  const origin = node.get('config')?.origin ?? override.origin;
  const entry = flag ?? { origin: `${origin}: node`, path: 'node', raw: new Map() };
  return { entries: [{ ...entry, raw: new Map([...node, ...entry.raw]) }], problems: [] };
}

function listedEntries(
  list: RawValue,
  override: RawValue | undefined,
  named: readonly string[],
): { entries: readonly NodeDeclaration[]; problems: readonly string[] } {
  const problems: string[] = [];
  if (named.length > 0)
    problems.push(`${list.origin}: nodes: cannot be combined with --node; list every node under nodes`);
  if (override !== undefined)
    problems.push(`${list.origin}: nodes: cannot be combined with node, which is set by ${override.origin}`);
  if (!Array.isArray(list.value)) {
    problems.push(`${list.origin}: nodes: must be a list: value was ${showValue(list.value)}`);
    return { entries: [], problems };
  }
  const entries = list.value.flatMap((value: unknown, index) => {
    const path = `nodes[${index}]`;
    const origin = list.entryOrigins?.[index] ?? list.origin;
    if (isMapping(value)) return [readEntry(value, { origin, path, directory: list.directory }, problems)];
    problems.push(
      `${origin}: ${path}: must be a mapping such as {config: core.yaml}: value was ${showValue(value)}`,
    );
    return [];
  });
  return { entries, problems };
}

function readEntry(
  value: Record<string, unknown>,
  { origin, path, directory }: { origin: string; path: string; directory: string },
  problems: string[],
): NodeDeclaration {
  const spellings = new Map([...NODE_KEYS.keys()].map((key) => [key.toLowerCase(), key]));
  const raw = new Map<string, RawValue>();
  for (const [name, given] of Object.entries(value)) {
    const key = spellings.get(name.toLowerCase());
    if (key === undefined)
      problems.push(`${origin}: ${path}.${name}: unknown key; ${suggestion(name, [...NODE_KEYS.keys()])}`);
    else if (raw.has(key)) problems.push(`${origin}: ${path}.${name}: duplicate key`);
    // A key without a value counts as absent.
    else if (given !== null && given !== undefined) raw.set(key, { value: given, origin, directory });
  }
  return { origin: `${origin}: ${path}`, path, raw };
}

/** The origin of a value of an entry. */
export const originOf = ({ raw, path }: NodeDeclaration, key: string): string => {
  const origin = raw.get(key)?.origin;
  return origin === undefined ? 'default' : `${origin}: ${path}.${key}`;
};

const JOURNAL = 'journal:';
const UNIT = /^[A-Za-z0-9_][A-Za-z0-9:_.@\\-]*$/;

/** The log of a node; undefined if it is unknown. */
export function logOf(entry: NodeDeclaration, value: string, problems: string[]): NodeLog | undefined {
  if (value === '') return undefined;
  if (!value.startsWith(JOURNAL)) return { file: resolve(entry.raw.get('log')?.directory ?? '/', value) };
  const unit = value.slice(JOURNAL.length);
  if (!UNIT.test(unit))
    problems.push(
      `${originOf(entry, 'log')}: must be a file, or journal: and the name of a unit: value was ${JSON.stringify(value)}`,
    );
  return { unit };
}
