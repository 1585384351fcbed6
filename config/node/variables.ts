// The variables that have an effect on a node, and how the node reads them. A peer uses viper, which looks for a variable for every requested
// key (Fabric: cmd/peer/main.go, `setEnvConfig`; viper, `find`). An orderer looks for variables for the keys in its file, and for all keys of
// the sections in its file (Fabric: common/viperutil/config_util.go, `getKeysRecursively`).

import { appendTo } from '../../core/common/group-by.js';
import type { ConfigFile } from '../config-file.js';
import type { Environment, NodeDialect } from '../dialects.js';

/** The file and the variables that the program of a node reads. */
export interface ProgramInput {
  readonly kind: NodeDialect;
  readonly file: ConfigFile;
  readonly variables: Environment;
  readonly decoders: Decoders;
}

/** Differences between the versions of its program in how they read files and variables. */
export interface Decoders {
  /** Whether `yes` and `on` in a file are booleans, as in YAML 1.1; else they are texts. */
  readonly hasYamlBooleans: boolean;
  /** Whether an empty variable of a peer is a value (cmd/peer/main.go, `AllowEmptyEnv`). */
  readonly hasEmptyValues: boolean;
  /** Whether variables of keys below `peer.BCCSP` have an effect: not for a peer of 3.0.0, because its viper does not pass them to a section. */
  readonly hasCryptoVariables: boolean;
}

/** A key in the file of a node. */
interface FoundKey {
  /** Undefined: the file does not have the key, or it has no value. */
  readonly value: unknown;
  /** The existing part of the path, with the spelling of the file. */
  readonly path: readonly string[];
}

const PREFIXES = { peer: 'CORE', orderer: 'ORDERER' } as const satisfies Record<NodeDialect, string>;

/** Sections where variables only have an effect for keys in the file: their types are unknown when the variables are read. */
const CLOSED: Readonly<Record<NodeDialect, RegExp>> = {
  peer: /^peer\.BCCSP\./i,
  orderer: /^(?:General\.BCCSP|Consensus)\./i,
};

/** The name of the variable for a key in a node's file. */
export const nodeVariable = (kind: NodeDialect, key: string): string =>
  `${PREFIXES[kind]}_${key.replaceAll('.', '_').toUpperCase()}`;

/** Finds a key in the file of a node; case is ignored. In the file of a peer, a key may contain dots (viper, `searchMapWithPathPrefixes`). */
export const findKey = (
  { kind, file: { tree } }: Pick<ProgramInput, 'kind' | 'file'>,
  key: string,
): FoundKey => (kind === 'peer' ? findDotted(tree, key.split('.')) : undefined) ?? findIn(tree, key);

/** Finds a key in a mapping; case is ignored. */
export function findIn(tree: ReadonlyMap<unknown, unknown>, key: string): FoundKey {
  let value: unknown = tree;
  const path: string[] = [];
  for (const part of key.split('.')) {
    const found = value instanceof Map ? entryIn(value, part) : undefined;
    if (found === undefined) return { value: undefined, path };
    path.push(found.name);
    value = found.value;
  }
  return { value: value ?? undefined, path };
}

/** Finds a key with the longest first part; undefined if it has no value. */
function findDotted(tree: ReadonlyMap<unknown, unknown>, parts: readonly string[]): FoundKey | undefined {
  for (let count = parts.length; count > 0; count -= 1) {
    const found = entryIn(tree, parts.slice(0, count).join('.'));
    const rest = parts.slice(count);
    const inner =
      rest.length === 0
        ? { value: found?.value ?? undefined, path: [] }
        : found?.value instanceof Map
          ? findDotted(found.value, rest)
          : undefined;
    if (found !== undefined && inner?.value !== undefined)
      return { value: inner.value, path: [found.name, ...inner.path] };
  }
  return undefined;
}

function entryIn(
  section: ReadonlyMap<unknown, unknown>,
  part: string,
): { readonly name: string; readonly value: unknown } | undefined {
  for (const [key, value] of section)
    if (String(key).toLowerCase() === part.toLowerCase()) return { name: String(key), value };
  return undefined;
}

/** The variable that overrides a key in the file of a node; undefined if there is none, or if it has no effect. */
export function variableFor(
  source: ProgramInput,
  key: string,
): { readonly name: string; readonly text: string } | undefined {
  const name = nodeVariable(source.kind, key);
  const text = source.variables[name];
  if (text === undefined || (text === '' && !hasEmptyValue(source, key))) return undefined;
  if (!source.decoders.hasCryptoVariables && CLOSED[source.kind].test(key)) return undefined;
  return missingSection(source, key) === undefined ? { name, text } : undefined;
}

/**
 * The variable that names a file with the value of a key of an orderer, such as `ORDERER_GENERAL_LOCALMSPID_FILE`. It has an effect only if
 * neither the file of the node nor another variable has a value (Fabric: common/viperutil/config_util.go, `getKeysRecursively` and
 * `stringFromFileDecodeHook`).
 */
export function fileVariableFor(
  source: ProgramInput,
  key: string,
): { readonly name: string; readonly path: string } | undefined {
  if (source.kind === 'peer') return undefined;
  const name = `${nodeVariable(source.kind, key)}_FILE`;
  const path = source.variables[name] ?? '';
  if (path === '' || variableFor(source, key) !== undefined) return undefined;
  if (findKey(source, key).value !== undefined || missingSection(source, key) !== undefined) return undefined;
  return { name, path };
}

/** Returns true if an empty variable is a value. The sections of the crypto provider have a separate viper, which always ignores empty ones. */
const hasEmptyValue = ({ kind, decoders }: ProgramInput, key: string): boolean =>
  decoders.hasEmptyValues && !CLOSED[kind].test(key);

/** The section or key that is missing in the file, so that the variable of a key has no effect. */
export function missingSection(
  { kind, file: { tree } }: Pick<ProgramInput, 'kind' | 'file'>,
  key: string,
): string | undefined {
  const isClosed = CLOSED[kind].test(key);
  if (kind === 'peer' && !isClosed) return undefined;
  const parts = key.split('.');
  for (let end = 1; end < parts.length; end += 1) {
    const section = parts.slice(0, end).join('.');
    if (!(findIn(tree, section).value instanceof Map)) return section;
  }
  return isClosed && findIn(tree, key).path.length < parts.length ? key : undefined;
}

/** A section that is missing in the file of a node, and the variables that therefore have no effect. */
interface IneffectiveVariables {
  readonly section: string;
  readonly names: readonly string[];
}

/** The variables without effect, by the missing section. */
export function ineffectiveVariables(source: ProgramInput, keys: Iterable<string>): IneffectiveVariables[] {
  const found = new Map<string, string[]>();
  for (const key of keys) {
    const name = nodeVariable(source.kind, key);
    const section = (source.variables[name] ?? '') === '' ? undefined : missingSection(source, key);
    if (section !== undefined) appendTo(found, section, name);
  }
  return [...found].map(([section, names]) => ({ section, names }));
}

/** Why variables have no effect. @param file the name of the file of the node */
export const ineffectiveReason = (kind: NodeDialect, section: string, file: string): string =>
  `${file} does not have ${section}, and ${kind === 'peer' ? 'a peer' : 'an orderer'} reads variables for it only if its file has it`;

/** Returns true if a key in the file of a peer has no effect, because there is a variable for a section around it. */
export function isShadowed({ kind, variables, decoders }: ProgramInput, key: string): boolean {
  if (kind === 'orderer') return false;
  const parts = key.split('.').slice(0, -1);
  return parts.some((_, index) => {
    const text = variables[nodeVariable(kind, parts.slice(0, index + 1).join('.'))];
    return text !== undefined && (text !== '' || decoders.hasEmptyValues);
  });
}

/**
 * The items of a list that is given as text, in a variable or in a file: for a peer the words (viper, `GetStringSlice`), for an orderer
 * `[a,b]` or one item, which may be empty (Fabric: common/viperutil/config_util.go, `customDecodeHook`).
 */
export function listIn(kind: NodeDialect, text: string): string[] {
  if (kind === 'peer') return text.split(/\s+/).filter((word) => word !== '');
  return /^\[.*\]$/s.test(text)
    ? text
        .slice(1, -1)
        .split(',')
        .map((item) => item.trim())
    : [text];
}

/** Returns true if Go's `strconv.ParseBool` returns true for a text. */
export const isGoTrue = (text: string): boolean => /^(?:1|t|T|TRUE|true|True)$/.test(text);

/** Returns true if Go's `strconv.ParseBool` returns false for a text, or if it is empty, which counts as false. */
export const isGoFalse = (text: string): boolean => text === '' || /^(?:0|f|F|FALSE|false|False)$/.test(text);
