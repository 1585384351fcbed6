// From settings to plugin declarations: those that the settings of a node imply, then those listed under `plugins`.

import type { RawValue } from './checked-values.js';
import { suggestion } from '../core/text/nearest.js';
import { showValue } from './show-value.js';
import type { EffectiveValue, PluginDeclaration } from './settings.js';

/** Settings that were checked, by key, in the form a file has. */
type Effective = ReadonlyMap<string, EffectiveValue>;

const POLICIES = ['fail', 'retry', 'ignore'] as const;
const ENTRY_KEYS = ['plugin', 'name', 'onStartError', 'options'];

/**
 * The plugins that the settings of a node declare, in start order.
 *
 * @param directory where relative paths in options start
 */
export function impliedPlugins(effective: Effective, directory: string): PluginDeclaration[] {
  const value = (key: string): unknown => effective.get(key)?.value;
  const originOf = (key: string): string => `${effective.get(key)?.origin ?? 'default'}: ${key}`;
  const imply = (plugin: string, key: string, keys: Readonly<Record<string, string>>): PluginDeclaration => ({
    plugin,
    name: undefined,
    onStartError: 'fail',
    options: mapValues(keys, value),
    origin: originOf(key),
    optionOrigins: mapValues(keys, originOf),
    directory,
    fallback: plugin === 'console',
  });

  const plugins = [imply('console', 'logging.format', { format: 'logging.format' })];
  if (value('vm.endpoint') !== '') plugins.push(overTls(imply('docker', 'vm.endpoint', dockerKeys(value))));
  if (value('metrics.provider') === 'prometheus') plugins.push(imply('prometheus', 'metrics.provider', {}));
  if (value('metrics.provider') === 'statsd') {
    const names = ['network', 'address', 'writeInterval', 'prefix'];
    const keys = Object.fromEntries(names.map((name) => [name, `metrics.statsd.${name}`]));
    plugins.push(imply('statsd', 'metrics.provider', keys));
  }
  return plugins;
}

function mapValues<T>(
  record: Readonly<Record<string, string>>,
  map: (value: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** The settings behind the options of the docker plugin. */
function dockerKeys(value: (key: string) => unknown): Record<string, string> {
  const endpoint = 'vm.endpoint';
  if (value('vm.docker.tls.enabled') !== true) return { endpoint };
  return {
    endpoint,
    ca: 'vm.docker.tls.ca.file',
    cert: 'vm.docker.tls.cert.file',
    key: 'vm.docker.tls.key.file',
  };
}

/** With TLS on and none of its files set, nothing but the endpoint can say so. */
function overTls(docker: PluginDeclaration): PluginDeclaration {
  const { endpoint, ca, cert } = docker.options;
  if (ca !== '' || cert !== '' || typeof endpoint !== 'string') return docker;
  return { ...docker, options: { ...docker.options, endpoint: endpoint.replace(/^(tcp|http):/, 'https:') } };
}

/** The plugins of the list under `plugins`, and what is wrong with the list. */
export function listedPlugins(list: RawValue | undefined): {
  plugins: readonly PluginDeclaration[];
  problems: readonly string[];
} {
  const problems: string[] = [];
  // That it is a list at all is checked with the other settings.
  if (list === undefined || !Array.isArray(list.value)) return { plugins: [], problems };
  const plugins = list.value.flatMap((entry, index) => {
    const origin = list.entryOrigins?.[index] ?? list.origin;
    const declaration = readEntry(entry, `${origin}: plugins[${index}]`, list.directory, problems);
    return declaration === undefined ? [] : [declaration];
  });
  return { plugins, problems };
}

function readEntry(
  entry: unknown,
  here: string,
  directory: string,
  problems: string[],
): PluginDeclaration | undefined {
  const report = (what: string): undefined => void problems.push(`${here}: ${what}`);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return report(`must be a section such as {plugin: docker}: value was ${showValue(entry)}`);

  const { plugin, name, onStartError, options } = entry as Record<string, unknown>;
  const before = problems.length;
  for (const key of Object.keys(entry)) {
    if (!ENTRY_KEYS.includes(key)) report(`${key}: is not known; ${suggestion(key, ENTRY_KEYS)}`);
  }
  if (typeof plugin !== 'string' || plugin === '') {
    report(
      `plugin: must be a built-in name, an npm package or a path beginning with ./: value was ${showValue(plugin)}`,
    );
  }
  if (!isAbsent(name) && (typeof name !== 'string' || name === ''))
    report(`name: must be text that is not empty: value was ${showValue(name)}`);
  if (!isAbsent(onStartError) && !(POLICIES as readonly unknown[]).includes(onStartError)) {
    report(`onStartError: must be one of ${POLICIES.join(', ')}: value was ${showValue(onStartError)}`);
  }
  if (!isAbsent(options) && (typeof options !== 'object' || Array.isArray(options))) {
    report(`options: must be a section: value was ${showValue(options)}`);
  }
  if (problems.length > before) return undefined;
  return {
    plugin: plugin as string,
    name: (name as string | null | undefined) ?? undefined,
    onStartError: (onStartError as PluginDeclaration['onStartError'] | null | undefined) ?? 'fail',
    options: (options as Record<string, unknown> | null | undefined) ?? {},
    origin: here,
    directory,
    fallback: false,
  };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
