import { findSourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

/** The path that stack traces show for a module: its source if it has a source map and source maps are enabled. */
export function sourcePath(file: string): string {
  const source = findSourceMap(file)?.payload.sources[0];
  return source === undefined ? file : resolve(dirname(file), source);
}
