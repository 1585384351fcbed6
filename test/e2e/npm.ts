// Packs the package and installs it with npm, as users do.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findStale } from '../../core/finish.js';

/** The root directory of the package. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Its package.json. */
export const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** The version of the Node.js types that the package is compiled with. */
export const NODE_TYPES = `@types/node@${PACKAGE.devDependencies['@types/node']}`;

/** The TypeScript compiler of the package. */
export const TSC = join(ROOT, 'node_modules/.bin/tsc');

/** Runs a command and returns its standard output. Throws an error with its output if it fails. */
export function run(command: string, cwd: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A packed package: the name of the tarball and its files. */
export interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the package without running its scripts, which would build it again. @param to the directory of the tarball */
export function pack(to: string, from = ROOT): Packed {
  const output: unknown = JSON.parse(
    run('npm', from, 'pack', '--ignore-scripts', '--json', `--pack-destination=${to}`),
  );
  // Newer versions of npm print an object by package name instead of an array.
  const [packed] = Object.values(output as object);
  return packed as Packed;
}

/** Packs the package as `npm pack` does after the build. */
export function packRelease(to: string): Packed {
  const [stale] = findStale(join(ROOT, 'dist'), ROOT);
  if (stale !== undefined) throw new Error(`${stale} has no source: run npm run build`);
  return pack(to);
}

/** Installs packages into a directory. */
export function install(directory: string, ...packages: readonly string[]): void {
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  run('npm', directory, 'install', ...quiet, ...packages);
}
