// The step of `npm pack` after the build: writes `npm-shrinkwrap.json`, which fixes the versions and checksums of the dependencies for
// users, and `dist/sbom.cdx.json`, the list of all packages in the package, bundled ones included. `postpack` removes the first one,
// because `npm ci` in the repository would use it instead of `package-lock.json`.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLED } from './vendor.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A `package-lock.json`, as far as it is used here. */
export interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** An installed package in it; the key `''` is the package itself. */
export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly dev?: boolean;
  readonly license?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: unknown;
}

/** A list of packages in the format CycloneDX, as far as it is used here. */
export interface Sbom {
  readonly metadata: { readonly component: object };
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** A package in it. */
export interface SbomComponent {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

const DEVELOPMENT = 'cdx:npm:package:development';

/** The lock file without what only development needs. */
export function shrink({ lockfileVersion, packages, ...rest }: Lock): Lock {
  const { '': own = {}, ...installed } = packages;
  const { devDependencies: _, ...root } = own;
  const kept = Object.entries(installed).filter(([, { dev }]) => dev !== true);
  return { ...rest, lockfileVersion, packages: { '': root, ...Object.fromEntries(kept) } };
}

/**
 * The packages that users get: the dependencies, and those in the bundles.
 *
 * @param sbom of everything in the lock file
 * @param bundled as `name@version`
 * @param statedLicence the licence that the package.json of a package states, for those without one in the list: npm reads only `license`
 * @throws Error for a bundled package that is not in the list
 */
export function select(
  sbom: Sbom,
  bundled: readonly string[],
  name: string,
  statedLicence: (name: string) => string,
): Sbom {
  const isBundled = new Set(bundled);
  const components = sbom.components
    .filter(
      ({ 'bom-ref': ref, properties = [] }) =>
        isBundled.has(ref) || !properties.some((property) => property.name === DEVELOPMENT),
    )
    .map((component) =>
      isBundled.has(component['bom-ref'])
        ? { ...component, scope: 'required', properties: [{ name: `${name}:bundled`, value: 'true' }] }
        : component,
    )
    .map((component) =>
      component.licenses === undefined
        ? { ...component, licenses: [{ license: { id: statedLicence(component.name) } }] }
        : component,
    );
  const refs = new Set(components.map((component) => component['bom-ref']));
  const missing = bundled.find((ref) => !refs.has(ref));
  if (missing !== undefined) throw new Error(`the list of packages does not contain ${missing}`);
  const own = sbom.metadata.component as { readonly 'bom-ref': string };
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === own['bom-ref'])
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return { ...sbom, metadata: { ...sbom.metadata, component: { ...own, name } }, components, dependencies };
}

function write(): void {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const save = (file: string, content: object): void =>
    writeFileSync(join(ROOT, file), `${JSON.stringify(content, undefined, 2)}\n`);
  const list = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const { name } = read('package.json') as { name: string };
  // The old form of the licence: a list.
  const statedLicence = (dependency: string): string => {
    const file = `node_modules/${dependency}/package.json`;
    const { licenses = [] } = read(file) as { readonly licenses?: readonly { readonly type: string }[] };
    const [licence] = licenses;
    if (licence === undefined) throw new Error(`${file} states no licence`);
    return licence.type;
  };
  save(
    'dist/sbom.cdx.json',
    select(JSON.parse(list) as Sbom, read(BUNDLED) as string[], name, statedLicence),
  );
  save('npm-shrinkwrap.json', shrink(read('package-lock.json') as Lock));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write();
