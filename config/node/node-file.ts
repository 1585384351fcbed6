// The file of a node with its environment variables: the values as its program reads them. Keys ignore case, variables override the file, and
// a value can be anything. The agent and the tools read nodes through this file.

import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { readRegularFile } from '../../core/common/files/regular-file.js';
import type { WithOrigin } from '../../core/common/text/with-origin.js';
import { readConfigFile, type ConfigFile } from '../config-file.js';
import { dialectOf, type Environment, type NodeDialect } from '../dialects.js';
import type { Container } from './container.js';
import {
  fileVariableFor,
  findKey,
  isGoFalse,
  isGoTrue,
  isShadowed,
  listIn,
  variableFor,
  type Decoders,
  type ProgramInput,
} from './variables.js';

/** The file of a node. */
export interface NodeFile {
  readonly file: ConfigFile;
  readonly kind: NodeDialect;
}

export const FILES = { peer: 'core.yaml', orderer: 'orderer.yaml' } as const satisfies Record<
  NodeDialect,
  string
>;

/**
 * Opens the file of a node.
 *
 * @param name a core.yaml or orderer.yaml, or a directory with one of them
 * @throws Error with the problem in one line
 */
export function openNodeFile(name: string, cwd: string): NodeFile {
  const file = readConfigFile(fileIn(name, cwd), cwd);
  const kind = dialectOf(file.tree);
  if (kind === 'agent')
    throw new Error(
      `${file.name}: is neither a peer's core.yaml nor an orderer's orderer.yaml: it has none of the sections peer, chaincode, ledger, General and Operations`,
    );
  return { file, kind };
}

function fileIn(name: string, cwd: string): string {
  if (statSync(resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory() !== true) return name;
  const found = Object.values(FILES)
    .map((file) => join(name, file))
    .filter((file) => existsSync(resolve(cwd, file)));
  const [first, ...others] = found;
  if (first === undefined) throw new Error(`${name}: contains neither core.yaml nor orderer.yaml`);
  if (others.length > 0) throw new Error(`${name}: contains core.yaml and orderer.yaml; name one of them`);
  return first;
}

/** A value of a node. */
export interface NodeValue<Value = unknown> extends WithOrigin<Value> {
  /** The origin without the key. */
  readonly place: string;
  /** The variable that sets it; undefined: the file. */
  readonly variable: string | undefined;
}

/** An absolute path; empty: none. */
export interface NodePath extends NodeValue<string> {
  /** The path in messages of the program: relative to its working directory if the setting is relative. */
  readonly shown: string;
}

/** The values of a node as its program reads them. Keys are as in its file, in any case. */
export interface NodeValues<Known extends Decoders = Decoders> extends ProgramInput {
  readonly decoders: Known;
  /** The directory that the program is started in. */
  readonly cwd: string;
  /** A value as written: a text of a variable, or the value in the file; undefined if there is none. */
  value(key: string): NodeValue;
  /** The same as text, also from a separate file; empty if there is none. */
  text(key: string): NodeValue<string>;
  /** A boolean; undefined if the value is none, which counts as false for a peer, and which an orderer refuses. */
  flag(key: string): boolean | undefined;
  /** Whether the program treats a value as true. */
  isTrue(key: string): boolean;
  /** The texts of a list, which can be given as text; undefined if the value is neither. */
  list(key: string): readonly unknown[] | undefined;
  /** A path, absolute; empty if there is none. */
  path(key: string, fallback?: string): NodePath;
  /** A list of paths. */
  paths(key: string): NodeValue<readonly string[]> & { readonly all: readonly NodePath[] };
  /** The directory that a relative path is resolved against. */
  directoryOf(key: string): string;
}

/** Fabric of an unknown version: the decoders of 2.5, which accept more words for true. */
export const ANY_VERSION: Decoders = {
  hasYamlBooleans: true,
  hasEmptyValues: false,
  hasCryptoVariables: true,
};

/**
 * Reads a node.
 *
 * @param variables the variables that its program is started with
 * @param here the directory that its program is started in, unless it runs in a container
 * @param decoders of the version of its program
 * @param origin the origin of the variables, for messages
 * @param container its container: relative paths are resolved in it
 */
export function readNodeFile<Known extends Decoders>(
  { file, kind }: NodeFile,
  variables: Environment,
  here: string,
  {
    decoders,
    origin = 'variable',
    container,
  }: { readonly decoders: Known; readonly origin?: string; readonly container?: Container | undefined },
): NodeValues<Known> {
  const { cwd, directory } = container ?? { cwd: here, directory: file.directory };
  const source = { file, kind, variables, decoders };
  const ofVariable = (name: string, value: unknown): NodeValue => ({
    value,
    origin: `${origin} ${name}`,
    place: `${origin} ${name}`,
    variable: name,
  });
  const value = (key: string): NodeValue => {
    const variable = variableFor(source, key);
    if (variable !== undefined) return ofVariable(variable.name, variable.text);
    const named = fileVariableFor(source, key);
    if (named !== undefined) return ofVariable(named.name, new Map([['File', named.path]]));
    const { value: found, path } = findKey(source, key);
    return {
      value: isShadowed(source, key) ? undefined : found,
      origin: `${file.where(path)}: ${key}`,
      place: file.where(path),
      variable: undefined,
    };
  };
  const text = (key: string): NodeValue<string> => {
    const found = value(key);
    if (isScalar(found.value)) return { ...found, value: String(found.value) };
    const path = kind === 'orderer' ? namedFile(found.value) : undefined;
    if (path === undefined) return { ...found, value: '' };
    const absolute = resolve(cwd, path);
    const onHost = container === undefined ? absolute : container.hostPath(absolute);
    return { ...found, value: (onHost === undefined ? undefined : readText(onHost)) ?? '' };
  };
  const flag = (key: string): boolean | undefined => {
    const { value: found, variable } = value(key);
    if (found === undefined) return false;
    // The viper of 2.5 accepts no fraction.
    const hasFractions = kind === 'orderer' || !decoders.hasYamlBooleans;
    if (typeof found === 'number') return found !== 0 && (hasFractions || Number.isInteger(found));
    if (!isScalar(found)) return undefined;
    const word = String(found);
    const hasYamlWords = decoders.hasYamlBooleans && variable === undefined;
    if (isGoTrue(word) || (hasYamlWords && YAML_TRUE.test(word))) return true;
    return isGoFalse(word) || (hasYamlWords && YAML_FALSE.test(word)) ? false : undefined;
  };
  const list = (key: string): readonly unknown[] | undefined => {
    const { value: found } = value(key);
    if (Array.isArray(found)) return found as readonly unknown[];
    if (typeof found === 'string') return listIn(kind, found);
    const only = text(key).value;
    return only !== '' ? [only] : found === undefined ? [] : undefined;
  };
  const directoryOf = (key: string): string => (isOfWorkingDirectory(kind, key) ? cwd : directory);
  const pathAt = (key: string, path: string, from: Omit<NodeValue, 'value'>): NodePath => {
    if (path === '' || isAbsolute(path)) return { ...from, value: path, shown: path };
    const absolute = join(directoryOf(key), path);
    return { ...from, value: absolute, shown: isOfWorkingDirectory(kind, key) ? path : absolute };
  };
  /** An empty path in a list is the base directory of the others. */
  const pathInList = (key: string, path: string, from: Omit<NodeValue, 'value'>): NodePath => {
    if (path !== '') return pathAt(key, path, from);
    const found = isOfWorkingDirectory(kind, key) ? '' : directory;
    return { ...from, value: found, shown: found };
  };
  return {
    ...source,
    cwd,
    value,
    text,
    flag,
    list,
    directoryOf,
    isTrue: (key) => flag(key) === true,
    path(key, fallback = '') {
      const { value: found, ...from } = text(key);
      return pathAt(key, found || fallback, from);
    },
    paths(key) {
      const { value: _, ...from } = value(key);
      const items = (list(key) ?? []) as readonly (string | number | null)[];
      const all = items.map((path) => pathInList(key, String(path ?? ''), from));
      return { ...from, value: all.map(({ value: path }) => path), all };
    },
  };
}

const isScalar = (value: unknown): value is string | number | boolean | bigint =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value);

/** Words of YAML 1.1 that Go does not know. */
const YAML_TRUE = /^(?:y|yes|on)$/i;
const YAML_FALSE = /^(?:n|no|off)$/i;

/** The file that a value of an orderer names instead of a text: `{File: PATH}`; undefined if it names none. */
export function namedFile(value: unknown): string | undefined {
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

/** The keys with paths relative to the working directory. */
const OF_WORKING_DIRECTORY: Readonly<Record<NodeDialect, RegExp>> = {
  orderer: /^(?:General\.Cluster\.Server|General\.BCCSP\.PKCS11\.|Operations\.|Admin\.|Consensus\.)/i,
  peer: /^peer\.BCCSP\.PKCS11\./i,
};

/**
 * Returns true if a node resolves a relative path against its working directory. It resolves all others against the directory of its
 * file (Fabric: orderer/common/localconfig/config.go, `completeInitialization`; core/config/config.go, `GetPath`).
 *
 * @param key as in the file of the node, in any case
 */
const isOfWorkingDirectory = (kind: NodeDialect, key: string): boolean =>
  OF_WORKING_DIRECTORY[kind].test(key);
