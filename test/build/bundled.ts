// Which packages users get, for the table in test/README.md and the audit of a release. `node dist/test/build/bundled.js && npx oxfmt test/README.md`
// writes the table after the build.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lock } from './release.js';
import { BUNDLED } from './vendor.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The table in test/README.md. */
const TABLE = /^\| Bundled package .*(?:\n\|.*)*/m;

/** What the package uses the packages for that it imports. */
const PURPOSES: Readonly<Record<string, string>> = {
  '@grpc/grpc-js': 'calls of orderers',
  '@lit-labs/virtualizer': 'long lists of pages',
  '@noble/curves': 'signatures on the curve P-224, in pages',
  '@noble/hashes': 'hashes, in pages',
  buffer: 'bytes of the JSON codec, in pages',
  convict: 'settings',
  dockerode: 'docker checker',
  'fastest-levenshtein': 'similar names, in pages',
  lit: 'components of pages',
  pino: 'log output',
  'prom-client': 'metrics',
  protobufjs: 'bytes of messages',
  restify: 'HTTP server',
  yaml: 'configuration files',
};

/** The result of `npm audit --json`, as far as it is used here. */
export interface Audit {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly nodes: readonly string[] }>
  >;
}

/** Reads the lock file. */
export const readLock = (): Lock => JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;

/** Reads the bundled packages, as `name@version`. */
export const readBundled = (): readonly string[] =>
  JSON.parse(readFileSync(join(ROOT, BUNDLED), 'utf8')) as string[];

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');

/** The rows of the table: name, version, purpose and licence of each bundled package, sorted by name. */
export function bundledRows({ packages }: Lock, bundled: readonly string[]): string[][] {
  const locked = Object.entries(packages).map(([path, each]) => ({ ...each, path, name: nameOf(path) }));
  const found = bundled.map((id) => {
    const each = locked.find(({ name, version }) => `${name}@${version}` === id);
    if (each === undefined) throw new Error(`package-lock.json does not contain ${id}`);
    return each;
  });
  const dependentsOf = (name: string): string => {
    const dependents = found.filter(
      ({ dependencies = {}, optionalDependencies = {} }) =>
        name in dependencies || name in optionalDependencies,
    );
    return [...new Set(dependents.map((each) => each.name))].toSorted().join(', ');
  };
  return found
    .map(({ path, name, version = '', license = '' }) => {
      // Another version of an imported package is nested in its dependent.
      const purpose = path === `node_modules/${name}` ? PURPOSES[name] : undefined;
      return [name, version, purpose ?? `dependency of ${dependentsOf(name)}`, license];
    })
    .toSorted(([a = '', b = ''], [c = '', d = '']) => (a === c ? (b < d ? -1 : 1) : a < c ? -1 : 1));
}

/** The cells of the table in a text; empty without a table. */
export function tableIn(text: string): string[][] {
  const [, , ...lines] = TABLE.exec(text)?.[0].split('\n') ?? [];
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/**
 * The packages with findings of severity high or critical that users get, as `path (severity)`.
 *
 * @throws Error if the result has no list of findings, as when the registry does not support audits
 */
export function findingsOf(
  { vulnerabilities }: Audit,
  { packages }: Lock,
  bundled: readonly string[],
): string[] {
  if (vulnerabilities === undefined) throw new Error('the result of npm audit has no list of findings');
  const isShipped = (path: string): boolean => {
    const { dev, version = '' } = packages[path] ?? {};
    return dev !== true || bundled.includes(`${nameOf(path)}@${version}`);
  };
  return Object.values(vulnerabilities)
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .flatMap(({ severity, nodes }) => nodes.filter(isShipped).map((path) => `${path} (${severity})`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(ROOT, 'test/README.md');
  const lines = [
    ['Bundled package', 'Version', 'Purpose', 'Licence'],
    ['-', '-', '-', '-'],
  ];
  const table = [...lines, ...bundledRows(readLock(), readBundled())].map((row) => `| ${row.join(' | ')} |`);
  writeFileSync(file, readFileSync(file, 'utf8').replace(TABLE, table.join('\n')));
}
