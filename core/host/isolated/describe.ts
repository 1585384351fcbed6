// Loads the definition of an isolated plugin, in a process, so that its module runs no code in the agent.

import type { PluginDeclaration } from '../../../config/index.js';
import { definitionProblem } from '../../contract/definition.js';
import { errorCodeOf } from '../../contract/errors.js';
import {
  API_VERSION,
  reasonOf,
  within,
  type OptionFormat,
  type PluginContext,
  type PluginDefinition,
  type PushSink,
} from '../../contract/index.js';
import { LOAD_TIMEOUT, timeoutProblem } from '../import.js';
import { checkOptions, type CheckedOptions } from '../options.js';
import { IsolatedPlugin, type IsolatedModule } from './isolated-plugin.js';
import {
  fromWire,
  toWire,
  type Created,
  type Described,
  type WireError,
  type WireFormat,
} from './messages.js';
import { PluginProcess } from './plugin-process.js';

/** The definition of an isolated plugin, whose `create` returns a plugin that calls a process. */
export interface DescribedPlugin extends CheckedOptions {
  readonly definition: PluginDefinition;
}

type Found = Exclude<Described, { readonly problem: string }>;

const KINDS = { source: 'a metric source', logging: 'a logging backend' };
const REFUSED = 'isolate: only health checkers and push sinks can run in a process of their own; this is';

/** Loads a module in a process, checks the options of its declaration, and creates the plugin once to read what it is. */
export async function describeIsolated(
  url: string,
  declaration: PluginDeclaration,
  maxMemory: number,
): Promise<DescribedPlugin | { readonly problem: string }> {
  const ignore = (): void => undefined;
  const child = new PluginProcess(maxMemory, { updated: ignore, uncaught: ignore, ended: ignore });
  try {
    return await within(LOAD_TIMEOUT, 'loading', undefined, () =>
      describe(child, url, declaration, maxMemory),
    );
  } catch (error) {
    const isLate = errorCodeOf(error) === 'PLUGIN_TIMED_OUT';
    return { problem: isLate ? timeoutProblem(url) : `the module cannot be loaded: ${reasonOf(error)}` };
  } finally {
    child.kill('its process was ended');
  }
}

async function describe(
  child: PluginProcess,
  url: string,
  declaration: PluginDeclaration,
  maxMemory: number,
): Promise<DescribedPlugin | { readonly problem: string }> {
  const level = 'fatal';
  const found = await child.call('load', { url, options: declaration.options }, { level });
  if ('problem' in found) return found;
  const { kind } = found;
  if (kind === 'source' || kind === 'logging') return { problem: `${REFUSED} ${KINDS[kind]}` };
  const module = { url, kind, written: declaration.options, maxMemory };
  let created: Created | WireError = { isPull: false };
  const definition = definitionOf(found, module, () => created);
  const problem = definitionProblem(definition);
  if (problem !== undefined) return { problem };
  const checked = checkOptions(definition, declaration);
  if (checked.problems.length === 0) {
    const name = declaration.name ?? found.name;
    created = await child.call('create', { name, options: checked.options }, { level }).catch(toWire);
    if ('isPull' in created && created.isPull) return { problem: `${REFUSED} a sink that serves a route` };
  }
  return { definition, ...checked };
}

/** @param created what `create` returned or threw in the process */
function definitionOf(
  { kind, name, options }: Found,
  module: IsolatedModule,
  created: () => Created | WireError,
): PluginDefinition {
  const schema = Object.entries(options).map(([option, spec]) => [
    option,
    { ...spec, format: optionFormat(spec.format) },
  ]);
  return {
    apiVersion: API_VERSION,
    kind,
    name,
    options: Object.fromEntries(schema) as PluginDefinition['options'],
    create(context: PluginContext<'health'>) {
      const outcome = created();
      if ('message' in outcome) throw fromWire(outcome);
      if (outcome.problem !== undefined)
        throw new Error(`create did not return a valid ${kind} plugin: ${outcome.problem}`);
      const plugin = new IsolatedPlugin(module, context);
      return kind === 'health' ? plugin : sinkOf(plugin, outcome);
    },
  };
}

function sinkOf(plugin: IsolatedPlugin, { push }: Created): PushSink {
  return {
    init: () => plugin.init(),
    start: (signal) => plugin.start(signal),
    stop: () => plugin.stop(),
    push: { interval: 0, ...push, flush: (batch, signal) => plugin.flush(batch, signal) },
  };
}

function optionFormat(format: WireFormat): OptionFormat {
  if (format.kind === 'named') return format.format as OptionFormat;
  if (format.kind === 'function') {
    const { allowed, problem } = format;
    return (value: unknown) => {
      const found = value === undefined ? allowed : problem;
      if (found !== undefined) throw new Error(found);
    };
  }
  return { String, Number, Boolean }[format.kind];
}
