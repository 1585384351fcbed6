// Checks the default export of a plugin module.

import { apiVersionProblem } from './api-version.js';
import { showValue } from '../common/text/value.js';
import { API_VERSION } from './lifecycle.js';
import type { PluginDefinition, PluginKind } from './plugin.js';

// A record, so that the compiler reports a missing kind.
const BY_KIND: Readonly<Record<PluginKind, true>> = {
  source: true,
  health: true,
  metrics: true,
  notifier: true,
  logging: true,
};
const KINDS = Object.keys(BY_KIND);
/** The first character excludes names that convict reserves, such as `__proto__`. */
const OPTION_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const NAME = /^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*$/;

/** The rule for names of plugins and their instances, for messages. */
export const NAME_RULE = "letters, digits, '_' and '-', in parts joined by '.' or '/'";

/** Whether a value is a valid name of a plugin or an instance. */
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
  const { apiVersion, kind, name, options, create } = exported as Partial<
    Record<keyof PluginDefinition, unknown>
  >;
  const versionProblem = apiVersionProblem(apiVersion, API_VERSION);
  if (versionProblem !== undefined) return versionProblem;
  if (typeof kind !== 'string' || !KINDS.includes(kind))
    return `unknown kind ${showValue(kind)}; must be one of ${KINDS.join(', ')}`;
  if (!isPluginName(name)) return `invalid plugin name ${showValue(name)}; allowed are ${NAME_RULE}`;
  if (typeof create !== 'function') return 'the plugin has no create function';
  if (typeof options !== 'object' || options === null) return 'the plugin has no option schema';
  return optionsProblem(options as Record<string, unknown>);
}

function optionsProblem(options: Record<string, unknown>): string | undefined {
  for (const [name, spec] of Object.entries(options)) {
    const { doc, format, warn } = (spec ?? {}) as { doc?: unknown; format?: unknown; warn?: unknown };
    if (!OPTION_NAME.test(name))
      return `invalid option name '${name}'; it must be letters, digits, '_' and '-', beginning with a letter`;
    if (typeof doc !== 'string' || doc === '') return `option '${name}' has no doc`;
    if (!isFormat(format)) return `option '${name}' has an unknown format`;
    if (warn !== undefined && typeof warn !== 'function')
      return `option '${name}' has a warn that is not a function`;
  }
  return undefined;
}

function isFormat(format: unknown): boolean {
  const isNamed =
    typeof format === 'string' && ['duration', 'host-port', 'path', 'path-list'].includes(format);
  const isChoice =
    Array.isArray(format) && format.length > 0 && format.every((word) => typeof word === 'string');
  return isNamed || isChoice || typeof format === 'function';
}
