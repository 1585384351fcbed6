// Which test files are nearest to a file of the product, by imports.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const IMPORT = /(?:\bfrom |\bimport(?: |\())'([^']+)'/g;

/** The compiled files of a directory and those below it, as absolute paths. */
export const filesBelow = (directory: string, pattern: RegExp): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .toSorted()
    .map((file) => join(directory, file));

/** The files of this package that a compiled file imports. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(([, name = '']) => {
    if (name.startsWith('.')) return [join(dirname(file), name)];
    return name.startsWith('fabric-ops-agent/') ? [fileURLToPath(import.meta.resolve(name))] : [];
  });
}

/**
 * The test files that reach each file of the product: first its own test file, then those of its directory, then the
 * others, in the order of their distance.
 *
 * @param tests compiled test files
 * @returns by product file: its own test file, then those of its directory, then those that import it through the fewest other files
 */
export function nearestTests(tests: readonly string[]): Map<string, string[]> {
  const imports = new Map<string, readonly string[]>();
  const known = (file: string): readonly string[] => {
    const found = imports.get(file) ?? (existsSync(file) ? importsOf(file) : []);
    imports.set(file, found);
    return found;
  };
  const distances = new Map<string, (readonly [distance: number, test: string])[]>();
  for (const test of tests) {
    const seen = new Set([test]);
    let level: readonly string[] = [test];
    for (let distance = 0; level.length > 0; distance += 1) {
      for (const file of level) distances.set(file, [...(distances.get(file) ?? []), [distance, test]]);
      level = level.flatMap(known).filter((file) => !seen.has(file) && seen.add(file));
    }
    // It may start a program that has the file.
    const own = testedBy(test);
    if (!seen.has(own)) distances.set(own, [...(distances.get(own) ?? []), [Infinity, test]]);
  }
  return new Map(
    [...distances].map(([file, found]) => [
      file,
      found
        .map(([distance, test]) => [kinship(test, file), distance, test] as const)
        .toSorted(([kin, near], [otherKin, otherNear]) => otherKin - kin || near - otherNear)
        .map(([, , test]) => test),
    ]),
  );
}

/** 2 for the test file with the name of the product file, 1 for those in its directory. */
function kinship(test: string, file: string): number {
  const tested = testedBy(test);
  return tested === file ? 2 : Number(dirname(tested) === dirname(file));
}

/** The product file with the name of a test file; it need not exist. */
const testedBy = (test: string): string =>
  test.replace('/dist/test/', '/dist/').replace(/(?:\.own)?\.test\.js$/, '.js');
