// What is secret in the settings of an agent and in the files that they name.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  readEnvironmentFile,
  type Environment,
  type LoadedNode,
  type LoadedSettings,
} from '../../../config/index.js';
import { readRegularFile } from '../../common/files/regular-file.js';
import { secretsOf } from '../../kit/sent-secrets.js';
import type { LoadedPlugin } from '../../host/index.js';
import type { Process } from '../command.js';
import { MIN_VALUE, type Secrets } from './mask.js';

/** Largest file that is searched, in bytes, and the most files of a keystore. */
const MAX_FILE_SIZE = 1024 * 1024;
const MAX_KEYS = 100;
const PRIVATE_KEY = /PRIVATE KEY-----/;
/** Names of variables with secret values, and of those that name a file. */
const SECRET_NAME = /passw(?:or)?d|passphrase|secret|token|credential|pin$|api_?key|headers$|authorization/i;
const FILE_NAME = /(?:file|path|dir)s?$/i;
/** Secret values in configuration files, whose names end so. */
const SECRET_VALUE =
  /(?<![\w.-])[\w.-]{0,60}?(?:passw(?:or)?d|passphrase|secret|token|credentials?|api_?key|authorization|pin)["']?[ \t]{0,9}[:=][ \t]{0,9}("[^"\n]*"|'[^'\n]*'|[^\s,}#]+)/gi;
const WORDS = new Set(['true', 'false', 'null', 'none', 'required']);

/** Where secrets are looked for. */
export interface SecretSources {
  /** Undefined if the settings cannot be loaded. */
  readonly loaded: LoadedSettings | undefined;
  readonly plugins: readonly LoadedPlugin[];
  /** Files that the arguments name: settings, variables of nodes, keys. */
  readonly files: readonly string[];
}

/** Collects the secrets. What cannot be read is unknown, but then it is not in the bundle either, unless a log has it. */
export function collectSecrets({ loaded, plugins, files }: SecretSources, process: Process): Secrets {
  const { environment, cwd } = process;
  const values = new Set<string>();
  const keys: string[] = [];
  const add = (value: string): void =>
    void (value.length >= MIN_VALUE && !WORDS.has(value.toLowerCase()) && values.add(value));
  const addFile = (path: string): void => {
    const text = path === '' ? '' : textOf(resolve(cwd, path));
    if (PRIVATE_KEY.test(text)) keys.push(text);
    for (const [, value = ''] of text.matchAll(SECRET_VALUE)) add(value.replace(/^(["'])(.*)\1$/, '$2'));
  };
  addVariables(environment, add);
  for (const path of [...files, ...(loaded?.files ?? [])]) {
    addFile(path);
    addVariables(variablesIn(path, cwd), add);
  }
  for (const path of loaded === undefined ? [] : keyFilesOf(loaded)) addFile(path);
  // In a file it may be written with escapes.
  for (const { get } of loaded?.nodes ?? []) add(String(get<unknown>('couchdb.password').value));
  for (const plugin of plugins) addOptions(plugin, add, addFile);
  return { values, keys };
}

function addVariables(environment: Environment, add: (value: string) => void): void {
  for (const [name, value = ''] of Object.entries(environment))
    if (SECRET_NAME.test(name) && !FILE_NAME.test(name)) add(value);
}

/** The private keys that the settings and the files of the nodes name. */
function keyFilesOf({ settings, nodes }: LoadedSettings): string[] {
  return [settings.operations.tls.keyFile, ...nodes.flatMap(keyFilesOfNode)];
}

function keyFilesOfNode({ get, client, admin, tls }: LoadedNode): string[] {
  const named = ['tls.key', 'tls.clientKey', 'operations.tls.key.file', 'admin.tls.privateKey'];
  const { value: msp } = get<string>('msp');
  const keystore = join(msp, 'keystore');
  return [
    ...named.map((key) => get<string>(key).value),
    client.key.value,
    admin.key.value,
    tls.key.value,
    ...(msp === '' ? [] : namesIn(keystore)).map((name) => join(keystore, name)),
  ];
}

/** The options that a plugin marks as sensitive, and the content of the files with secrets that its options name. */
function addOptions(
  { definition, options }: LoadedPlugin,
  add: (value: string) => void,
  addFile: (path: string) => void,
): void {
  for (const [name, { sensitive = false, format }] of Object.entries(definition.options)) {
    const value = options[name];
    if (sensitive !== false) for (const text of textsIn(value)) addSecret(text, add);
    if (format !== 'path' || typeof value !== 'string' || value === '') continue;
    addFile(value);
    // Such as `urlFile`, `authorizationFile` and `routingKeyFile`; certificates are in options of other names.
    const text = name.endsWith('File') ? textOf(value).trim() : '';
    if (!text.includes('-----BEGIN')) for (const line of text.split('\n')) addSecret(line.trim(), add);
  }
}

/** A secret value; of a URL also its path and the longer parts of it, of a header also the credentials. */
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

/** The variables in a file with variables; none in another file. */
function variablesIn(path: string, cwd: string): Environment {
  try {
    return readEnvironmentFile(path, cwd);
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
