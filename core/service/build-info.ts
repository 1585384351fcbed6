// Which build this is.

import { readFileSync } from 'node:fs';

/** Which build this is. */
export interface BuildInfo {
  readonly version: string;
  /** The short hash of the commit, or a word where it is not known. */
  readonly commit: string;
}

/** Reads what the build left beside the compiled code. */
export function readBuildInfo(): BuildInfo {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return { version: manifest.version, commit: readCommit() };
}

function readCommit(): string {
  try {
    return readFileSync(new URL('../../commit.txt', import.meta.url), 'utf8').trim();
  } catch {
    return 'development build';
  }
}
