// Settings in environment variables and in `--set` flags. Names of variables are CORE_ or ORDERER_ and the key in the node's file, as nodes
// read them, or FABRIC_OPS_AGENT_ and the key of the agent, in capitals and with `_` instead of dots.

import type { RawValue } from './check-values.js';
import { isTextList } from './formats.js';
import { keyIn, type Dialect } from './dialects.js';
import { SETTINGS, type Setting } from './schema.js';
import { nearest, suggestion } from '../core/common/text/nearest.js';

/** The variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIXES = { agent: 'FABRIC_OPS_AGENT', peer: 'CORE', orderer: 'ORDERER' } as const satisfies Record<
  Dialect,
  string
>;

/** The kinds of nodes. */
export type NodeDialect = Exclude<Dialect, 'agent'>;

/** A variable, and the dialect that determines its list syntax. */
interface Variable {
  readonly name: string;
  readonly dialect: Dialect;
}

/** The variable that overrides a setting, or undefined if the dialect has no such variable. */
export function variableOf(
  dialect: Dialect,
  key: string,
  schema: ReadonlyMap<string, Setting> = SETTINGS,
): string | undefined {
  const spelling = keyIn(dialect, key, schema);
  return spelling === undefined || schema.get(key)?.format === 'list'
    ? undefined
    : `${PREFIXES[dialect]}_${spelling.replaceAll('.', '_').toUpperCase()}`;
}

/**
 * The agent's settings in variables CORE_* and ORDERER_*. Empty variables are ignored.
 *
 * @param dialects the dialects of the read files: only variables of these kinds of nodes are used, or of both kinds if no file of a node
 *   was read
 * @param directory the directory that relative paths are resolved against
 */
export function readEnvironment(
  environment: Environment,
  dialects: ReadonlySet<Dialect>,
  directory: string,
): { values: ReadonlyMap<string, RawValue>; problems: readonly string[] } {
  const nodes = (['peer', 'orderer'] as const).filter((node) => dialects.has(node));
  const values = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const [key, setting] of SETTINGS) {
    const found = variablesOf(key, setting, nodes.length === 0 ? ['peer', 'orderer'] : nodes)
      .map((variable) => ({ variable, text: environment[variable.name] ?? '' }))
      .filter(({ text }) => text !== '');
    const [first, second] = found;
    if (first === undefined) continue;
    if (second !== undefined && second.text !== first.text)
      problems.push(
        `environment ${first.variable.name}: conflicts with ${second.variable.name}; set only one of them`,
      );
    values.set(key, rawValue(setting, first.variable, first.text, directory));
  }
  return { values, problems };
}

/**
 * The values of a schema in the variables of one dialect. Empty variables are ignored.
 *
 * @param directoryOf returns the directory that relative paths in a setting are resolved against
 * @param source the origin of the variables, for messages
 */
export function readVariables(
  environment: Environment,
  dialect: Dialect,
  schema: ReadonlyMap<string, Setting>,
  directoryOf: (key: string) => string,
  source = 'environment',
): ReadonlyMap<string, RawValue> {
  const values = new Map<string, RawValue>();
  for (const [key, setting] of schema) {
    const name = variableOf(dialect, key, schema);
    const text = name === undefined ? '' : (environment[name] ?? '');
    if (name !== undefined && text !== '')
      values.set(key, rawValue(setting, { name, dialect }, text, directoryOf(key), source));
  }
  return values;
}

/** Names of the variables that Kubernetes sets in every container of a namespace for a Service, like Docker for a link. */
const OF_A_SERVICE =
  /^(?:.+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

/** Warnings about variables with the prefix of the agent that do not belong to a setting. Empty variables are ignored. */
export function unknownVariables(environment: Environment): string[] {
  const prefix = `${PREFIXES.agent}_`;
  const known = [...SETTINGS.keys()].flatMap((key) => variableOf('agent', key)?.slice(prefix.length) ?? []);
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && (environment[name] ?? '') !== '')
    .map((name) => name.slice(prefix.length))
    .filter((name) => !known.includes(name))
    .toSorted();
  const ofServices = unknown.filter((name) => OF_A_SERVICE.test(name));
  return [
    ...unknown
      .filter((name) => !ofServices.includes(name))
      .map((name) => {
        const near = nearest(name, known).map((each) => prefix + each);
        const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
        return `environment ${prefix}${name}: is not a variable of fabric-ops-agent${hint}`;
      }),
    ...(ofServices.length === 0
      ? []
      : [
          `environment ${ofServices.map((name) => prefix + name).join(', ')}: not variables of fabric-ops-agent; Kubernetes sets them for a Service with a name that begins with fabric-ops-agent, unless the pod has enableServiceLinks: false`,
        ]),
  ];
}

function variablesOf(key: string, setting: Setting, nodes: readonly NodeDialect[]): Variable[] {
  if (setting.env !== undefined) return [{ name: setting.env, dialect: 'peer' }];
  return nodes.flatMap((dialect) => {
    const name = variableOf(dialect, key);
    return name === undefined ? [] : [{ name, dialect }];
  });
}

function rawValue(
  { format }: Setting,
  { name, dialect }: Variable,
  text: string,
  directory: string,
  source = 'environment',
): RawValue {
  const value = isTextList(format) ? splitList(text, dialect) : text;
  return { value, origin: `${source} ${name}`, directory };
}

/**
 * Splits a list in a text: for a peer only at whitespace (viper, `GetStringSlice`); for an orderer `[a,b]` or one item (Fabric:
 * common/viperutil/config_util.go, `customDecodeHook`); for the agent in both ways.
 */
function splitList(text: string, dialect: Dialect): string[] {
  const [, inner] = (dialect === 'peer' ? null : /^\[(.*)\]$/s.exec(text.trim())) ?? [];
  const items = inner?.split(',') ?? (dialect === 'orderer' ? [text] : text.split(/\s+/));
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/**
 * The settings in `key=value` flags. Keys ignore case; the items of a list are separated by commas.
 *
 * @param directory the directory that relative paths are resolved against
 */
export function readFlags(
  flags: readonly string[],
  directory: string,
): { values: ReadonlyMap<string, RawValue>; problems: readonly string[] } {
  const keys = new Map([...SETTINGS.keys()].map((key) => [key.toLowerCase(), key]));
  const settable = [...SETTINGS.keys()].filter((key) => SETTINGS.get(key)?.format !== 'list');
  const values = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const flag of flags) {
    const [, name = flag, text] = /^([^=]*)=(.*)$/s.exec(flag) ?? [];
    const key = keys.get(name.toLowerCase());
    const format = SETTINGS.get(key ?? '')?.format;
    if (text === undefined) problems.push(`flag --set ${flag}: must be key=value`);
    else if (key === undefined)
      problems.push(`flag --set: ${name}: unknown key; ${suggestion(name, settable)}`);
    else if (format === 'list') problems.push(`flag --set: ${key}: can only be set in a file`);
    else {
      const value = isTextList(format) ? text.split(',').filter((item) => item !== '') : text;
      values.set(key, { value, origin: `flag --set ${key}`, directory });
    }
  }
  return { values, problems };
}
