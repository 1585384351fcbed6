// Settings in environment variables and in `--set` flags. Names of variables are CORE_ or ORDERER_ and the key in the node's file, as nodes
// read them, or FABRIC_OPS_AGENT_ and the key of the agent, in capitals and with `_` instead of dots.

import type { RawValue } from './check-values.js';
import { isTextList } from './formats.js';
import { keyIn, type Dialect, type Environment, type NodeDialect } from './dialects.js';
import { listIn, nodeVariable } from './node/variables.js';
import { SETTINGS, type Setting } from './schema.js';
import { nearest, suggestion } from '../core/common/text/nearest.js';

const PREFIX = 'FABRIC_OPS_AGENT_';

/** A variable, and the dialect that determines its list syntax. */
interface Variable {
  readonly name: string;
  readonly dialect: Dialect;
}

/** The variable that overrides a setting, or undefined if the dialect has no such variable. */
export function variableOf(dialect: Dialect, key: string): string | undefined {
  const spelling = keyIn(dialect, key);
  if (spelling === undefined || SETTINGS.get(key)?.format === 'list') return undefined;
  return dialect === 'agent'
    ? `${PREFIX}${spelling.replaceAll('.', '_').toUpperCase()}`
    : nodeVariable(dialect, spelling);
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
 * The agent's settings in its own variables. Empty variables are ignored.
 *
 * @param directory the directory that relative paths are resolved against
 */
export function readOwnVariables(environment: Environment, directory: string): ReadonlyMap<string, RawValue> {
  const values = new Map<string, RawValue>();
  for (const [key, setting] of SETTINGS) {
    const name = variableOf('agent', key);
    const text = name === undefined ? '' : (environment[name] ?? '');
    if (name !== undefined && text !== '')
      values.set(key, rawValue(setting, { name, dialect: 'agent' }, text, directory));
  }
  return values;
}

/** Names of the variables that Kubernetes sets in every container of a namespace for a Service, like Docker for a link. */
const OF_A_SERVICE =
  /^(?:.+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

/** Warnings about variables with the prefix of the agent that do not belong to a setting. Empty variables are ignored. */
export function unknownVariables(environment: Environment): string[] {
  const known = [...SETTINGS.keys()].flatMap((key) => variableOf('agent', key)?.slice(PREFIX.length) ?? []);
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && (environment[name] ?? '') !== '')
    .map((name) => name.slice(PREFIX.length))
    .filter((name) => !known.includes(name))
    .toSorted();
  const ofServices = unknown.filter((name) => OF_A_SERVICE.test(name));
  return [
    ...unknown
      .filter((name) => !ofServices.includes(name))
      .map((name) => {
        const near = nearest(name, known).map((each) => PREFIX + each);
        const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
        return `environment ${PREFIX}${name}: is not a variable of fabric-ops-agent${hint}`;
      }),
    ...(ofServices.length === 0
      ? []
      : [
          `environment ${ofServices.map((name) => PREFIX + name).join(', ')}: not variables of fabric-ops-agent; Kubernetes sets them for a Service with a name that begins with fabric-ops-agent, unless the pod has enableServiceLinks: false`,
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
): RawValue {
  const value = isTextList(format) ? splitList(text, dialect) : text;
  return { value, origin: `environment ${name}`, directory };
}

/** Splits a list in a text: for a node as its program does, for the agent in both ways. */
function splitList(text: string, dialect: Dialect): string[] {
  const isBracketed = /^\[.*\]$/s.test(text.trim());
  const items = listIn(dialect === 'agent' ? (isBracketed ? 'orderer' : 'peer') : dialect, text.trim());
  return items.filter((item) => item !== '');
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
