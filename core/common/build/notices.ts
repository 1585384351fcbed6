// Lists the packages in the output of a build step, with their licences.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that allow redistribution in a package under Apache-2.0 if their text is included. */
const PERMISSIVE = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

/** The directories of the packages that modules belong to, sorted. */
export function packagesOf(modules: readonly string[]): string[] {
  const directory = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
  return [...new Set(modules.flatMap((module) => directory.exec(module) ?? []))].sort();
}

/**
 * The notice of a package: name, version, licence and the text of its licence files.
 *
 * @throws Error if its licence is missing or not permissive
 */
export function noticeOf(directory: string): string {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const { name, version, license } = manifest;
  if (license === undefined || !PERMISSIVE.has(license))
    throw new Error(
      `${name} ${version} has the licence ${license ?? '(none)'}; allowed: ${[...PERMISSIVE].join(', ')}`,
    );
  const found = readdirSync(directory)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file))
    .map((file) => readFileSync(join(directory, file), 'utf8').trim());
  const texts =
    found.length > 0
      ? found
      : [`The package has no licence file. Its package.json states the licence ${license}.`];
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/**
 * Writes the notices of all packages in a bundle.
 *
 * @param what the bundle, such as `page/agent.html`
 * @param modules the modules in it, relative to the checkout
 * @throws Error if the licence of one is missing or not permissive
 */
export function writeNotices(file: string, what: string, modules: readonly string[]): void {
  const head = `${what} contains parts of the following packages.`;
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  writeFileSync(file, `${[head, ...packagesOf(modules).map(noticeOf)].join(line)}\n`);
}
