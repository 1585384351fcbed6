// Imports the module of a plugin.

import { fileURLToPath } from 'node:url';
import { definitionProblem } from '../contract/definition.js';
import { reasonOf, type PluginDefinition } from '../contract/index.js';
import { placeIn, placeOf, stackOf } from './stack.js';
import { findSyntaxError } from './syntax-error.js';

/** Longest time in which a plugin module must load, in milliseconds: its top-level code, with that of what it imports. */
export const LOAD_TIMEOUT = 10_000;
/** The time is measured in ticks, so that time in which the process is busy, such as loading on a slow machine, is not included. */
const TICK = 100;

/** Why a plugin cannot be used. */
export interface ImportProblem {
  readonly problem: string;
  /** The stack of the error, if there is one. */
  readonly stack?: string;
}

/** Imports a plugin module and checks its definition. No plugin is created. */
export async function importPlugin(url: string): Promise<{ definition: PluginDefinition } | ImportProblem> {
  let module: { default?: unknown } | undefined;
  try {
    module = await importInTime(url);
  } catch (error) {
    return loadProblem(fileURLToPath(url), error);
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

/** The problem of a module that throws, or cannot be compiled or linked. */
async function loadProblem(file: string, error: unknown): Promise<ImportProblem> {
  const reason = reasonOf(error);
  // A module resolves the package from its own directory, not from where this program is installed.
  const hint = reason.includes("'fabric-ops-agent'")
    ? '; install the tarball of fabric-ops-agent in its directory'
    : '';
  const place =
    placeIn(file, error) ?? (error instanceof SyntaxError ? await syntaxErrorIn(file) : undefined);
  return {
    problem: `the module cannot be loaded: ${reason}${place === undefined ? '' : ` (${place})`}${hint}`,
    stack: stackOf(error),
  };
}

async function syntaxErrorIn(file: string): Promise<string | undefined> {
  const frame = await findSyntaxError(file);
  return frame === undefined ? undefined : placeOf(file, frame);
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
  const late = new Promise<undefined>((resolve) => {
    timer = setInterval(() => {
      left -= 1;
      if (left === 0) resolve(undefined);
    }, TICK);
  });
  try {
    return await Promise.race([import(url) as Promise<{ default?: unknown }>, late]);
  } finally {
    clearInterval(timer);
  }
}
