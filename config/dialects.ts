// The three dialects of configuration files: agent.yaml, a peer's core.yaml and an orderer's orderer.yaml. Reads each into
// values by the key of the agent's settings. Other values in a node's file are ignored.

import type { RawValue } from './check-values.js';
import type { ConfigFile } from './config-file.js';
import { suggestion } from '../core/common/text/nearest.js';
import { SETTINGS, type Setting } from './schema.js';

/** Settings by key. */
type Schema = ReadonlyMap<string, Setting>;

/** The program that a file belongs to. */
export type Dialect = 'agent' | 'peer' | 'orderer';

/** The kinds of nodes. */
export type NodeDialect = Exclude<Dialect, 'agent'>;

/** The variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The values in a file by the key of the agent's settings, and the problems of the file. */
export interface FileValues {
  readonly dialect: Dialect;
  readonly values: ReadonlyMap<string, RawValue>;
  readonly problems: readonly string[];
}

// Top-level sections that only one dialect has.
const PEER_ONLY = new Set(['peer', 'chaincode', 'ledger']);
const ORDERER_ONLY = new Set([
  'general',
  'fileledger',
  'ramledger',
  'consensus',
  'channelparticipation',
  'admin',
  'kafka',
  'debug',
]);
// Sections of a node's file with other keys of the node.
const SHARED_SECTIONS = new Set(['vm']);
/** Keys in the agent's sections that the agent accepts but ignores. */
const IGNORED_KEYS: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  agent: new Set(['vm.docker.attachstdout', 'vm.docker.hostconfig']),
  peer: new Set(),
  orderer: new Set(['operations.tls.rootcas', 'operations.tls.tlshandshaketimeshift']),
};

/** Recognizes the dialect by the top-level sections. A file with only `Operations` or `Metrics`, capitalized, is an orderer.yaml. */
export function dialectOf(tree: ReadonlyMap<unknown, unknown>): Dialect {
  const sections = [...tree.keys()].map(String);
  if (sections.some((name) => PEER_ONLY.has(name.toLowerCase()))) return 'peer';
  if (sections.some((name) => ORDERER_ONLY.has(name.toLowerCase()))) return 'orderer';
  return sections.some((name) => name === 'Operations' || name === 'Metrics') ? 'orderer' : 'agent';
}

/** The key of a setting in a dialect, or undefined if the dialect does not have it. */
export function keyIn(dialect: Dialect, key: string, schema: Schema = SETTINGS): string | undefined {
  const found = dialect === 'agent' ? key : schema.get(key)?.[dialect];
  if (found === null) return undefined;
  return dialect === 'orderer' ? capitalized(found ?? key) : (found ?? key);
}

/** The spelling in orderer.yaml, for messages and documents; keys ignore case. */
function capitalized(key: string): string {
  return key
    .split('.')
    .map((part) => (part === 'tls' ? 'TLS' : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('.');
}

/**
 * Reads the agent's settings from a file.
 *
 * @returns the values, and a problem for each unknown key in a section of the agent
 */
export function readOwnSettings(file: ConfigFile): FileValues {
  const dialect = dialectOf(file.tree);
  const reader = new SectionReader(file, dialect);
  reader.readSection(file.tree, []);
  return { dialect, values: reader.values, problems: reader.problems };
}

class SectionReader {
  readonly values = new Map<string, RawValue>();
  readonly problems: string[] = [];
  readonly #file: ConfigFile;
  readonly #dialect: Dialect;
  /** The setting and its key in this dialect, by the lower-case form of that key. */
  readonly #leaves = new Map<string, { key: string; spelling: string }>();
  readonly #sections = new Set<string>();
  /** The known keys read so far, as written, by their lower-case form. */
  readonly #seen = new Map<string, string>();

  constructor(file: ConfigFile, dialect: Dialect) {
    this.#file = file;
    this.#dialect = dialect;
    for (const key of SETTINGS.keys()) {
      const spelling = keyIn(dialect, key);
      if (spelling === undefined) continue;
      this.#leaves.set(spelling.toLowerCase(), { key, spelling });
      const parts = spelling.toLowerCase().split('.');
      for (let end = 1; end < parts.length; end += 1) this.#sections.add(parts.slice(0, end).join('.'));
    }
  }

  readSection(section: ReadonlyMap<unknown, unknown>, path: readonly string[]): void {
    for (const [name, value] of section) {
      const here = [...path, String(name)];
      const lower = here.join('.').toLowerCase();
      const leaf = this.#leaves.get(lower);
      const first = this.#seen.get(lower);
      if (leaf !== undefined || this.#sections.has(lower)) {
        if (first !== undefined) this.#report(here, `duplicate key, already set as ${first}`);
        this.#seen.set(lower, here.join('.'));
      }
      if (leaf !== undefined) this.#readLeaf(leaf.key, value, here);
      else if (this.#sections.has(lower)) this.#readSubsection(value, here);
      else this.#readUnknown(here, lower);
    }
  }

  #readLeaf(key: string, value: unknown, here: readonly string[]): void {
    // A key without a value counts as absent.
    if (value === null || value === undefined) return;
    this.values.set(key, {
      value: plain(value),
      origin: this.#file.where(here),
      ...(Array.isArray(value) && {
        entryOrigins: value.map((_, index) => this.#file.where([...here, String(index)])),
      }),
      directory: this.#file.directory,
    });
  }

  #readSubsection(value: unknown, here: readonly string[]): void {
    if (value instanceof Map) this.readSection(value, here);
    else if (value !== null && value !== undefined) this.#report(here, 'must be a mapping, not a value');
  }

  #readUnknown(here: readonly string[], lower: string): void {
    const isOfNode = here.length === 1 || SHARED_SECTIONS.has(lower.split('.', 1)[0] ?? '');
    if ((isOfNode && this.#dialect !== 'agent') || IGNORED_KEYS[this.#dialect].has(lower)) return;
    const parent = lower.slice(0, lower.length - (here.at(-1) ?? '').length);
    this.#report(here, `unknown key; ${suggestion(here.at(-1) ?? '', this.#namesUnder(parent))}`);
  }

  #namesUnder(parent: string): string[] {
    const spellings = [...this.#leaves]
      .filter(([lower]) => lower.startsWith(parent))
      .map(([, { spelling }]) => spelling);
    return [...new Set(spellings.map((spelling) => spelling.slice(parent.length).split('.', 1)[0] ?? ''))];
  }

  #report(here: readonly string[], what: string): void {
    this.problems.push(`${this.#file.where(here)}: ${here.join('.')}: ${what}`);
  }
}

/** Converts the Maps of the YAML reader to null-prototype objects. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, inner] of value) object[String(key)] = plain(inner);
  return object;
}
