// Checks the default export of a plugin module.

import { suggestion } from '../common/text/nearest.js';
import { showValue } from '../common/text/value.js';
import { API_VERSION } from './lifecycle.js';
import type { OptionSpec, PluginDefinition, PluginKind } from './plugin.js';

/** `^major.minor`, or a major version alone. */
const RANGE = /^(?:\^(?<major>\d{1,5})\.(?<minor>\d{1,5})|(?<any>\d{1,5}))$/;

/**
 * Checks the range of API versions that a plugin declares: `^1.2` allows 1.2 and each later 1.x, `1` allows each 1.x.
 *
 * @param version the version of this agent, `major.minor`
 * @returns the problem, or undefined when the range allows the version
 */
export function apiVersionProblem(range: unknown, version: string): string | undefined {
  const text = typeof range === 'string' || typeof range === 'number' ? String(range) : '';
  const groups = RANGE.exec(text)?.groups;
  if (groups === undefined) {
    return `apiVersion must be a range such as '^${version}': value was ${show(range)}`;
  }
  const [major, minor] = version.split('.').map(Number) as [number, number];
  if (Number(groups.major ?? groups.any) === major && Number(groups.minor ?? 0) <= minor) return undefined;
  return `the plugin requires plugin API ${text}, this agent has version ${version}`;
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject || typeof value === 'symbol' ? typeof value : String(value);
}

// A record, so that the compiler reports a missing kind.
const BY_KIND: Readonly<Record<PluginKind, true>> = {
  source: true,
  checker: true,
  sink: true,
  notifier: true,
  logging: true,
};
const KINDS = Object.keys(BY_KIND);
/** The first character excludes names that convict reserves, such as `__proto__`. */
const OPTION_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const NAME = /^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*$/;

/** The rule for names of plugins and instances, for messages. */
export const NAME_RULE = "letters, digits, '_' and '-', in parts joined by '.' or '/'";

/** Returns true if a value is a valid name of a plugin or an instance. */
export function isPluginName(name: unknown): boolean {
  return typeof name === 'string' && NAME.test(name);
}

/**
 * Checks the default export of a plugin module.
 *
 * @returns the problem, or undefined when there is none
 */
export function definitionProblem(exported: unknown): string | undefined {
  if (exported === undefined)
    return 'the module has no default export; export default defineHealthChecker({…}), defineMetricSink({…}), defineMetricSource({…}), defineNotifier({…}) or defineLoggingBackend({…})';
  if (typeof exported !== 'object' || exported === null)
    return `the default export is ${exported === null ? 'null' : `a ${typeof exported}`}, not a plugin definition`;
  const members = exported as Partial<Record<keyof PluginDefinition, unknown>>;
  const { apiVersion, kind, name, options, create, nodeComponent } = members;
  const versionProblem = apiVersionProblem(apiVersion, API_VERSION);
  if (versionProblem !== undefined) return versionProblem;
  if (typeof kind !== 'string' || !KINDS.includes(kind))
    return `unknown kind ${showValue(kind)}; must be one of ${KINDS.join(', ')}`;
  if (!isPluginName(name)) return `invalid plugin name ${showValue(name)}; allowed are ${NAME_RULE}`;
  if (typeof create !== 'function') return 'the plugin has no create function';
  if (typeof options !== 'object' || options === null) return 'the plugin has no option schema';
  for (const member of ['forNode', 'forAgent', 'fromEnvironment'] as const)
    if (!['undefined', 'function'].includes(typeof members[member])) return `${member} is not a function`;
  if (nodeComponent !== undefined && nodeComponent !== '' && !isPluginName(nodeComponent))
    return `invalid nodeComponent ${showValue(nodeComponent)}; allowed are ${NAME_RULE}`;
  return optionsProblem(options as Record<string, unknown>);
}

function optionsProblem(options: Record<string, unknown>): string | undefined {
  for (const [name, spec] of Object.entries(options)) {
    const { doc, format, warn } = (spec ?? {}) as { doc?: unknown; format?: unknown; warn?: unknown };
    if (!OPTION_NAME.test(name))
      return `invalid option name '${name}'; it must be letters, digits, '_' and '-', beginning with a letter`;
    // A misspelled `sensitive` would print a secret.
    const unknown = Object.keys(spec ?? {}).find((member) => !SPEC_MEMBERS.includes(member));
    if (unknown !== undefined)
      return `option '${name}' has the unknown member ${show(unknown)}; ${suggestion(unknown, SPEC_MEMBERS)}`;
    if (typeof doc !== 'string' || doc === '') return `option '${name}' has no doc`;
    if (!isFormat(format))
      return `option '${name}' has the unknown format ${show(format)}; must be String, Number, Boolean, ${NAMED_FORMATS.map((known) => `'${known}'`).join(', ')}, a list of strings, or a function`;
    if (warn !== undefined && typeof warn !== 'function')
      return `option '${name}' has a warn that is not a function`;
  }
  return undefined;
}

const SPEC_MEMBERS: readonly string[] = [
  'format',
  'default',
  'doc',
  'sensitive',
  'warn',
] satisfies (keyof OptionSpec)[];

const NAMED_FORMATS = ['duration', 'host-port', 'path', 'path-list'];

function isFormat(format: unknown): boolean {
  const isNamed = typeof format === 'string' && NAMED_FORMATS.includes(format);
  const isChoice =
    Array.isArray(format) && format.length > 0 && format.every((word) => typeof word === 'string');
  return isNamed || isChoice || typeof format === 'function';
}
