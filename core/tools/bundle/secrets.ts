// Collects the secrets in the settings of an agent and in the files that they name.

import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  readConfigFile,
  readEnvironmentFile,
  type Environment,
  type LoadedNode,
  type LoadedSettings,
} from '../../../config/index.js';
import { readRegularFile } from '../../common/files/regular-file.js';
import { secretsOf } from '../../kit/sent-secrets.js';
import type { LoadedPlugin } from '../../host/index.js';
import type { Process } from '../../cli/command.js';
import { isWord } from '../../common/text/value.js';
import { MAX_VALUES, MIN_VALUE, type Secrets } from './mask.js';
import { isKeyFile, isSecretName } from './secret-names.js';

/** Largest file that is searched, in bytes, and the most files of a keystore. */
const MAX_FILE_SIZE = 1024 * 1024;
const MAX_KEYS = 100;
const PRIVATE_KEY = /PRIVATE KEY-----/;
/** Secret values in files that are not YAML. */
const SECRET_VALUE =
  /(?<![\w.-])([\w.-]{1,80})["']?[ \t]{0,9}[:=][ \t]{0,9}(?:[&!]\S{0,80}[ \t]{1,9}){0,2}("[^"\n]*"|'[^'\n]*'|[^\s,}#]+)/g;
/** Variables with secrets in their values, such as OTEL_EXPORTER_OTLP_HEADERS. */
const HEADERS = /headers$/i;
const WORDS = new Set(['true', 'false', 'null', 'none', 'required']);

/** The places to search for secrets. */
interface SecretSources {
  /** Undefined if the settings cannot be loaded. */
  readonly loaded: LoadedSettings | undefined;
  readonly plugins: readonly LoadedPlugin[];
  /** Files that the arguments name: settings, variables of nodes, keys. */
  readonly files: readonly string[];
}

/** Collects the secrets. Files that cannot be read are skipped: their content is not in the bundle either, unless a log has it. */
export function collectSecrets({ loaded, plugins, files }: SecretSources, process: Process): Secrets {
  const { environment, cwd } = process;
  const values = new Set<string>();
  const keys: string[] = [];
  const add = (value: string): void => {
    const isKnown = value.length >= MIN_VALUE && !WORDS.has(value.toLowerCase());
    if (isKnown && values.size < MAX_VALUES) values.add(value);
  };
  const addFile = (path: string): void => {
    const text = path === '' ? '' : textOf(resolve(cwd, path));
    if (PRIVATE_KEY.test(text)) keys.push(text);
    for (const [, name = '', value = ''] of text.matchAll(SECRET_VALUE))
      if (isSecretName(name) && !isKeyFile(name, value)) add(value.replace(/^(["'])(.*)\1$/, '$2'));
    if (text !== '') for (const value of secretsInTree(treeOf(path, cwd))) add(value);
  };
  addVariables(environment, add);
  for (const path of [...files, ...(loaded?.files ?? [])]) {
    addFile(path);
    addVariables(variablesIn(path, cwd), add);
  }
  for (const path of loaded === undefined ? [] : keyFilesOf(loaded)) addFile(path);
  // In a file it may be written with escapes.
  for (const node of loaded?.nodes ?? []) {
    const password = node.values.get('couchdb.password')?.value as string | number | bigint | boolean;
    add(String(password));
  }
  for (const plugin of plugins) addOptions(plugin, add, addFile);
  return { values, keys };
}

function addVariables(environment: Environment, add: (value: string) => void): void {
  for (const [name, value = ''] of Object.entries(environment))
    if ((isSecretName(name) && !isKeyFile(name, value) && !isPath(value)) || HEADERS.test(name)) add(value);
}

/** The values of PWD and SSH_AUTH_SOCK are paths. */
const isPath = (value: string): boolean => value.startsWith('/') && existsSync(value);

/** The secrets in a parsed configuration file: values with the names of secrets, and passwords in URLs. */
function secretsInTree(tree: unknown): string[] {
  const found: string[] = [];
  const visit = (value: unknown, isSecret: boolean): void => {
    if (value instanceof Map)
      for (const [key, each] of value)
        visit(each, !isKeyFile(String(key), String(each)) && (isSecret || isSecretName(String(key))));
    else if (Array.isArray(value)) for (const each of value) visit(each, isSecret);
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      if (isSecret) found.push(String(value));
      const password = /^(?:\w+:\/\/)?[^\s@:/]*:(\S+)@/.exec(String(value))?.[1];
      if (password !== undefined) found.push(password);
    }
  };
  visit(tree, false);
  return found;
}

function treeOf(path: string, cwd: string): unknown {
  try {
    return readConfigFile(path, cwd).tree;
  } catch {
    return undefined;
  }
}

/** The private keys that the settings and the files of the nodes name. */
function keyFilesOf({ settings, nodes }: LoadedSettings): string[] {
  return [settings.operations.tls.keyFile, ...nodes.flatMap(keyFilesOfNode)];
}

function keyFilesOfNode({ values, client, admin, tls }: LoadedNode): string[] {
  const text = (key: string): string => values.get(key)?.value as string;
  const named = ['tls.key', 'tls.clientKey', 'operations.tls.key.file', 'admin.tls.privateKey'];
  const msp = text('msp');
  const keystore = join(msp, 'keystore');
  return [
    ...named.map(text),
    client.key.value,
    admin.key.value,
    tls.key.value,
    ...(msp === '' ? [] : namesIn(keystore)).map((name) => join(keystore, name)),
  ];
}

/** Adds the sensitive options of a plugin, and the content of the files with secrets that its options name. */
function addOptions(
  { definition, options }: LoadedPlugin,
  add: (value: string) => void,
  addFile: (path: string) => void,
): void {
  for (const [name, { sensitive = false, format }] of Object.entries(definition.options)) {
    const value = options[name];
    if (sensitive === 'arguments') for (const text of textsIn(value).slice(1)) addArgument(text, add);
    else if (sensitive !== false) for (const text of textsIn(value)) addSecret(text, add);
    else for (const text of textsIn(value)) addSegments(text, add);
    if (format !== 'path' || typeof value !== 'string' || value === '') continue;
    addFile(value);
    // Such as `urlFile`, `authorizationFile` and `routingKeyFile`; options for certificates have other names.
    const text = name.endsWith('File') ? textOf(value).trim() : '';
    if (!text.includes('-----BEGIN')) for (const line of text.split('\n')) addSecret(line.trim(), add);
  }
}

/** Adds an argument of a program, or the value of a flag; skips flags, words and paths. */
function addArgument(text: string, add: (value: string) => void): void {
  const value = text.replace(/^--?[\w-]+=/, '');
  if (!isWord(value) && !/^[-/]/.test(value)) addSecret(value, add);
}

/** Adds the query of a URL, and the parts of its path that `config print` masks. */
function addSegments(text: string, add: (value: string) => void): void {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return;
  const { pathname, search } = new URL(text);
  for (const value of secretsOf({ path: `${pathname}${search}`, headers: {} }))
    if (value !== pathname) add(value);
}

/** Adds a secret: of a URL also the path and the longer parts of the path, of a header also the credentials. */
function addSecret(text: string, add: (value: string) => void): void {
  add(text);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const sent =
    url === undefined
      ? { path: '', headers: { authorization: text } }
      : { path: `${url.pathname}${url.search}`, headers: {} };
  for (const value of secretsOf(sent)) add(value);
}

/** The strings in the value of an option. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function textOf(path: string): string {
  try {
    return readRegularFile(path, MAX_FILE_SIZE);
  } catch {
    return '';
  }
}

/** The variables in an environment file; none in any other file. */
function variablesIn(path: string, cwd: string): Environment {
  try {
    return readEnvironmentFile(path, cwd).variables;
  } catch {
    return {};
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).slice(0, MAX_KEYS);
  } catch {
    return [];
  }
}
