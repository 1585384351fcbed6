// Reads source maps of modules when they are needed. Node.js would read and keep the maps of all modules, which takes 4 MiB.

import { readFileSync, statSync } from 'node:fs';
import { findSourceMap, SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Largest source map that is read, in bytes. */
const MAX_SIZE = 4 * 1024 * 1024;
/** Most source maps that are kept: the frames of a stack are in few files. */
const MAX_KEPT = 8;

/** The maps of the latest files, the oldest first; undefined for a file without a map. */
const kept = new Map<string, SourceMap | undefined>();

/**
 * The source map of a module: from Node.js with `--enable-source-maps`, else from the file `FILE.map`.
 *
 * @param file the absolute path of the compiled module, or its URL, as in the frames of a stack
 * @returns undefined if there is no usable map
 */
export function sourceMapOf(file: string): SourceMap | undefined {
  const known = findSourceMap(file);
  if (known !== undefined || kept.has(file)) return known ?? kept.get(file);
  const map = readMap(file);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(file, map);
  return map;
}

function readMap(file: string): SourceMap | undefined {
  try {
    const path = `${file.startsWith('file:') ? fileURLToPath(file) : file}.map`;
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_SIZE) return undefined;
    return new SourceMap(
      JSON.parse(readFileSync(path, 'utf8')) as ConstructorParameters<typeof SourceMap>[0],
    );
  } catch {
    return undefined;
  }
}
