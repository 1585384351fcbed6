// Finds the module of a plugin, which is a path, a built-in name or an npm package, and imports it.

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve as resolveModule } from 'import-meta-resolve';
import { nearest, suggestion } from '../common/text/nearest.js';
import { definitionProblem } from '../contract/definition.js';
import { reasonOf, type PluginDefinition } from '../contract/index.js';
import { namesOfApi, offerAgentApi } from './agent-api.js';
import { findBuiltIn, type BuiltInPlugin } from './built-in.js';
import { placeIn, stackOf } from './stack.js';

/** The module of a plugin, or why there is none. */
export type Resolution = { readonly url: string } | { readonly problem: string };

/**
 * Finds the module of a plugin.
 *
 * @param plugin a path beginning with `.` or `/`, a built-in name as `http` or `source/http`, or an npm package
 * @param directory where relative paths start and the search for packages begins
 */
export function resolvePlugin(
  plugin: string,
  directory: string,
  builtIn: readonly BuiltInPlugin[],
): Resolution {
  if (plugin.startsWith('.') || isAbsolute(plugin)) return resolvePath(resolve(directory, plugin));
  return findBuiltIn(plugin, builtIn) ?? resolvePackage(plugin, directory, builtIn);
}

/** A file to compile; the letter before `ts` is also before `js` in the name of the output. */
const TYPESCRIPT = /\.(?<letter>[cm]?)ts$/;

function resolvePath(path: string): Resolution {
  const letter = TYPESCRIPT.exec(path)?.groups?.letter;
  if (letter !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    return {
      problem: `${path} must be compiled to JavaScript, such as with npx -p typescript tsc --module nodenext ${basename(path)}; declare the file that it writes, ${basename(path).replace(TYPESCRIPT, `.${letter}js`)}`,
    };
  const file = /\.[cm]?js$/.test(path) ? path : join(path, 'index.js');
  return existsSync(file) ? { url: pathToFileURL(file).href } : { problem: `module not found: ${file}` };
}

function resolvePackage(name: string, directory: string, builtIn: readonly BuiltInPlugin[]): Resolution {
  try {
    const url = resolveModule(name, pathToFileURL(join(directory, 'noop.js')).href);
    if (!url.startsWith('file:')) return { problem: `module not found: '${name}' is not a package` };
    if (existsSync(fileURLToPath(url))) return { url };
  } catch {
    // The package, or the file that its package.json names, does not exist: reported below.
  }
  const names = builtIn.map(({ kind, name: known }) => (name.includes('/') ? `${kind}/${known}` : known));
  return {
    problem: `module not found: '${name}' is neither a built-in plugin (${suggestion(name, names)}) nor a package in node_modules of ${directory} or a parent directory; a path must begin with ./`,
  };
}

/** Longest time for loading a plugin module with its imports and their top-level code, in milliseconds. */
const LOAD_TIMEOUT = 10_000;
/** The time is measured in ticks, so that time in which the process is busy, for example on a slow machine, does not count. */
const TICK = 100;

/** Why a plugin cannot be used. */
interface ImportProblem {
  readonly problem: string;
  /** The stack of the error, if there is one. */
  readonly stack?: string;
}

/** Imports a plugin module and checks its definition. No plugin is created. */
export async function importPlugin(url: string): Promise<{ definition: PluginDefinition } | ImportProblem> {
  let module: { default?: unknown } | undefined;
  if (!findsPackage(url)) offerAgentApi();
  try {
    module = await importInTime(url);
  } catch (error) {
    return await loadProblem(fileURLToPath(url), error);
  }
  if (module === undefined) return { problem: timeoutProblem(url) };
  try {
    // A CommonJS module compiled from an ES module has its default export one level down.
    const exported = (module.default as { default?: unknown } | undefined)?.default ?? module.default;
    const problem = definitionProblem(exported);
    return problem === undefined ? { definition: exported as PluginDefinition } : { problem };
  } catch (error) {
    return { problem: `the default export cannot be read: ${reasonOf(error)}` };
  }
}

/** Whether the imports of a module find this package: in its directory or a parent directory, or as a part of it. */
function findsPackage(url: string): boolean {
  try {
    return existsSync(fileURLToPath(resolveModule('fabric-ops-agent/plugin', url)));
  } catch {
    return false;
  }
}

/** The problem of a module that throws, or cannot be compiled or linked. */
async function loadProblem(file: string, error: unknown): Promise<ImportProblem> {
  const reason = reasonOf(error);
  const hint = (await nameHint(reason)) ?? packageHint(reason, dirname(file));
  const place = placeIn(file, error);
  // `import` does not report the place of a syntax error.
  const unplaced = error instanceof SyntaxError ? '; node --check, run on its files, shows the line' : '';
  return {
    problem: `the module cannot be loaded: ${reason}${place === undefined ? unplaced : ` (${place})`}${hint}`,
    stack: stackOf(error),
  };
}

const NO_EXPORT =
  /'(?<module>fabric-ops-agent(?:\/(?:plugin|kit(?:\/\w+)?))?)' does not provide an export named '(?<name>\w+)'/;

/** The advice if a module imports a name that this package does not have; undefined: it imports no such name. */
async function nameHint(reason: string): Promise<string | undefined> {
  const { module, name } = NO_EXPORT.exec(reason)?.groups ?? {};
  if (module === undefined || name === undefined) return undefined;
  const names = await namesOfApi();
  const [owner] = [...names].find(([, exported]) => exported.includes(name)) ?? [];
  if (owner !== undefined) return `; ${owner} exports it`;
  const near = nearest(name, names.get(module) ?? []);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

/** The advice if this package is not found; see `offerAgentApi` for the modules that need no installation. */
function packageHint(reason: string, directory: string): string {
  if (/'fabric-ops-agent\/(?:plugin|kit(?:\/(?:metrics|notifier))?)'/.test(reason))
    return `; Node.js before 22.15 cannot give the plugin API of the agent to a CommonJS module: install fabric-ops-agent in ${directory}`;
  if (/'fabric-ops-agent(?:\/[^']*)?'/.test(reason))
    return `; the agent gives a plugin only fabric-ops-agent/plugin and fabric-ops-agent/kit with /metrics and /notifier: install fabric-ops-agent in ${directory} for anything else`;
  return '';
}

/** The problem of a module that does not finish loading. */
export function timeoutProblem(url: string): string {
  return `the module did not finish loading within ${LOAD_TIMEOUT / 1000}s: ${fileURLToPath(url)}`;
}

/** Imports a module; undefined when that takes longer than {@link LOAD_TIMEOUT}. */
async function importInTime(url: string): Promise<{ default?: unknown } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let left = LOAD_TIMEOUT / TICK;
  // The timer also keeps the process alive: Node exits silently when only the top-level await of a module is pending.
  const late = new Promise<undefined>((onLate) => {
    timer = setInterval(() => {
      left -= 1;
      if (left === 0) onLate(undefined);
    }, TICK);
  });
  try {
    return await Promise.race([import(url) as Promise<{ default?: unknown }>, late]);
  } finally {
    clearInterval(timer);
  }
}
