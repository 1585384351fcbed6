// What users install: few packages with fixed versions, and no script that runs at installation.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { select, shrink, type Lock, type Sbom } from './release.js';
import { BUNDLED } from './vendor.js';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const LOCK = read('package-lock.json') as Lock;
const { dependencies, scripts, allowScripts } = read('package.json') as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const RUNTIME = Object.entries(shrink(LOCK).packages).filter(([path]) => path !== '');

test('the package has exactly seven packages to install, each with an exact version, a checksum, and no dependencies but each other', (t) => {
  t.deepEqual(
    RUNTIME.map(([path, { version }]) => [path, version]),
    Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, version]),
  );
  t.is(RUNTIME.length, 7);
  for (const [path, { version, integrity, dependencies: further }] of RUNTIME) {
    t.regex(version ?? '', /^\d+\.\d+\.\d+$/, path);
    t.regex(integrity ?? '', /^sha512-/, path);
    t.true(
      Object.keys(further ?? {}).every((name) => name in dependencies),
      path,
    );
  }
});

// npm runs `prepare` only in a clone, and for a dependency from git, which it builds.
test('nothing runs at the installation of the tarball: neither a script of the package nor one of its dependencies', (t) => {
  for (const name of ['preinstall', 'install', 'postinstall', 'preprepare', 'postprepare'])
    t.false(name in scripts, name);
  for (const [path, { hasInstallScript }] of RUNTIME) t.not(hasInstallScript, true, path);
});

test('in the repository, no install script of a development dependency is allowed', (t) => {
  const withScript = Object.entries(LOCK.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  t.true(withScript.length > 0);
  for (const [path] of withScript) t.is(allowScripts[path.replace(/^.*node_modules\//, '')], false, path);
});

test('the shrinkwrap has the dependencies of the lock file without those of the development', (t) => {
  const { '': own } = shrink(LOCK).packages;
  t.deepEqual(own?.dependencies, dependencies);
  t.is(own?.devDependencies, undefined);
});

test('the SBOM has the dependencies and the bundled packages, and nothing else', (t) => {
  const development = { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] };
  const component = (name: string, more: object = {}) => ({
    'bom-ref': `${name}@1.0.0`,
    name,
    version: '1.0.0',
    ...more,
  });
  const all: Sbom = {
    metadata: { component: component('folder') },
    components: [component('used'), component('bundled', development), component('tool', development)],
    dependencies: [{ ref: 'folder@1.0.0', dependsOn: ['used@1.0.0', 'tool@1.0.0'] }, { ref: 'tool@1.0.0' }],
  };
  const { metadata, components, dependencies: edges } = select(all, ['bundled@1.0.0'], 'own', () => 'MIT');
  t.like(metadata.component, { name: 'own' });
  t.deepEqual(
    components.map(({ name, properties }) => [name, properties]),
    [
      ['used', undefined],
      ['bundled', [{ name: 'own:bundled', value: 'true' }]],
    ],
  );
  t.deepEqual(edges, [{ ref: 'folder@1.0.0', dependsOn: ['used@1.0.0'] }]);
  t.throws(() => select(all, ['other@1.0.0'], 'own', () => 'MIT'), {
    message: 'the list of packages does not contain other@1.0.0',
  });
});

test('every bundled package is known to the SBOM', (t) => {
  const bundled = read(BUNDLED) as string[];
  t.true(bundled.some((name) => name.startsWith('restify@')));
  const locked = new Set(
    Object.entries(LOCK.packages).map(
      ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version ?? ''}`,
    ),
  );
  for (const name of bundled) t.true(locked.has(name), name);
});

test('a package whose licence npm does not read has the one that its package.json states', (t) => {
  const component = (name: string, licenses?: readonly unknown[]) => ({
    'bom-ref': `${name}@1.0.0`,
    name,
    version: '1.0.0',
    ...(licenses !== undefined && { licenses }),
  });
  const apache = [{ license: { id: 'Apache-2.0' } }];
  const sbom = {
    metadata: { component: { 'bom-ref': 'own@1.0.0' } },
    components: [component('old'), component('new', apache)],
    dependencies: [],
  };
  const { components } = select(sbom, [], 'own', (name) => `licence of ${name}`);
  t.deepEqual(
    components.map(({ name, licenses }) => [name, licenses]),
    [
      ['old', [{ license: { id: 'licence of old' } }]],
      ['new', apache],
    ],
  );
});
