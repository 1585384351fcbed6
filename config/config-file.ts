// Reads configuration files, and parses YAML into plain values with the line of each key. Size, depth and expansion of aliases are limited.

import { closeSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readAll } from '../core/common/files/descriptor.js';
import { describeSystemError } from '../core/common/text/system-error.js';
import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  visit,
  type CST,
  type Document,
} from 'yaml';

/** Largest configuration file, in bytes. */
export const MAX_FILE_SIZE = 256 * 1024;

/** A configuration file as plain values. */
export interface ConfigFile extends YamlText {
  /** The name as given by the operator. */
  readonly name: string;
  /** The absolute path of its directory. */
  readonly directory: string;
}

/**
 * Reads a configuration file.
 *
 * @param name a path, relative to `cwd`
 * @throws Error with the problem in one line; with a cause if the file cannot be read, is not UTF-8 or not YAML
 */
export function readConfigFile(name: string, cwd: string): ConfigFile {
  const path = resolve(cwd, name);
  return { name, directory: dirname(path), ...parseYaml(name, decode(name, readBytes(name, path))) };
}

function readBytes(name: string, path: string): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      return readAll(file, MAX_FILE_SIZE);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Error(`${name}: cannot be read: ${describeSystemError(error)}`, { cause: error });
  }
}

function decode(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`${name}: is not valid UTF-8`, { cause: error });
  }
}

/** Maximum nesting of mappings and lists. */
export const MAX_DEPTH = 100;

/** Maximum number of values that aliases may expand to. */
const MAX_ALIASES = 1000;

/** Maximum number of keys that all merge keys (`<<`) together may add. */
export const MAX_MERGED = 10_000;

/** Maximum of the number of aliases times the number of values, because the parser searches the document for each alias. */
const MAX_ALIAS_STEPS = 4_000_000;

const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`;

/** A parsed text. */
interface YamlText {
  /** The top-level mapping; empty for an empty text. YAML allows keys of any type. */
  readonly tree: ReadonlyMap<unknown, unknown>;
  /** `name:line` of a key, or only the name if the line is unknown. The path consists of keys, and of indexes for lists. */
  where(path: readonly string[]): string;
}

/**
 * Parses a text.
 *
 * @param name the name of the file, for messages
 * @throws Error with the problem in one line
 */
function parseYaml(name: string, text: string): YamlText {
  const lines = new LineCounter();
  const document = compose(name, text, lines);
  const tree = plainValues(name, document);
  if (tree !== null && !(tree instanceof Map))
    throw new Error(`${name}: must be a mapping with sections such as operations:`);
  return {
    tree: tree ?? new Map(),
    where: (keys) => {
      const offset = offsetOf(document, keys);
      return offset === undefined ? name : `${name}:${lines.linePos(offset).line}`;
    },
  };
}

/** @param isStream whether more documents are allowed; they are ignored */
function compose(name: string, text: string, lines: LineCounter, isStream = false): Document.Parsed {
  const at = (offset: number): string => `${name}:${lines.linePos(offset).line}`;
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  // The composer is recursive, and a stack overflow can end the process.
  if (isNestedTooDeeply(tokens)) throw new Error(`${name}: ${TOO_DEEP}`);
  const composer = new Composer({
    merge: true,
    prettyErrors: false,
    lineCounter: lines,
    // The composer compares every pair of keys; duplicateKey() takes linear time.
    uniqueKeys: false,
  });
  const [document, second] = composer.compose(tokens, true, text.length);
  const [fault] = document?.errors ?? [];
  // Some messages quote the text including line breaks.
  if (fault !== undefined)
    throw new Error(`${at(fault.pos[0])}: ${fault.message.trim().replaceAll(/\s+/g, ' ')}`, { cause: fault });
  if (second !== undefined && !isStream)
    throw new Error(`${at(second.range[0])}: a file must have only one YAML document`);
  const duplicate = duplicateKey(document);
  if (duplicate !== undefined) throw new Error(`${at(duplicate.offset)}: ${duplicate.key}: duplicate key`);
  const { merged, aliases, values } = measure(document);
  if (merged > MAX_MERGED) throw new Error(`${name}: merge keys (<<) add more than ${MAX_MERGED} keys`);
  if (aliases * values > MAX_ALIAS_STEPS)
    throw new Error(`${name}: has too many aliases for its size: ${aliases} aliases, ${values} values`);
  // `true` above makes compose() return a document even for an empty text.
  return document as Document.Parsed;
}

/**
 * Parses a text with any value at the top level.
 *
 * @param name the origin of the text, for messages
 * @throws Error with the problem in one line
 */
export const parseYamlValue = (name: string, text: string): unknown =>
  plainValues(name, compose(name, text, new LineCounter()));

/** As {@link parseYamlValue}, but reads only the first document of a text, like Go's `Decoder.Decode` and `Unmarshal`. */
export const parseFirstYamlValue = (name: string, text: string): unknown =>
  plainValues(name, compose(name, text, new LineCounter(), true));

/** The first duplicate key of a mapping, and the position of its second occurrence. */
function duplicateKey(document: Document.Parsed | undefined): { key: string; offset: number } | undefined {
  let duplicate: { key: string; offset: number } | undefined;
  visit(document ?? null, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) duplicate = { key: String(key.value), offset: key.range?.[0] ?? 0 };
        if (duplicate !== undefined) return visit.BREAK;
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return duplicate;
}

/** Counts the keys that merge keys would add, the aliases and the values. The depth has already been checked. */
function measure(document: Document.Parsed | undefined): {
  readonly merged: number;
  readonly aliases: number;
  readonly values: number;
} {
  const anchors = new Map<string, unknown>();
  /** By mapping or list of mappings, the number of keys including merged ones. */
  const sizes = new Map<unknown, number>();
  let [merged, aliases, values] = [0, 0, 0];
  const sizeOf = (node: unknown): number => {
    values += 1;
    if (isAlias(node)) aliases += 1;
    if (isAlias(node)) return sizes.get(anchors.get(node.source)) ?? 0;
    if (!isMap(node) && !isSeq(node)) return 0;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    let size = 0;
    for (const item of node.items) {
      if (isSeq(node)) size += sizeOf(item);
      if (!isPair(item)) continue;
      const added = sizeOf(item.value);
      const isMerge = isScalar(item.key) && isMergeKey(item.key.value);
      if (isMerge) merged += added;
      size += isMerge ? added : 1;
    }
    sizes.set(node, size);
    return size;
  };
  sizeOf(document?.contents);
  return { merged, aliases, values };
}

/** Returns true for a merge key. The parser replaces a plain `<<` by a symbol. */
const isMergeKey = (value: unknown): boolean =>
  value === '<<' || (typeof value === 'symbol' && value.description === '<<');

function isNestedTooDeeply(tokens: readonly CST.Token[]): boolean {
  let level = tokens;
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) level = level.flatMap(tokensIn);
  return level.some((token) => 'items' in token);
}

/** The tokens directly inside a token. */
function tokensIn(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) =>
    [key, value].filter((inner) => inner !== undefined && inner !== null),
  );
}

function plainValues(name: string, document: Document.Parsed): unknown {
  let tree: unknown;
  try {
    // With Maps, keys such as __proto__ are harmless; the limit protects against alias bombs.
    tree = document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
  if (isDeeperThan(MAX_DEPTH, tree)) throw new Error(`${name}: ${TOO_DEEP}`);
  return tree;
}

/** Returns true also for a value that contains itself, which an alias can produce. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (!(value instanceof Map) && !Array.isArray(value)) return false;
  return levels === 0 || [...value.values()].some((inner) => isDeeperThan(levels - 1, inner));
}

function offsetOf(document: Document.Parsed, keys: readonly string[]): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const key of keys) {
    if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = isNode(node) ? node.range?.[0] : offset;
      continue;
    }
    if (!isMap(node)) return offset;
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    if (pair === undefined) return offset;
    offset = isScalar(pair.key) ? pair.key.range?.[0] : offset;
    node = pair.value;
  }
  return offset;
}
