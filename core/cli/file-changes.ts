import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Records the current state of files.
 *
 * @returns a function that returns the files whose time of modification or size has changed since
 */
export function trackChanges(files: readonly string[], cwd: string): () => string[] {
  const before = new Map(files.map((file) => [file, stateOf(resolve(cwd, file))]));
  return () => files.filter((file) => stateOf(resolve(cwd, file)) !== before.get(file));
}

function stateOf(path: string): string {
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return 'not readable';
  }
}
