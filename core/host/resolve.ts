// Finds the module of a plugin: a path, a built-in name, or an npm package.

import { existsSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve as resolveModule } from 'import-meta-resolve';
import { findBuiltIn, type BuiltInPlugin } from './built-in.js';
import { suggestion } from '../common/text/nearest.js';

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

/** A file that has to be compiled; the letter before `ts` is also that before `js` in the name of the output. */
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
