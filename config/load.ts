// Loads settings. Later sources override earlier ones: defaults, files in the order given, environment variables, flags.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSettings, type BuiltSettings } from './build-settings.js';
import type { RawValue } from './check-values.js';
import { readEnvironment, type Environment } from './environment.js';
import { readConfigFile, type ConfigFile } from './files.js';
import { readFlags } from './flags.js';
import { readNodeFile, type Dialect } from './node-files.js';
import { suggestion } from '../core/text/nearest.js';
import { SETTINGS } from './schema.js';
import { SettingsError, type Settings } from './settings.js';

/** The configuration file in the package. */
export const PACKAGED_FILE = fileURLToPath(new URL('../../config/agent.yaml', import.meta.url));

/** What settings are loaded from. */
export interface Sources {
  /** Names of files; later ones override earlier ones. Empty: agent.yaml, core.yaml or orderer.yaml in `$FABRIC_CFG_PATH`, or the packaged file. */
  readonly files: readonly string[];
  /** `key=value` overrides. */
  readonly flags: readonly string[];
  readonly environment: Environment;
  /** The directory that relative paths are resolved against. */
  readonly cwd: string;
}

/** Settings and where each of them came from. */
export interface LoadedSettings extends BuiltSettings {
  /** The files read, as named. */
  readonly files: readonly string[];
  /** What the operator should know although the settings are valid. */
  readonly warnings: readonly string[];
}

/**
 * Loads settings.
 *
 * @throws SettingsError with every problem found
 */
export function loadSettings({ files: named, flags, environment, cwd }: Sources): LoadedSettings {
  const { names, warnings } =
    named.length > 0 ? { names: named, warnings: [] } : findConfigFile(environment, cwd);
  const problems: string[] = [];
  const files = names.flatMap((name) => readOrReport(name, cwd, problems));

  const raw = new Map<string, RawValue>();
  const dialects = new Set<Dialect>();
  let peerDirectory: string | undefined;
  for (const file of files) {
    const read = readNodeFile(file);
    merge(raw, read, problems);
    dialects.add(read.dialect);
    if (read.dialect === 'peer') peerDirectory = file.directory;
  }
  // Peers resolve relative paths in variables against the directory of core.yaml, orderers against the working directory.
  merge(raw, readEnvironment(environment, dialects, peerDirectory ?? cwd), problems);
  merge(raw, readFlags(flags, cwd), problems);
  return {
    ...buildSettings({ raw, problems, directory: files.at(-1)?.directory ?? cwd, dialects }),
    files: files.map(({ name }) => name),
    warnings,
  };
}

/**
 * Settings for embedding, from values by dotted key, such as `{'operations.listenAddress': '127.0.0.1:0'}`. Reads neither
 * files nor the environment.
 *
 * @param directory the directory that relative paths and plugins are resolved against
 * @throws SettingsError with every problem found
 */
export function defineSettings(values: Readonly<Record<string, unknown>>, directory: string): Settings {
  const raw = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (SETTINGS.has(key)) raw.set(key, { value, origin: 'settings', directory });
    else problems.push(`settings: ${key}: unknown key; ${suggestion(key, [...SETTINGS.keys()])}`);
  }
  return buildSettings({ raw, problems, directory, dialects: new Set() }).settings;
}

/** The file to read when none is named. */
function findConfigFile(environment: Environment, cwd: string): { names: string[]; warnings: string[] } {
  const directory = environment.FABRIC_CFG_PATH;
  if (directory === undefined || directory === '') return { names: [PACKAGED_FILE], warnings: [] };
  const [found, ...others] = ['agent.yaml', 'core.yaml', 'orderer.yaml']
    .map((name) => join(directory, name))
    .filter((name) => existsSync(resolve(cwd, name)));
  if (found === undefined) {
    throw new SettingsError([
      `environment FABRIC_CFG_PATH: ${directory} contains none of agent.yaml, core.yaml and orderer.yaml`,
    ]);
  }
  // Beside an agent.yaml, the files of the nodes are ignored on purpose.
  const ignored = found.endsWith('agent.yaml') ? [] : others;
  const warnings = ignored.map(
    (name) => `environment FABRIC_CFG_PATH: using ${found}, ignoring ${name}; name one of them with --config`,
  );
  return { names: [found], warnings };
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
