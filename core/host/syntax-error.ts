// Where a module has a syntax error: `import` does not say it.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { compilerFrame, type Frame } from './stack.js';

/** How many modules are compiled to find the error. */
const MAX_MODULES = 20;
/** Longest time to compile one module, in milliseconds. */
const COMPILE_TIMEOUT = 60_000;
/** A relative path in a static import or re-export. */
const IMPORT = /(?:\bfrom|^\s*import)\s*['"](?<path>\.[^'"]+)['"]/gm;

/**
 * Finds the syntax error of a module or of one that it imports by a relative path. Nothing is run: each module is compiled by
 * `node --check`.
 *
 * @param module the path of the module
 * @returns undefined if there is no such error
 */
export async function findSyntaxError(module: string): Promise<Frame | undefined> {
  const modules = new Set([module]);
  // Modules that are added here are visited, too.
  for (const file of modules) {
    const found = await compile(file);
    if (found !== undefined) return found;
    for (const path of await importsOf(file))
      if (modules.size < MAX_MODULES) modules.add(resolve(dirname(file), path));
  }
  return undefined;
}

async function compile(file: string): Promise<Frame | undefined> {
  try {
    await promisify(execFile)(process.execPath, ['--check', file], { timeout: COMPILE_TIMEOUT });
    return undefined;
  } catch (error) {
    return compilerFrame((error as { readonly stderr?: string }).stderr ?? '');
  }
}

async function importsOf(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return [...text.matchAll(IMPORT)].map(({ groups }) => groups?.path ?? '');
}
