// The last step of `npm run build`: makes the program executable, and records the commit and the packages that users install.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = fileURLToPath(new URL('../', import.meta.url));
const EXECUTABLE = 0o755;
/** Directories of `dist` without a source directory. */
const GENERATED = /^(?:configtxlator|docs|test\/groups)\//;
const COMPILED = /\.(?:js|d\.ts|js\.map)$/;

/** The compiled files in a directory that have no source file, which core/build.mjs removes. */
export function findStale(dist: string, root: string): string[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPILED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const path = relative(dist, file);
      return !GENERATED.test(path) && !existsSync(join(root, path.replace(COMPILED, '.ts')));
    });
}

function readCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'development build';
  }
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly license?: string }>>;
}

/**
 * The list of the packages that users install, in the format CycloneDX. `npm sbom` lists all packages of a lock file, here of a copy
 * without development packages: `--omit=dev` also omits packages that both a dependency and a development dependency need. It takes the
 * name of the package from the directory.
 */
function makeSbom(): string {
  const { devDependencies: _, ...manifest } = readJson('package.json') as {
    name: string;
    devDependencies: object;
  };
  const { packages, ...lock } = readJson('package-lock.json') as Lock;
  const used = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, entry]) => [path, { license: oldLicenceOf(path), ...entry }] as const);
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const directory = join(folder, manifest.name);
    const write = (file: string, content: object): void =>
      writeFileSync(join(directory, file), JSON.stringify(content));
    mkdirSync(directory);
    write('package.json', manifest);
    write('package-lock.json', { ...lock, packages: { '': manifest, ...Object.fromEntries(used) } });
    return execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The licence that a package states as `licenses: [{ type }]`, the form before `license`, which npm does not copy into lock files. */
function oldLicenceOf(path: string): string | undefined {
  const file = `${path}/package.json`;
  // A package for other systems is not installed.
  if (!existsSync(join(ROOT, file))) return undefined;
  const { licenses } = readJson(file) as { licenses?: readonly { readonly type: string }[] };
  return licenses?.[0]?.type;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  chmodSync(join(OUT, 'core/main.js'), EXECUTABLE);
  writeFileSync(join(OUT, 'commit.txt'), `${readCommit()}\n`);
  writeFileSync(join(OUT, 'sbom.cdx.json'), makeSbom());
}
