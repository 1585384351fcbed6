// From settings to plugin declarations: those that the settings of a node imply, then those listed under `plugins`.

import type { RawValue } from './checked-values.js';
import { suggestion } from './nearest.js';
import type { PluginDeclaration } from './settings.js';

/** Checked values by the key of the setting. */
type Values = ReadonlyMap<string, unknown>;
/** Where given values came from, by the key of the setting. */
type Origins = ReadonlyMap<string, RawValue>;

const POLICIES = ['fail', 'retry', 'ignore'] as const;
const ENTRY_KEYS = ['plugin', 'name', 'onStartError', 'options'];

/** All plugins that the settings declare, in start order, and what is wrong with the list. */
export function declarePlugins(
  values: Values,
  origins: Origins,
  directory: string,
): { plugins: readonly PluginDeclaration[]; problems: readonly string[] } {
  const problems: string[] = [];
  const listed = (values.get('plugins') as readonly unknown[]).flatMap((entry, index) => {
    const declaration = readEntry(entry, index, origins.get('plugins'), problems);
    return declaration === undefined ? [] : [declaration];
  });
  return { plugins: [...impliedPlugins(values, origins, directory), ...listed], problems };
}

function impliedPlugins(values: Values, origins: Origins, directory: string): PluginDeclaration[] {
  const imply = (
    plugin: string,
    key: string,
    options: Record<string, unknown>,
    fallback = false,
  ): PluginDeclaration => ({
    plugin,
    name: undefined,
    onStartError: 'fail',
    options,
    origin: `${origins.get(key)?.origin ?? 'default'}: ${key}`,
    directory,
    fallback,
  });
  const plugins = [imply('console', 'logging.format', { format: values.get('logging.format') }, true)];
  if (values.get('vm.endpoint') !== '') plugins.push(imply('docker', 'vm.endpoint', dockerOptions(values)));
  const provider = values.get('metrics.provider');
  if (provider === 'prometheus') plugins.push(imply('prometheus', 'metrics.provider', {}));
  if (provider === 'statsd')
    plugins.push(imply('statsd', 'metrics.provider', statsdOptions(values, origins)));
  return plugins;
}

function dockerOptions(values: Values): Record<string, unknown> {
  const endpoint = values.get('vm.endpoint');
  if (values.get('vm.docker.tls.enabled') !== true) return { endpoint };
  const tls = { ca: 'vm.docker.tls.ca.file', cert: 'vm.docker.tls.cert.file', key: 'vm.docker.tls.key.file' };
  return {
    endpoint,
    ...Object.fromEntries(Object.entries(tls).map(([option, key]) => [option, values.get(key)])),
  };
}

function statsdOptions(values: Values, origins: Origins): Record<string, unknown> {
  const raw = (key: string): unknown => origins.get(key)?.value ?? values.get(key);
  return {
    network: values.get('metrics.statsd.network'),
    address: values.get('metrics.statsd.address'),
    writeInterval: origins.has('metrics.statsd.writeInterval') ? raw('metrics.statsd.writeInterval') : '10s',
    prefix: values.get('metrics.statsd.prefix'),
  };
}

function readEntry(
  entry: unknown,
  index: number,
  list: RawValue | undefined,
  problems: string[],
): PluginDeclaration | undefined {
  const here = `${list?.origin ?? 'default'}: plugins[${index}]`;
  const report = (what: string): undefined => void problems.push(`${here}: ${what}`);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return report(`must be a section such as {plugin: docker}: value was ${JSON.stringify(entry)}`);

  const { plugin, name, onStartError, options } = entry as Record<string, unknown>;
  const before = problems.length;
  for (const key of Object.keys(entry)) {
    if (!ENTRY_KEYS.includes(key)) report(`${key}: is not known; ${suggestion(key, ENTRY_KEYS)}`);
  }
  if (typeof plugin !== 'string' || plugin === '') {
    report(
      `plugin: must be a built-in name, an npm package or a path beginning with ./: value was ${JSON.stringify(plugin)}`,
    );
  }
  if (!isAbsent(name) && (typeof name !== 'string' || name === ''))
    report(`name: must be text: value was ${JSON.stringify(name)}`);
  if (!isAbsent(onStartError) && !POLICIES.includes(onStartError as never)) {
    report(`onStartError: must be one of ${POLICIES.join(', ')}: value was ${JSON.stringify(onStartError)}`);
  }
  if (!isAbsent(options) && (typeof options !== 'object' || Array.isArray(options))) {
    report(`options: must be a section: value was ${JSON.stringify(options)}`);
  }
  if (problems.length > before) return undefined;
  return {
    plugin: plugin as string,
    name: (name as string | null | undefined) ?? undefined,
    onStartError: (onStartError as PluginDeclaration['onStartError'] | null | undefined) ?? 'fail',
    options: (options as Record<string, unknown> | null | undefined) ?? {},
    origin: here,
    directory: list?.directory ?? '',
    fallback: false,
  };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
