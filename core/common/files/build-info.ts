// The version and the commit of this build.

import { existsSync, readFileSync } from 'node:fs';

/** The version and the commit of a build. */
export interface BuildInfo {
  readonly version: string;
  /** The short hash of the commit, or `development build`. */
  readonly commit: string;
}

/** Reads the version from package.json and the commit from the file that the build writes. */
export function readBuildInfo(): BuildInfo {
  const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return { version: manifest.version, commit: readCommit() };
}

/** The command that runs `fabric-ops-agent` on this host: in a clone of the repository no program is installed. */
export const ownCommand = (): string =>
  existsSync(new URL('../../../../.git', import.meta.url)) ? 'npx fabric-ops-agent' : 'fabric-ops-agent';

function readCommit(): string {
  try {
    return readFileSync(new URL('../../../commit.txt', import.meta.url), 'utf8').trim();
  } catch {
    return 'development build';
  }
}
