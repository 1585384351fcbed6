// What users install: packages with exact versions, under their own names, of which none needs a script at installation.

import { readFileSync } from 'node:fs';
import test from 'ava';

/** A package in package-lock.json. */
interface LockedPackage {
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

/** A list of packages in the format CycloneDX. */
interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly { readonly name: string; readonly licenses?: readonly object[] }[];
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const MANIFEST = read('package.json') as {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const LOCKED = Object.entries(
  (read('package-lock.json') as { readonly packages: Readonly<Record<string, LockedPackage>> }).packages,
).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');

test('restify, node-statsd, prom-client, dockerode, protobufjs and convict are dependencies', (t) => {
  for (const name of ['restify', 'node-statsd', 'prom-client', 'dockerode', 'protobufjs', 'convict'])
    t.true(name in MANIFEST.dependencies, name);
});

test('every dependency has an exact version and a checksum', (t) => {
  for (const [name, version] of Object.entries({ ...MANIFEST.dependencies, ...MANIFEST.devDependencies }))
    t.regex(version, /^\d+\.\d+\.\d+$/, name);
  for (const [path, { integrity, optional }] of LOCKED)
    if (optional !== true) t.regex(integrity ?? '', /^sha512-/, path);
});

// npm runs `prepare` only in a clone, and for a dependency from git, which it builds.
test('the package runs nothing when it is installed from its tarball', (t) => {
  for (const name of ['preinstall', 'install', 'postinstall', 'preprepare', 'postprepare'])
    t.false(name in MANIFEST.scripts, name);
});

test('no install script of a dependency is allowed', (t) => {
  const withScript = LOCKED.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  t.true(withScript.length > 0);
  for (const [path] of withScript) t.is(MANIFEST.allowScripts[nameOf(path)], false, path);
  t.false(Object.values(MANIFEST.allowScripts).includes(true));
});

test('dist/sbom.cdx.json lists the package and all packages that it installs', (t) => {
  const { metadata, components } = read('dist/sbom.cdx.json') as Sbom;
  t.is(metadata.component['bom-ref'], `${MANIFEST.name}@${MANIFEST.version}`);
  const listed = new Set(components.map(({ name }) => name));
  t.deepEqual(
    LOCKED.filter(([path, { dev }]) => dev !== true && !listed.has(nameOf(path))).map(([path]) => path),
    [],
  );
  t.deepEqual(
    components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name),
    ['escape-regexp-component'],
    'its package.json states no licence; its Readme.md does',
  );
});
