import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { versionOf } from '../common/files/version.js';

/**
 * Records the current state of files.
 *
 * @returns a function that returns the files that have changed since
 */
export function trackChanges(files: readonly string[], cwd: string): () => string[] {
  const before = new Map(files.map((file) => [file, stateOf(resolve(cwd, file))]));
  return () => files.filter((file) => stateOf(resolve(cwd, file)) !== before.get(file));
}

function stateOf(path: string): string {
  try {
    return versionOf(statSync(path));
  } catch {
    return 'not readable';
  }
}
