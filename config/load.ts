// Loads settings. Later sources override earlier ones: defaults, files in the given order, environment variables, flags. If the agent
// monitors a node, the node's file and the variables CORE_* and ORDERER_* describe the node instead.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MONITORING_DEFAULT, buildSettings, type BuiltSettings } from './build-settings.js';
import type { RawValue } from './check-values.js';
import { readEnvironment, readOwnVariables, unknownVariables } from './overrides.js';
import { readConfigFile, type ConfigFile } from './config-file.js';
import { readFlags } from './overrides.js';
import { nodeDeclarations, splitValues } from './node/entries.js';
import { readOwnSettings, type Dialect, type Environment } from './dialects.js';
import { declaredNode, readNodes, type LoadedNode, type NodeFiles } from './node/nodes.js';
import { suggestion } from '../core/common/text/nearest.js';
import { SETTINGS } from './schema.js';
import { SettingsError, type Settings } from './settings.js';

/** The configuration file in the package. */
export const PACKAGED_FILE = fileURLToPath(new URL('../../config/agent.yaml', import.meta.url));

/** The defaults when monitoring a node: its metrics are relayed. */
const MONITORING_DEFAULTS = {
  'metrics.provider': 'prometheus',
} as const;

/** The sources of settings. */
export interface Sources {
  /** Names of files; later files override earlier ones. Empty: agent.yaml, core.yaml or orderer.yaml in `$FABRIC_CFG_PATH`, or the packaged file; when monitoring a node only agent.yaml. */
  readonly files: readonly string[];
  /** The files of the monitored nodes. @default none */
  readonly nodes?: readonly string[];
  /** The files with the variables of these nodes, by the index in `nodes`; empty: none. @default none */
  readonly nodeEnvironments?: readonly string[];
  /** `key=value` overrides. */
  readonly flags: readonly string[];
  readonly environment: Environment;
  /** The directory that relative paths are resolved against. */
  readonly cwd: string;
}

/** Settings with their origins. */
export interface LoadedSettings extends BuiltSettings {
  /** The names of the read files, as given; the files of the nodes are last. */
  readonly files: readonly string[];
  /** The monitored nodes. */
  readonly nodes: readonly LoadedNode[];
}

/** Values of one source, and its problems. */
interface ReadValues {
  readonly values: ReadonlyMap<string, RawValue>;
  readonly problems: readonly string[];
}

/**
 * Loads settings.
 *
 * @throws SettingsError with every problem found
 */
export function loadSettings(sources: Sources): LoadedSettings {
  const { environment, cwd } = sources;
  const { files, values, declared, warnings, problems } = readSources(sources);
  const read = readNodes(declared, environment, cwd);
  problems.push(...read.problems);
  const built = buildSettings({
    raw: splitValues(merged(values)).others,
    problems,
    dialects: new Set(files.map(({ dialect }) => dialect)),
    configured: {
      nodes: read.nodes,
      variables: variablesForPlugins(environment),
      cwd,
      directory: files.at(-1)?.directory ?? cwd,
    },
  });
  return {
    ...built,
    files: [...new Set([...files.map(({ name }) => name), ...read.nodes.map(({ file }) => file)])],
    nodes: read.nodes,
    warnings: [...warnings, ...read.warnings, ...built.warnings, ...unknownVariables(environment)],
  };
}

/**
 * The files of the nodes that are declared by flags, variables and files. Does not read them.
 *
 * @throws SettingsError with every problem found
 */
export function namedNodes(sources: Sources): readonly NodeFiles[] {
  const { declared, problems } = readSources(sources);
  const nodes = declared.flatMap((entry) => declaredNode(entry, sources.cwd, problems));
  if (problems.length > 0) throw new SettingsError(problems);
  return nodes.map(({ file, environmentFile }) => ({ file, environmentFile }));
}

/** The variables of the OpenTelemetry specification; others are not for plugins. */
const variablesForPlugins = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('OTEL_')));

/** The values of all sources, and the declared nodes, before they are checked. */
function readSources({ files: named, nodes = [], nodeEnvironments = [], flags, environment, cwd }: Sources) {
  const problems: string[] = [];
  const overrides = [{ values: readOwnVariables(environment, cwd), problems: [] }, readFlags(flags, cwd)];
  const namesNode = nodes.length > 0 || overrides.some(({ values }) => values.has('node.config'));
  const { names, warnings } =
    named.length > 0 ? { names: named, warnings: [] } : findFiles(environment, cwd, namesNode);
  const files = names
    .flatMap((name) => readOrReport(name, cwd, problems))
    .map((file) => ({ ...file, ...readOwnSettings(file) }));
  const given = splitValues(merged([...files, ...overrides]));
  const declared = nodeDeclarations(nodes, nodeEnvironments, given, cwd);
  const monitorsNodes = declared.entries.length + declared.problems.length > 0;
  const values: ReadValues[] = monitorsNodes
    ? [monitoringDefaults(cwd), ...files.map(ownSettingsOnly), ...overrides]
    : [...files, nodeVariables(files, environment, cwd), ...overrides];
  problems.push(...values.flatMap((source) => source.problems), ...declared.problems);
  return { files, values, declared: declared.entries, warnings, problems };
}

/** A file that was read, with its values. */
type ReadFile = ConfigFile & ReadValues & { readonly dialect: Dialect };

/** The settings of the agent in variables CORE_* and ORDERER_*, when no node is monitored. */
function nodeVariables(files: readonly ReadFile[], environment: Environment, cwd: string): ReadValues {
  const dialects = new Set(files.map(({ dialect }) => dialect));
  // Peers resolve relative paths in variables against the directory of core.yaml, orderers against the working directory.
  const peer = files.findLast(({ dialect }) => dialect === 'peer');
  return readEnvironment(environment, dialects, peer?.directory ?? cwd);
}

function monitoringDefaults(cwd: string): ReadValues {
  const values = Object.entries(MONITORING_DEFAULTS).map(
    ([key, value]) => [key, { value, origin: MONITORING_DEFAULT, directory: cwd }] as const,
  );
  return { values: new Map(values), problems: [] };
}

/** The values of a file when monitoring a node: the file of a node is then a problem. */
function ownSettingsOnly({ name, dialect, values, problems }: ReadFile): ReadValues {
  if (dialect === 'agent') return { values, problems };
  const problem = `${name}: is the configuration of ${dialect === 'peer' ? 'a peer' : 'an orderer'}; when monitoring a node, --config takes only settings of fabric-ops-agent: name this file with --node`;
  return { values: new Map(), problems: [problem] };
}

/**
 * Settings for embedding, from values by dotted key, such as `{'operations.listenAddress': '127.0.0.1:0'}`. Reads no environment
 * variables, and no files except the files of the nodes that `node.config` or `nodes` name.
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
  const declared = nodeDeclarations([], [], splitValues(raw), directory);
  const { nodes, problems: nodeProblems } = readNodes(declared.entries, {}, directory);
  problems.push(...declared.problems, ...nodeProblems);
  const others = merged([
    ...(nodes.length === 0 ? [] : [monitoringDefaults(directory)]),
    { values: splitValues(raw).others, problems: [] },
  ]);
  const configured = { nodes, variables: {}, cwd: directory, directory };
  return buildSettings({ raw: others, problems, dialects: new Set(), configured }).settings;
}

/** The files to read when no file is named. */
function findFiles(
  environment: Environment,
  cwd: string,
  monitorsNodes: boolean,
): { names: string[]; warnings: string[] } {
  if (!monitorsNodes) return findConfigFile(environment, cwd);
  // In the environment of a node, FABRIC_CFG_PATH is the directory of its file, which may not contain an agent.yaml.
  const name = join(environment.FABRIC_CFG_PATH ?? '', 'agent.yaml');
  const exists = (environment.FABRIC_CFG_PATH ?? '') !== '' && existsSync(resolve(cwd, name));
  return { names: exists ? [name] : [], warnings: [] };
}

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
  // If there is an agent.yaml, the files of the nodes are ignored on purpose.
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

/** The values of all sources; later ones override earlier ones. */
function merged(sources: readonly ReadValues[]): Map<string, RawValue> {
  return new Map(sources.flatMap(({ values }) => [...values]));
}
