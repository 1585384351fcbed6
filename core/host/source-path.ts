import { findSourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The path that stack traces show for a module: its source if it has a source map and source maps are enabled. */
export function sourcePath(file: string): string {
  const base = pathToFileURL(file).href;
  const source = findSourceMap(file)?.payload.sources[0];
  if (source === undefined || !URL.canParse(source, base)) return file;
  const url = new URL(source, base);
  return url.protocol === 'file:' ? fileURLToPath(url) : file;
}
