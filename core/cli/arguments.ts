// Parses the arguments of a command.

import { parseArgs, type ParseArgsConfig } from 'node:util';
import {
  loadSettings,
  namedNodes,
  type LoadedSettings,
  type NodeFiles,
  type Sources,
} from '../../config/index.js';
import { onOneLine } from '../common/text/one-line.js';
import { AgentError, reasonOf } from '../contract/index.js';
import { suggestion } from '../common/text/nearest.js';
import type { Process } from './command.js';

/** The flags of settings in files, and of single settings. */
export const CONFIG_FLAGS = {
  config: { type: 'string', multiple: true, short: 'c' },
  set: { type: 'string', multiple: true },
} as const;

/** The flags of every command that loads the settings of monitored nodes. */
export const SETTINGS_FLAGS = {
  node: { type: 'string', multiple: true },
  'node-env': { type: 'string', multiple: true },
  ...CONFIG_FLAGS,
} as const;

/** The help text of {@link CONFIG_FLAGS}. */
export const CONFIG_HELP = `  -c, --config FILE   a configuration file: agent.yaml, a peer's core.yaml or an
                      orderer's orderer.yaml. Can be repeated; later files
                      override earlier ones. Default: one of these files in
                      $FABRIC_CFG_PATH, else the file in the package
      --set KEY=VALUE a setting, such as operations.listenAddress=:9543;
                      overrides files and environment
`;

/** The help text of {@link SETTINGS_FLAGS}. */
export const SETTINGS_HELP = `      --node [NAME=]FILE
                      the core.yaml or orderer.yaml of a node to monitor:
                      health, metrics and log level are served. Can be repeated.
                      CORE_* and ORDERER_* variables describe the nodes then;
                      variables of the agent begin with FABRIC_OPS_AGENT_, and
                      --config takes only agent.yaml (default: the one in
                      $FABRIC_CFG_PATH, if any)
      --node-env FILE the variables of the node of the --node before it: the
                      output of docker inspect, /proc/PID/environ, or lines
                      NAME=VALUE
${CONFIG_HELP}`;

/** Flags of a command. `--node-env` must be repeatable, because {@link readArguments} replaces its values. */
type FlagOptions = NonNullable<ParseArgsConfig['options']> & {
  readonly 'node-env'?: { readonly type: 'string'; readonly multiple: true };
};

/** The values of the flags, and the positional arguments. */
type Arguments<Options extends FlagOptions> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: boolean; strict: true }>
>;

/**
 * Parses the arguments of a command. Unknown flags are errors, and so are flags that take one value and are repeated. `--node-env` gets one value for each `--node`: empty where none was
 * given.
 *
 * @throws AgentError `USAGE`
 */
export function readArguments<const Options extends FlagOptions>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
): Arguments<Options> {
  try {
    const found = parseArgs({ args: [...args], options, allowPositionals, strict: true, tokens: true });
    checkRepeated(found.tokens, options);
    if ('node-env' in found.values) Object.assign(found.values, { 'node-env': environmentsIn(found.tokens) });
    return found;
  } catch (error) {
    throw new AgentError('USAGE', usageFault(error, Object.keys(options)), { cause: error });
  }
}

/** @throws Error for a repeated flag that takes one value */
function checkRepeated(
  tokens: readonly { readonly kind: string; readonly name?: string }[],
  options: FlagOptions,
): void {
  const seen = new Set<string>();
  for (const { kind, name = '' } of tokens) {
    if (kind !== 'option' || options[name]?.type !== 'string' || options[name].multiple === true) continue;
    if (seen.has(name)) throw new Error(`--${name} takes one value, and is given more than once`);
    seen.add(name);
  }
}

/** The value of the `--node-env` after each `--node`; empty without one. */
function environmentsIn(
  tokens: readonly { readonly kind: string; readonly name?: string; readonly value?: string | undefined }[],
): string[] {
  const environments: string[] = [];
  for (const { name, value = '' } of tokens) {
    if (name === 'node') environments.push('');
    if (name !== 'node-env') continue;
    const index = environments.length - 1;
    if (index < 0) throw new Error(`--node-env ${value}: must follow the --node of its node`);
    if (environments[index] !== '')
      throw new Error(
        `--node-env ${value}: the --node before it already has --node-env ${environments[index]}`,
      );
    environments[index] = value;
  }
  return environments;
}

function usageFault(error: unknown, flags: readonly string[]): string {
  const message = reasonOf(error);
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (unknown !== undefined)
    return `unknown flag '${unknown}'; ${suggestion(
      unknown,
      [...flags, 'help'].map((flag) => `--${flag}`),
    )}`;
  const [, flag] = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec(message) ?? [];
  if (flag !== undefined) return `${flag} requires a value`;
  // Further sentences explain how to pass values that begin with a dash.
  return message.split(/\. |\.?\n/, 1)[0] ?? message;
}

/** The values of {@link SETTINGS_FLAGS}. */
interface SettingsValues {
  readonly node?: string[] | undefined;
  readonly 'node-env'?: string[] | undefined;
  readonly config?: string[] | undefined;
  readonly set?: string[] | undefined;
}

/** Loads the settings from files, environment and flags. */
export const loadFrom = (values: SettingsValues, process: Process): LoadedSettings =>
  loadSettings(sourcesOf(values, process));

/**
 * The nodes that files, environment and flags name, for a command that needs at least one; their files are not read.
 *
 * @throws SettingsError, or AgentError `USAGE` if there is no node
 */
export function nodesFrom(
  command: string,
  values: SettingsValues,
  process: Process,
): readonly [NodeFiles, ...NodeFiles[]] {
  const [first, ...others] = namedNodes(sourcesOf(values, process));
  if (first === undefined)
    throw new AgentError(
      'USAGE',
      `${command} requires a node: --node FILE, or --config FILE with a section nodes`,
    );
  return [first, ...others];
}

function sourcesOf(values: SettingsValues, { environment, cwd }: Process): Sources {
  const { node: nodes = [], 'node-env': nodeEnvironments = [], config = [], set = [] } = values;
  return { files: config, nodes, nodeEnvironments, flags: set, environment, cwd };
}

/** Prints the warnings of loaded settings to standard error. */
export function printWarnings(warnings: readonly string[], process: Process): void {
  for (const warning of warnings) process.error(`fabric-ops-agent: warning: ${onOneLine(warning)}\n`);
}
