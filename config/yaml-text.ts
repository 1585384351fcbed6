// YAML text to plain values, with the line of each key. What is wrong is one line; depth and growth are limited.

import {
  Composer,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  visit,
  type CST,
  type Document,
} from 'yaml';

/** How many sections and lists may be inside one another. */
export const MAX_DEPTH = 100;

/** How many values a text may have by way of aliases. */
const MAX_ALIASES = 1000;

const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`;

/** What a text says. */
export interface YamlText {
  /** The top level; an empty text has none. Keys are those of the text: text as a rule, but YAML allows any value. */
  readonly tree: ReadonlyMap<unknown, unknown>;
  /** `name:line` of a key, given as the keys (of a list, the index) that lead to it; the name alone when the line is not known. */
  where(path: readonly string[]): string;
}

/**
 * Reads a text.
 *
 * @param name where it is from, for messages
 * @throws Error with one line saying what is wrong with it
 */
export function parseYaml(name: string, text: string): YamlText {
  const lines = new LineCounter();
  const document = compose(name, text, lines);
  const tree = plainValues(name, document);
  if (tree !== null && !(tree instanceof Map))
    throw new Error(`${name}: must have sections, such as operations:, at its top level`);
  return {
    tree: tree ?? new Map(),
    where: (keys) => {
      const offset = offsetOf(document, keys);
      return offset === undefined ? name : `${name}:${lines.linePos(offset).line}`;
    },
  };
}

function compose(name: string, text: string, lines: LineCounter): Document.Parsed {
  const at = (offset: number): string => `${name}:${lines.linePos(offset).line}`;
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  // The next step is recursive, and a stack that overflows there can end the process.
  if (isNestedTooDeeply(tokens)) throw new Error(`${name}: ${TOO_DEEP}`);
  const composer = new Composer({
    merge: true,
    prettyErrors: false,
    lineCounter: lines,
    // The composer compares each key with each other; repeatedKey() looks once.
    uniqueKeys: false,
  });
  const [document, second] = composer.compose(tokens, true, text.length);
  const [fault] = document?.errors ?? [];
  // Some messages quote the text, with its ends of lines.
  if (fault !== undefined)
    throw new Error(`${at(fault.pos[0])}: ${fault.message.trim().replaceAll(/\s+/g, ' ')}`);
  if (second !== undefined) throw new Error(`${at(second.range[0])}: a second YAML document begins here`);
  const repeated = repeatedKey(document);
  if (repeated !== undefined) throw new Error(`${at(repeated.offset)}: ${repeated.key}: is given twice`);
  // compose() was told to make a document even of nothing.
  return document as Document.Parsed;
}

/** The first key that a section has twice, and where it is the second time. */
function repeatedKey(document: Document.Parsed | undefined): { key: string; offset: number } | undefined {
  let repeated: { key: string; offset: number } | undefined;
  visit(document ?? null, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) repeated = { key: String(key.value), offset: key.range?.[0] ?? 0 };
        if (repeated !== undefined) return visit.BREAK;
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return repeated;
}

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
    // Maps keep keys such as __proto__ harmless; the alias limit stops documents that grow when read.
    tree = document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
  if (isDeeperThan(MAX_DEPTH, tree)) throw new Error(`${name}: ${TOO_DEEP}`);
  return tree;
}

/** True as well for a value that is inside itself, which an alias can make. */
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
