// The source maps of modules, read when they are needed. Node.js would read and keep the maps of all modules, which takes 4 MiB.

import { readFileSync, statSync } from 'node:fs';
import { findSourceMap, SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Largest source map that is read, in bytes. */
const MAX_SIZE = 4 * 1024 * 1024;
/** Most files whose source maps are kept: the frames of a stack are in few files. */
const MAX_KEPT = 8;

/** The maps of the files that were looked up last, the oldest first; undefined for a file without one. */
const kept = new Map<string, SourceMap | undefined>();

/**
 * The source map of a module: the one that Node.js has, with `--enable-source-maps`, or else that in the file `FILE.map`.
 *
 * @param file the absolute path of the compiled module, or its URL, as frames of a stack have it
 * @returns undefined if there is none that can be used
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
