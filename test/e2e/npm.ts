// npm as strangers use it, and the package as they get it.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the package is made. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What it says of itself. */
export const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** The types of Node.js, as the package itself is compiled with. */
export const NODE_TYPES = `@types/node@${PACKAGE.devDependencies['@types/node']}`;

/** The compiler, as the package itself is compiled with. */
export const TSC = join(ROOT, 'node_modules/.bin/tsc');

/** Runs a command; throws when it fails, with what it wrote. @returns what it wrote to standard output */
export function run(command: string, cwd: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A package that was packed: the name of the tarball, and what is in it. */
export interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs what is built; the scripts would build it anew, and these tests with it. @param to the folder of the tarball */
export function pack(to: string, from = ROOT): Packed {
  const answer: unknown = JSON.parse(
    run('npm', from, 'pack', '--ignore-scripts', '--json', `--pack-destination=${to}`),
  );
  // Newer versions of npm answer with an object by package name.
  const [packed] = Object.values(answer as object);
  return packed as Packed;
}

/** Installs packages into a folder. */
export function install(folder: string, ...packages: readonly string[]): void {
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  run('npm', folder, 'install', ...quiet, ...packages);
}
