// Reads a file with the environment variables of a node, as written by container runtimes, the system, shells and service managers.

import { resolve } from 'node:path';
import { readRegularFile } from '../../core/common/files/regular-file.js';
import { parseForeignJson } from '../../core/common/text/foreign-json.js';
import { describeSystemError } from '../../core/common/text/system-error.js';
import { parseYamlValue } from '../config-file.js';
import { isMapping } from '../formats.js';
import type { Environment } from '../dialects.js';
import { containerIn, type Container } from './container.js';

/** Largest file with variables, in bytes. */
const MAX_VARIABLES_SIZE = 1024 * 1024;
const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const VARIABLE = new RegExp(`^(${NAME})=([^]*)$`);
/** A line of YAML: `NAME: value`, `environment:` or an item of a list. */
const YAML_LINE = new RegExp(`^(?:-\\s|["']?[A-Za-z_][\\w.-]*["']?\\s*:(?:\\s|$))`);

type Variable = readonly [name: string, value: string];

/** A file with the variables of a node. */
export interface EnvironmentFile {
  readonly variables: Environment;
  /** The container that it describes. */
  readonly container: Container | undefined;
}

/**
 * Reads a file with environment variables: the output of `docker inspect` for one container, also with `-f '{{json .Config}}'` or
 * `-f '{{json .Config.Env}}'`; `/proc/<pid>/environ`; the environment of a service in a file of docker compose; the ConfigMaps and Secrets of
 * `envFrom` in Kubernetes, as files or as the output of `kubectl get`; lines NAME=VALUE, as from `docker exec CONTAINER env` or for
 * `docker run --env-file`. Messages never contain the value of a variable.
 *
 * @throws Error with the name of the file and the problem
 */
export function readEnvironmentFile(name: string, cwd: string): EnvironmentFile {
  try {
    const text = readRegularFile(resolve(cwd, name), MAX_VARIABLES_SIZE).replace(/^\uFEFF/, '');
    const variables = Object.assign(
      Object.create(null) as Record<string, string>,
      Object.fromEntries(variablesOf(name, text)),
    );
    return { variables, container: containerIn(text, variables) };
  } catch (error) {
    throw new Error(`${name}: ${describeSystemError(error)}`, { cause: error });
  }
}

function variablesOf(name: string, text: string): Variable[] {
  // PowerShell writes UTF-16, where every second byte is 0.
  if (/^(?:\uFFFD\uFFFD|[\s\S]\0[\s\S]\0)/.test(text))
    throw new Error('is UTF-16; write it as UTF-8, in PowerShell with | Out-File -Encoding utf8');
  if (text.includes('\0')) return text.split('\0').flatMap(variablesIn);
  if (/^\s*[[{]/.test(text)) return ofJson(text);
  const first = text.split(/\r?\n/).find((line) => /^\s*[^\s#;]/.test(line) && line.trim() !== '---');
  return first !== undefined && YAML_LINE.test(first.trim()) ? ofYaml(name, text) : ofLines(text);
}

function ofJson(text: string): Variable[] {
  let document: unknown;
  try {
    document = parseForeignJson(text, MAX_VARIABLES_SIZE);
  } catch {
    throw new Error('is not valid JSON, although it begins like the output of docker inspect');
  }
  return ofDocument(document);
}

/** The variables in JSON. `docker inspect CONTAINER` and `podman inspect` write a list with one object. */
function ofDocument(document: unknown): Variable[] {
  if (Array.isArray(document) && document.length > 0 && document.every((each) => typeof each === 'string'))
    return document.flatMap(variablesIn);
  const containers: readonly unknown[] = Array.isArray(document) ? document : [document];
  if (containers.length !== 1) throw new Error(several(containers));
  const [container] = containers;
  if (isMapping(container)) {
    const { Config: config, Env: list } = container;
    if (isTextList(list)) return list.flatMap(variablesIn);
    if (isMapping(config) && isTextList(config['Env'])) return config['Env'].flatMap(variablesIn);
    if ('apiVersion' in container && 'kind' in container) return ofKubernetes([mapOf(container)]);
    const entries = Object.entries(container);
    if (entries.length > 0 && entries.every(([name, value]) => isVariable(name, value)))
      return entries as Variable[];
  }
  throw new Error('has no list Config.Env like the output of docker inspect');
}

const OF_KUBERNETES =
  'describes an object of Kubernetes, which does not have the values of all variables; write the ConfigMaps and Secrets of its envFrom to it (kubectl get configmap NAME -o yaml), or the output of kubectl exec POD -c CONTAINER -- env';

type Mapping = ReadonlyMap<unknown, unknown>;

const mapOf = (object: Readonly<Record<string, unknown>>): Mapping => new Map(Object.entries(object));
const mapIn = (value: unknown): Mapping =>
  value instanceof Map ? value : isMapping(value) ? mapOf(value) : new Map();

/** The variables of ConfigMaps and Secrets, or of lists of them, as `envFrom` makes them: keys that are no names of variables are skipped. */
function ofKubernetes(documents: readonly Mapping[]): Variable[] {
  const objects = documents.flatMap((document) => {
    const items = document.get('items');
    return Array.isArray(items) ? items.map(mapIn) : [document];
  });
  const found = new Map<string, { readonly value: string; readonly object: string }>();
  for (const object of objects) {
    const kind = object.get('kind');
    if (kind !== 'ConfigMap' && kind !== 'Secret') throw new Error(OF_KUBERNETES);
    const name = nameOf(object, kind);
    for (const [variable, value] of entriesOf(object, kind, name)) {
      const other = found.get(variable);
      if (other !== undefined && other.value !== value)
        throw new Error(
          `${variable} has different values in ${other.object} and ${name}; write only the objects of one container to it`,
        );
      found.set(variable, { value, object: name });
    }
  }
  if (found.size === 0) throw new Error('has no variable: no key of its data is the name of one');
  return [...found].map(([variable, { value }]) => [variable, value]);
}

/** The kind of an object, and its name, which Kubernetes allows to have these characters. */
function nameOf(object: Mapping, kind: string): string {
  const name = mapIn(object.get('metadata')).get('name');
  return typeof name === 'string' && /^[a-z0-9.-]{1,253}$/.test(name) ? `${kind} ${name}` : kind;
}

/** The entries of a ConfigMap or a Secret whose keys are names of variables. */
function entriesOf(object: Mapping, kind: 'ConfigMap' | 'Secret', name: string): Variable[] {
  const texts = (member: string, convert: (text: string, key: string) => string): Variable[] =>
    [...mapIn(object.get(member))].flatMap(([key, value]): Variable[] => {
      if (!isVariable(String(key), '')) return [];
      if (typeof value !== 'string')
        throw new Error(
          `${String(key)} in ${name} is not a text, which Kubernetes refuses; write its value in quotes`,
        );
      return [[String(key), convert(value, String(key))]];
    });
  const isSecret = kind === 'Secret';
  const data = texts('data', (text, key) => (isSecret ? decoded(text, `${key} in ${name}`) : text));
  // The values of stringData replace those of data.
  return isSecret ? [...new Map([...data, ...texts('stringData', (text) => text)])] : data;
}

function decoded(text: string, what: string): string {
  const base64 = text.replaceAll(/\s/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64))
    throw new Error(`${what} is not base64`);
  return Buffer.from(base64, 'base64').toString('utf8');
}

const isTextList = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((entry) => typeof entry === 'string');

const isVariable = (name: string, value: unknown): boolean =>
  typeof value === 'string' && VARIABLE.test(`${name}=`);

/** The message for `docker inspect` with several containers, or with none. */
function several(containers: readonly unknown[]): string {
  const names = containers.flatMap((each) =>
    isMapping(each) && typeof each['Name'] === 'string' ? [each['Name'].replace(/^\//, '')] : [],
  );
  const named = names.length === containers.length && names.length > 0 ? `: ${names.join(', ')}` : '';
  return `describes ${containers.length} containers${named}; write the output of docker inspect for one of them to it`;
}

/** Reads a file of docker compose with one service, its `environment:`, or only the content of that: a mapping, or a list of NAME=VALUE. */
function ofYaml(name: string, text: string): Variable[] {
  if (/^apiVersion\s*:/m.test(text)) return ofKubernetes(documentsIn(name, text));
  const document = yamlIn(name, text);
  const given = environmentIn(document);
  const entries = given instanceof Map ? [...given] : Array.isArray(given) ? given.map(entryOf) : [];
  if (entries.length === 0) throw new Error('has no environment like a service of docker compose');
  return entries.map(([key, value]) => composeVariable(String(key), value));
}

function environmentIn(document: unknown): unknown {
  if (!(document instanceof Map)) return document;
  const section: unknown = document.has('services') ? onlyService(document) : document;
  const isSection = document.has('services') || document.has('environment');
  return isSection ? section instanceof Map && section.get('environment') : document;
}

/** The documents of a file for Kubernetes, which `---` separates. */
const documentsIn = (name: string, text: string): Mapping[] =>
  text
    .split(/^---(?:[ \t].*)?$/m)
    .map((part) => yamlIn(name, part))
    .filter((document) => document !== null && document !== undefined)
    .map(mapIn);

/** Replaces errors of the parser, because they quote the text. */
function yamlIn(name: string, text: string): unknown {
  try {
    return parseYamlValue(name, text);
  } catch {
    throw new Error(
      'is not valid YAML, although it begins like the environment of a service of docker compose or an object of Kubernetes',
    );
  }
}

function onlyService(document: ReadonlyMap<unknown, unknown>): unknown {
  const services: unknown = document.get('services');
  const names = services instanceof Map ? [...services.keys()].map(String) : [];
  const [first, ...others] = names;
  if (first === undefined || others.length > 0)
    throw new Error(
      `describes ${names.length} services${names.length === 0 ? '' : `: ${names.join(', ')}`}; write the output of docker inspect for the container of one of them to it`,
    );
  return (services as ReadonlyMap<unknown, unknown>).get(first);
}

function entryOf(item: unknown): readonly [unknown, unknown] {
  const [, name, value] = typeof item === 'string' ? (/^([^=]*)(?:=([^]*))?$/.exec(item) ?? []) : [];
  return [name ?? '', value];
}

/** Converts an entry of docker compose. A value without quotes may be a number or a boolean in YAML. */
function composeVariable(name: string, value: unknown): Variable {
  const isText = ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
  const problem = !isVariable(name, '')
    ? 'is not NAME=VALUE'
    : !isText
      ? 'has no value here: docker compose takes it from its own environment'
      : /\$(?:\{|[A-Za-z_])/.test(String(value).replaceAll('$$', ''))
        ? 'has a $ that docker compose replaces'
        : undefined;
  if (problem !== undefined)
    throw new Error(
      `${name === '' ? 'an entry' : name} ${problem}; write the output of docker inspect for the container to it`,
    );
  return [name, String(value).replaceAll('$$', () => '$')];
}

/** Reads an env file of Docker, systemd or a shell: comments begin with `#` or `;`, and a value can be in quotes. */
function ofLines(text: string): Variable[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const trimmed = line.trim().replace(/^(?:export|declare -x)\s+/, '');
    if (trimmed === '' || /^[#;]/.test(trimmed)) return [];
    const found = variablesIn(trimmed);
    if (found.length === 0) throw new Error(`line ${index + 1}: must be NAME=VALUE`);
    return found.map(([name, value]) => [name, unquoted(value)] as const);
  });
}

/** The variable in an entry; empty if the entry is not a variable, which a process environment can contain. */
function variablesIn(entry: string): Variable[] {
  const [, name, value] = VARIABLE.exec(entry) ?? [];
  return name === undefined || value === undefined ? [] : [[name, value]];
}

function unquoted(value: string): string {
  const [, quote, inner] = /^(["'])([^]*)\1$/.exec(value) ?? [];
  if (inner === undefined) return value;
  return quote === '"' ? inner.replaceAll(/\\(["\\$`])/g, '$1') : inner;
}
