// A node from its file and variables, read like its program reads them: keys ignore case, variables override the file, and a value can be
// anything.

import { isAbsolute, join, resolve } from 'node:path';
import type { Program } from 'fabric-ops-agent/translator/msp';
import { readRegularFile } from '../../common/files/regular-file.js';
import {
  fileVariableFor,
  findKey,
  isGoTrue,
  isOfWorkingDirectory,
  isShadowed,
  listIn,
  variableFor,
  type Environment,
  type NodeFile,
  type NodeSource,
} from '../../../config/index.js';
import type { WithOrigin } from '../../common/text/with-origin.js';
import { decodersOf, type Decoders } from './decoders.js';

/** An absolute path. */
export interface NodePath extends WithOrigin<string> {
  /** The path in messages of the program: relative to its working directory if the setting is relative. */
  readonly shown: string;
}

/** The facts about a node for the rules. */
export interface PreflightNode {
  /** Its variables and the content of its file, as its version reads them. */
  readonly source: NodeSource;
  readonly decoders: Decoders;
  readonly kind: 'peer' | 'orderer';
  readonly file: NodeFile['file'];
  readonly variables: Environment;
  /** The directory that the program is started in. */
  readonly cwd: string;
  /** A value as written: a text of a variable, or the value in the file; undefined if there is none. */
  value(key: string): WithOrigin<unknown>;
  /** The same as text; empty if there is none. */
  text(key: string): WithOrigin<string>;
  /** Whether the program treats a value as true. */
  isTrue(key: string): boolean;
  /** A path, absolute; empty if there is none. */
  path(key: string, fallback?: string): NodePath;
  /** A list of paths. */
  paths(key: string): WithOrigin<readonly string[]> & { readonly all: readonly NodePath[] };
}

/**
 * Describes a node.
 *
 * @param cwd the directory that its program is started in
 * @param program the version that reads it
 */
export function preflightNode(
  { file, kind }: NodeFile,
  variables: Environment,
  cwd: string,
  program: Program,
): PreflightNode {
  const decoders = decodersOf(kind, program);
  const source = { kind, tree: file.tree, variables, ...decoders };
  const value = (key: string): WithOrigin<unknown> => {
    const variable = variableFor(source, key);
    if (variable !== undefined) return { value: variable.text, origin: `variable ${variable.name}` };
    const named = fileVariableFor(source, key);
    if (named !== undefined)
      return { value: new Map([['File', named.path]]), origin: `variable ${named.name}` };
    const { value: found, path } = findKey(file.tree, key);
    return { value: isShadowed(source, key) ? undefined : found, origin: `${file.where(path)}: ${key}` };
  };
  const text = (key: string): WithOrigin<string> => {
    const { value: found, origin } = value(key);
    const isScalar = ['string', 'number', 'boolean', 'bigint'].includes(typeof found);
    if (isScalar) return { value: String(found), origin };
    const path = kind === 'orderer' ? fileIn(found) : undefined;
    return { value: path === undefined ? '' : (readText(resolve(cwd, path)) ?? ''), origin };
  };
  const pathAt = (key: string, path: string, origin: string): NodePath => {
    if (path === '' || isAbsolute(path)) return { value: path, shown: path, origin };
    if (isOfWorkingDirectory(kind, key)) return { value: join(cwd, path), shown: path, origin };
    const found = join(file.directory, path);
    return { value: found, shown: found, origin };
  };
  /** An empty path in a list is the base directory of the others. */
  const pathInList = (key: string, path: string, origin: string): NodePath => {
    if (path !== '') return pathAt(key, path, origin);
    const found = isOfWorkingDirectory(kind, key) ? '' : file.directory;
    return { value: found, shown: found, origin };
  };
  return {
    source,
    decoders,
    kind,
    file,
    variables,
    cwd,
    value,
    text,
    isTrue(key) {
      const { value: found, origin } = value(key);
      // The viper of 2.5 accepts no fraction.
      const hasFractions = kind === 'orderer' || !decoders.hasYamlBooleans;
      if (typeof found === 'number') return found !== 0 && (hasFractions || Number.isInteger(found));
      const isYaml = decoders.hasYamlBooleans && !isVariable(origin);
      return isGoTrue(text(key).value) || (isYaml && /^(?:y|yes|on)$/i.test(text(key).value));
    },
    path(key, fallback = '') {
      const { value: found, origin } = text(key);
      return pathAt(key, found || fallback, origin);
    },
    paths(key) {
      const { value: found, origin } = value(key);
      const list = Array.isArray(found)
        ? (found as readonly (string | number | null)[]).map((each) => String(each ?? ''))
        : typeof found === 'string'
          ? listIn(kind, found)
          : [text(key).value].filter((each) => each !== '');
      const all = list.map((path) => pathInList(key, path, origin));
      return { value: all.map(({ value: path }) => path), all, origin };
    },
  };
}

/** The file that a value of an orderer names instead of a text: `{File: PATH}`; undefined if it names none. */
export function fileIn(value: unknown): string | undefined {
  const path: unknown = value instanceof Map ? (value.get('File') ?? value.get('file')) : undefined;
  return typeof path === 'string' ? path : undefined;
}

/** Longest value in a separate file, in bytes. */
const MAX_TEXT = 64 * 1024;

/** The text of a file; undefined if it cannot be read. */
function readText(path: string): string | undefined {
  try {
    return readRegularFile(path, MAX_TEXT);
  } catch {
    return undefined;
  }
}

/** Whether a value comes from a variable: YAML accepts more words for true. */
export const isVariable = (origin: string): boolean => origin.startsWith('variable ');

/** The directories of the channels' blocks and of each database of a node, below its ledger folder. */
export interface LedgerPlaces {
  readonly root: WithOrigin<string>;
  readonly chains: string;
  /** The databases that the program opens at the start. */
  readonly databases: readonly string[];
}

/** The directories of the ledger of a node. An orderer without `FileLedger.Location` uses the directory of its file. */
export function ledgerPlaces(node: PreflightNode): LedgerPlaces {
  if (node.kind === 'orderer') {
    const root = node.path('FileLedger.Location', '.');
    return { root, chains: join(root.value, 'chains'), databases: [join(root.value, 'index')] };
  }
  const root = node.path('peer.fileSystemPath');
  const data = join(root.value, 'ledgersData');
  const names = ['ledgerProvider', 'chains/index', 'pvtdataStore', 'stateLeveldb', 'historyLeveldb'];
  const others = ['configHistory', 'bookkeeper', 'fileLock'];
  return {
    root,
    chains: join(data, 'chains/chains'),
    databases: [
      join(root.value, 'transientStoreFileLock'),
      ...[...names, ...others].map((name) => join(data, name)),
      join(root.value, 'transientstore'),
    ],
  };
}
