// Reads YAML files and remembers the line of each key.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';

/** Largest configuration file, in bytes. */
export const MAX_FILE_SIZE = 4 * 1024 * 1024;

/** A configuration file as plain values. */
export interface ConfigFile {
  /** As the operator named it. */
  readonly name: string;
  /** The absolute path of its folder. */
  readonly directory: string;
  /** The top level; an empty file has none. Keys are those of the file. */
  readonly tree: ReadonlyMap<string, unknown>;
  /** `name:line` of a key, given as the keys that lead to it; the name alone when the line is not known. */
  where(path: readonly string[]): string;
}

/**
 * Reads a configuration file.
 *
 * @param name as the operator gave it; relative to `cwd`
 * @throws Error with one line saying what is wrong with the file
 */
export function readConfigFile(name: string, cwd: string): ConfigFile {
  const path = resolve(cwd, name);
  const lines = new LineCounter();
  const document = parseDocument(readText(name, path), {
    merge: true,
    lineCounter: lines,
    logLevel: 'silent',
  });
  const [fault] = document.errors;
  if (fault !== undefined)
    throw new Error(`${name}:${fault.linePos?.[0].line ?? 1}: ${firstLine(fault.message)}`);

  const tree = plainValues(name, document);
  if (tree !== null && !(tree instanceof Map))
    throw new Error(`${name}: must be a list of sections at its top level`);
  return {
    name,
    directory: dirname(path),
    tree: tree ?? new Map(),
    where: (keys) => {
      const offset = offsetOf(document, keys);
      return offset === undefined ? name : `${name}:${lines.linePos(offset).line}`;
    },
  };
}

function readText(name: string, path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`${name}: cannot be read: ${describeFileError(error)}`, { cause: error });
  }
  if (bytes.length > MAX_FILE_SIZE) throw new Error(`${name}: is larger than ${MAX_FILE_SIZE} bytes`);
  return bytes.toString('utf8');
}

function plainValues(name: string, document: Document.Parsed): ReadonlyMap<string, unknown> | null {
  try {
    // Maps keep keys such as __proto__ harmless; the alias limit stops documents that grow when read.
    return document.toJS({ mapAsMap: true, maxAliasCount: 1000 }) as ReadonlyMap<string, unknown> | null;
  } catch (error) {
    throw new Error(`${name}: ${firstLine((error as Error).message)}`, { cause: error });
  }
}

function offsetOf(document: Document.Parsed, keys: readonly string[]): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const key of keys) {
    if (!isMap(node)) return offset;
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    if (pair === undefined) return offset;
    offset = isScalar(pair.key) ? pair.key.range?.[0] : offset;
    node = pair.value;
  }
  return offset;
}

/** The reason of a failed file operation, in words. */
export function describeFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  return message;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/:$/, '') ?? text;
}
