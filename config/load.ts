// Files, environment and flags become one frozen Settings object. Later wins: defaults, files in the order given, environment,
// flags.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkValues, type RawValue } from './checked-values.js';
import { impliedPlugins, listedPlugins } from './declarations.js';
import { readEnvironment, type Environment } from './environment.js';
import { readConfigFile, type ConfigFile } from './files.js';
import { readFlags } from './flags.js';
import { keyIn, readNodeFile, type Dialect } from './node-files.js';
import { suggestion } from '../core/text/nearest.js';
import { SETTINGS } from './schema.js';
import { SettingsError, type EffectiveValue, type Settings } from './settings.js';

/** The configuration file that comes with the package. */
export const PACKAGED_FILE = fileURLToPath(new URL('../../config/agent.yaml', import.meta.url));

/** What settings are loaded from. */
export interface Sources {
  /** Names of files, later wins; empty: looked for as {@link findConfigFile} does. */
  readonly files: readonly string[];
  /** `key=value` overrides. */
  readonly flags: readonly string[];
  readonly environment: Environment;
  /** Where relative names start. */
  readonly cwd: string;
}

/** Settings and where each of them came from. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Every setting by its key. */
  readonly effective: ReadonlyMap<string, EffectiveValue>;
  /** The files read, as named. */
  readonly files: readonly string[];
}

/** The file used when none is named: agent.yaml, core.yaml or orderer.yaml in `$FABRIC_CFG_PATH`, else the packaged one. */
function findConfigFile(environment: Environment, cwd: string): string {
  const directory = environment.FABRIC_CFG_PATH;
  if (directory === undefined || directory === '') return PACKAGED_FILE;
  const candidates = ['agent.yaml', 'core.yaml', 'orderer.yaml'].map((name) => join(directory, name));
  const found = candidates.find((name) => existsSync(resolve(cwd, name)));
  if (found !== undefined) return found;
  throw new SettingsError([
    `environment FABRIC_CFG_PATH: ${directory} holds none of agent.yaml, core.yaml and orderer.yaml`,
  ]);
}

/**
 * Loads settings.
 *
 * @throws SettingsError with every problem found
 */
export function loadSettings(sources: Sources): LoadedSettings {
  const problems: string[] = [];
  const names = sources.files.length > 0 ? sources.files : [findConfigFile(sources.environment, sources.cwd)];
  const files = names.flatMap((name) => readOrReport(name, sources.cwd, problems));

  const raw = new Map<string, RawValue>();
  const dialects = new Set<Dialect>();
  let peerDirectory: string | undefined;
  for (const file of files) {
    const read = readNodeFile(file);
    merge(raw, read, problems);
    dialects.add(read.dialect);
    if (read.dialect === 'peer') peerDirectory = file.directory;
  }
  // A peer takes relative paths in variables from the folder of its core.yaml, an orderer from its working directory.
  merge(raw, readEnvironment(sources.environment, dialects, peerDirectory ?? sources.cwd), problems);
  merge(raw, readFlags(sources.flags, sources.cwd), problems);
  return {
    ...settingsFrom(raw, problems, files.at(-1)?.directory ?? sources.cwd, dialects),
    files: files.map(({ name }) => name),
  };
}

/**
 * Settings for embedding, from values by dotted key, such as `{'operations.listenAddress': '127.0.0.1:0'}`; neither files
 * nor the environment are read.
 *
 * @param directory where relative paths and plugins start
 * @throws SettingsError with every problem found
 */
export function defineSettings(values: Readonly<Record<string, unknown>>, directory: string): Settings {
  const raw = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (SETTINGS.has(key)) raw.set(key, { value, origin: 'settings', directory });
    else problems.push(`settings: ${key}: is not known; ${suggestion(key, [...SETTINGS.keys()])}`);
  }
  return settingsFrom(raw, problems, directory).settings;
}

function readOrReport(name: string, cwd: string, problems: string[]): ConfigFile[] {
  try {
    return [readConfigFile(name, cwd)];
  } catch (error) {
    problems.push((error as Error).message);
    return [];
  }
}

function merge(
  raw: Map<string, RawValue>,
  read: { values: ReadonlyMap<string, RawValue>; problems: readonly string[] },
  problems: string[],
): void {
  for (const [key, value] of read.values) raw.set(key, value);
  problems.push(...read.problems);
}

function settingsFrom(
  raw: ReadonlyMap<string, RawValue>,
  problems: string[],
  directory: string,
  dialects: ReadonlySet<Dialect> = new Set(),
): Omit<LoadedSettings, 'files'> {
  const checked = checkValues(SETTINGS, raw);
  const listed = listedPlugins(raw.get('plugins'));
  problems.push(...checked.problems, ...listed.problems, ...missingValues(checked.values, raw, dialects));
  if (problems.length > 0) throw new SettingsError(problems);

  const effective = effectiveValues(checked.values, raw);
  const get = <T>(key: string): T => checked.values.get(key) as T;
  const settings: Settings = {
    operations: {
      listenAddress: get('operations.listenAddress'),
      tls: {
        enabled: get('operations.tls.enabled'),
        certFile: get('operations.tls.cert.file'),
        keyFile: get('operations.tls.key.file'),
        clientAuthRequired: get('operations.tls.clientAuthRequired'),
        clientRootCAFiles: get('operations.tls.clientRootCAs.files'),
      },
    },
    health: { timeout: get('health.timeout'), cacheFor: get('health.cacheFor') },
    metrics: { maxSeries: get('metrics.maxSeries') },
    logging: {
      spec: get('logging.spec'),
      specOrigin: raw.get('logging.spec')?.origin ?? 'default',
    },
    plugins: [...impliedPlugins(effective, directory), ...listed.plugins],
  };
  return { settings: deepFreeze(settings), effective };
}

/** What other settings make necessary: the setting that does, its value, and what is needed with it. */
const NEEDS = [
  {
    key: 'operations.tls.enabled',
    value: true,
    needed: ['operations.tls.cert.file', 'operations.tls.key.file', 'operations.tls.clientRootCAs.files'],
  },
  { key: 'metrics.provider', value: 'statsd', needed: ['metrics.statsd.address'] },
] as const;

/** Values that are empty although others make them necessary. */
function missingValues(
  values: ReadonlyMap<string, unknown>,
  raw: ReadonlyMap<string, RawValue>,
  dialects: ReadonlySet<Dialect>,
): string[] {
  const named = (key: string): string => {
    const place = dialects.has('orderer') ? keyIn('orderer', key) : undefined;
    return place === undefined || place.toLowerCase() === key.toLowerCase()
      ? key
      : `${key} (${place} in an orderer's file)`;
  };
  return NEEDS.filter(({ key, value }) => values.get(key) === value).flatMap(({ key, value, needed }) =>
    needed
      .filter((each) => (values.get(each) as string | readonly string[] | undefined)?.length === 0)
      .map(
        (each) =>
          `${raw.get(key)?.origin ?? 'default'}: ${named(each)}: is required when ${key} is ${value}: ${SETTINGS.get(each)?.doc ?? ''}`,
      ),
  );
}

function effectiveValues(
  values: ReadonlyMap<string, unknown>,
  raw: ReadonlyMap<string, RawValue>,
): Map<string, EffectiveValue> {
  const effective = new Map<string, EffectiveValue>();
  for (const [key, { format, default: fallback, sensitive = false }] of SETTINGS) {
    const given = raw.get(key);
    // A duration is shown as it was written, anything else as it was understood.
    const isDuration = format === 'duration' || format === 'positive-duration';
    const value = isDuration ? (given?.value ?? fallback) : values.get(key);
    effective.set(key, { value, origin: given?.origin ?? 'default', sensitive });
  }
  return effective;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
